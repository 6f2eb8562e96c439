/* C's memory functions, word by word: an instruction's cost does not depend on the bytes that it moves, and the machine
 * allows misaligned loads and stores. They replace picolibc's, which work byte by byte. */
#include <stddef.h>
#include <stdint.h>

/* A word anywhere in memory, of any type. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word;

/* Copies from the first byte to the last, four words at a time. Each word is read before a store can overwrite it, even
 * if the target begins before the source and overlaps it. */
static void ascend(char *a, const char *b, size_t n) {
    for (; n >= 32; n -= 32, a += 32, b += 32) {
        uint64_t p = ((const word *)b)[0], q = ((const word *)b)[1], r = ((const word *)b)[2], s = ((const word *)b)[3];
        ((word *)a)[0] = p, ((word *)a)[1] = q, ((word *)a)[2] = r, ((word *)a)[3] = s;
    }
    for (; n >= 8; n -= 8, a += 8, b += 8) *(word *)a = *(const word *)b;
    while (n--) *a++ = *b++;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    ascend(to, from, n);
    return to;
}

/* If the target begins inside the source, the bytes are moved from the last to the first. */
void *memmove(void *to, const void *from, size_t n) {
    if ((uintptr_t)to - (uintptr_t)from >= n) {
        ascend(to, from, n);
        return to;
    }
    char *a = (char *)to + n;
    const char *b = (const char *)from + n;
    for (; n >= 32; n -= 32) {
        a -= 32, b -= 32;
        uint64_t p = ((const word *)b)[0], q = ((const word *)b)[1], r = ((const word *)b)[2], s = ((const word *)b)[3];
        ((word *)a)[0] = p, ((word *)a)[1] = q, ((word *)a)[2] = r, ((word *)a)[3] = s;
    }
    for (; n >= 8; n -= 8) {
        a -= 8, b -= 8;
        *(word *)a = *(const word *)b;
    }
    while (n--) *--a = *--b;
    return to;
}

void *memset(void *to, int c, size_t n) {
    char *a = to;
    uint64_t v = (uint8_t)c * 0x0101010101010101ull;
    for (; n && (uintptr_t)a & 7; n--) *a++ = (char)c; /* a misaligned store takes two accesses */
    for (; n >= 32; n -= 32, a += 32) ((word *)a)[0] = v, ((word *)a)[1] = v, ((word *)a)[2] = v, ((word *)a)[3] = v;
    for (; n >= 8; n -= 8, a += 8) *(word *)a = v;
    while (n--) *a++ = (char)c;
    return to;
}

int memcmp(const void *x, const void *y, size_t n) {
    const unsigned char *a = x, *b = y;
    while (n >= 8 && *(const word *)a == *(const word *)b) a += 8, b += 8, n -= 8;
    for (; n; n--, a++, b++)
        if (*a != *b) return *a - *b;
    return 0;
}
