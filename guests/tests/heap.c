/* malloc, calloc, realloc, free, aligned_alloc, with either heap. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef ZKVM_FREE
enum { ALIGNMENT = 8 }; /* picolibc's */
#else
enum { ALIGNMENT = 16 };
#endif

static int aligned(const void *p) { return ((uintptr_t)p & (ALIGNMENT - 1)) == 0; }

int main(void) {
    char *a = malloc(10), *b = malloc(0), *c = malloc(33);
    assert(a && c && a != c && a != b && aligned(a) && aligned(c));
    memset(c, 0xff, 33);
    c = realloc(c, 5000);
    for (int i = 0; i < 33; i++) assert((unsigned char)c[i] == 0xff);
    memset(a, 7, 10);
    a = realloc(a, 100); /* not the last block */
    for (int i = 0; i < 10; i++) assert(a[i] == 7);
    memset(a, 7, 100);
    free(a);
    free(NULL);
    char *z = calloc(25, 8); /* zeros, whether or not it reuses a */
    for (int i = 0; i < 200; i++) assert(z[i] == 0);
    for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
        char *p = aligned_alloc(alignment, alignment);
        assert(p && !((uintptr_t)p & (alignment - 1)));
        memset(p, 1, alignment);
    }
    char *shrunk = realloc(malloc(1000), 10);
    memset(shrunk, 1, 10);
    shrunk = realloc(shrunk, 2000);
    for (int i = 0; i < 10; i++) assert(shrunk[i] == 1);
    void *(*volatile large)(size_t) = malloc;
    void *(*volatile many)(size_t, size_t) = calloc;
    assert(!large((size_t)1 << 32) && errno == ENOMEM);
    assert(!large(SIZE_MAX - 7));
    assert(!many(SIZE_MAX / 2, 3));
    assert(malloc(1 << 20)); /* none of these used any memory */
    return 0;
}
