// A coroutine: a stack of its own and the address at which it stopped. x86-64, System V calling convention.
#pragma once
#include <cstdint>

namespace softgpu {

constexpr uint64_t STACK_BYTES = 64 << 10, GUARD_BYTES = 4096;

extern "C" {
// softgpu_switch saves the callee-saved registers on the current stack, stores its pointer and continues on another
// stack.
void softgpu_switch(void **save, void *load);
// softgpu_resume is only the second half: a fault handler sends a thread there whose stack is abandoned.
void softgpu_resume();
}

// prepare initializes a fresh stack whose first switch enters `entry`. The stack's top is a multiple of 16.
inline void *prepare(void *top, void (*entry)()) {
    void **sp = static_cast<void **>(top);
    *--sp = nullptr;  // the entry's return address: it never returns
    *--sp = reinterpret_cast<void *>(entry);
    for (int i = 0; i < 6; i++) *--sp = nullptr;  // rbp rbx r12 r13 r14 r15
    return sp;
}

}  // namespace softgpu
