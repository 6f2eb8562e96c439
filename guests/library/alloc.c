/* The heap of guests that name no zkVM: memory is never freed. Memory that was never written is zero. */
#include <stddef.h>
#include <stdint.h>

extern char _heap_start[], _heap_end[];

_Noreturn void abort(void);

/* Returns size bytes at a multiple of alignment, a power of two. If memory is exhausted, the program ends. */
void *sys_alloc_aligned(size_t size, size_t alignment) {
    static uintptr_t next;
    if (!next) next = (uintptr_t)_heap_start;
    uintptr_t block = (next + alignment - 1) & -(uintptr_t)alignment;
    if (block < next || block > (uintptr_t)_heap_end || size > (uintptr_t)_heap_end - block) abort();
    next = block + size;
    return (void *)block;
}
