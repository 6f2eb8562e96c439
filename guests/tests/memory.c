/* Compares the memory functions with loops over bytes, for lengths up to 100 and many alignments and overlaps. */
#include <assert.h>
#include <string.h>

enum { SIZE = 160 };
static unsigned char a[SIZE], b[SIZE], want[SIZE];

static void fill(void) {
    for (int i = 0; i < SIZE; i++) a[i] = want[i] = (unsigned char)(i * 7 + 3), b[i] = (unsigned char)(i * 13 + 1);
}

static int sign(int x) { return (x > 0) - (x < 0); }

static int equal(void) {
    for (int i = 0; i < SIZE; i++)
        if (a[i] != want[i]) return 0;
    return 1;
}

static int compare(const unsigned char *x, const unsigned char *y, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

int main(void) {
    void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;
    void *(*volatile move)(void *, const void *, size_t) = memmove;
    void *(*volatile set)(void *, int, size_t) = memset;
    int (*volatile difference)(const void *, const void *, size_t) = memcmp;
    for (int n = 0; n <= 100; n += n < 20 ? 1 : 7)
        for (int to = 0; to < 9; to++)
            for (int from = 0; from < 9; from++) {
                fill();
                for (int i = 0; i < n; i++) want[to + i] = b[from + i];
                assert(copy(a + to, b + from, (size_t)n) == a + to && equal());
                fill();
                unsigned char kept[SIZE];
                for (int i = 0; i < n; i++) kept[i] = a[5 * from + i];
                for (int i = 0; i < n; i++) want[5 * to + i] = kept[i];
                assert(move(a + 5 * to, a + 5 * from, (size_t)n) == a + 5 * to && equal());
            }
    for (int n = 0; n <= 100; n++)
        for (int to = 0; to < 9; to++) {
            fill();
            for (int i = 0; i < n; i++) want[to + i] = 0x81;
            assert(set(a + to, 0x181, (size_t)n) == a + to && equal());
        }
    for (int n = 1; n <= 40; n++)
        for (int at = 0; at < n; at++) {
            fill();
            for (int i = 0; i < n; i++) b[i + 3] = a[i + 1];
            assert(difference(a + 1, b + 3, (size_t)n) == 0);
            b[at + 3] ^= 0x80;
            assert(sign(difference(a + 1, b + 3, (size_t)n)) == compare(a + 1, b + 3, n));
            assert(difference(a + 1, b + 3, (size_t)at) == 0);
        }
    return 0;
}
