// Functions that freestanding C++ needs in addition to C's library. There are no exceptions: if memory is exhausted,
// the program ends.
#include "zkvm_calls.h"

#include <stddef.h>
#include <stdlib.h>

namespace {

[[noreturn]] void fail(const char *text, size_t size) {
    zkvm_note(text, size);
    abort();
}

void *allocate(size_t size, size_t alignment) {
    static const char text[] = "operator new: out of memory\n";
    void *block = alignment ? aligned_alloc(alignment, size) : malloc(size);
    if (!block) fail(text, sizeof text - 1);
    return block;
}

}

namespace std {
enum class align_val_t : size_t {};
}

void *operator new(size_t size) { return allocate(size, 0); }
void *operator new[](size_t size) { return allocate(size, 0); }
void *operator new(size_t size, std::align_val_t to) { return allocate(size, static_cast<size_t>(to)); }
void *operator new[](size_t size, std::align_val_t to) { return allocate(size, static_cast<size_t>(to)); }
void operator delete(void *block) noexcept { free(block); }
void operator delete[](void *block) noexcept { free(block); }
void operator delete(void *block, size_t) noexcept { free(block); }
void operator delete[](void *block, size_t) noexcept { free(block); }
void operator delete(void *block, std::align_val_t) noexcept { free(block); }
void operator delete[](void *block, std::align_val_t) noexcept { free(block); }
void operator delete(void *block, size_t, std::align_val_t) noexcept { free(block); }
void operator delete[](void *block, size_t, std::align_val_t) noexcept { free(block); }

extern "C" [[noreturn]] void __cxa_pure_virtual() {
    static const char text[] = "a pure virtual function was called\n";
    fail(text, sizeof text - 1);
}
