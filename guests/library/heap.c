/* The heap of programs that free little: memory is allocated once, from the end of the program's data on, and is zero.
 * calloc clears nothing, realloc grows the last block in place, free releases only the last block. For a program that
 * frees much, compile with -DZKVM_FREE: then malloc is picolibc's, which keeps free lists.
 *
 *	| size | block ... | size | block ... | next
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern char _heap_start[], _heap_end[];

#define ALIGNMENT 16
#define SIZE(block) (((size_t *)(block))[-1])

static char *next;  /* the first free byte */
static char *clean; /* memory from here on was never allocated */

static void *take(size_t alignment, size_t size) {
    if (!next) next = clean = _heap_start;
    uintptr_t block = ((uintptr_t)next + sizeof(size_t) + alignment - 1) & -(uintptr_t)alignment;
    if (block < (uintptr_t)next || block > (uintptr_t)_heap_end || size > (uintptr_t)_heap_end - block) {
        errno = ENOMEM;
        return NULL;
    }
    SIZE(block) = size;
    next = (char *)block + size;
    if (next > clean) clean = next;
    return (void *)block;
}

static int is_last(const void *block) { return (const char *)block + SIZE(block) == next; }

void *malloc(size_t size) { return take(ALIGNMENT, size); }

void *calloc(size_t count, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(count, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    char *untouched = clean ? clean : _heap_start;
    char *block = take(ALIGNMENT, all);
    if (block && block < untouched) /* the last block was freed, or moved, and had been written to */
        memset(block, 0, block + all < untouched ? all : (size_t)(untouched - block));
    return block;
}

void free(void *block) {
    if (block && is_last(block)) next = (char *)block - sizeof(size_t);
}

void *realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    size_t old = SIZE(block);
    if (is_last(block) && size <= (size_t)(_heap_end - (char *)block)) {
        SIZE(block) = size;
        next = (char *)block + size;
        if (next > clean) clean = next;
        return block;
    }
    if (size <= old) return block;
    void *moved = malloc(size);
    if (moved) memcpy(moved, block, old);
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size) {
    if (!alignment || alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    return take(alignment < ALIGNMENT ? ALIGNMENT : alignment, size);
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
    *block = aligned_alloc(alignment, size);
    return *block ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *block) { return block ? SIZE(block) : 0; }

void cfree(void *block) { free(block); }
