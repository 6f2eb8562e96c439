#include "fiber.h"

#ifndef __x86_64__
#error "softgpu switches stacks by hand and is written for x86-64"
#endif

// Floating-point control words are not saved: kernels use integers only and never change them.
asm(R"(
.text
.globl softgpu_switch
.hidden softgpu_switch
.type softgpu_switch,@function
softgpu_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
.globl softgpu_resume
.hidden softgpu_resume
softgpu_resume:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size softgpu_switch,.-softgpu_switch
.section .note.GNU-stack,"",@progbits
.text
)");
