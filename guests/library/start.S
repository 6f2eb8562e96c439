# The first instructions of a guest. The ELF has initialized memory, zeros included; registers are 0.
    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la tp, __tls_base
    li sp, 0x80000000
    call zkvm_main
    j zkvm_exit
    .size _start, . - _start

# zkvm_exit(code): only the low 32 bits of the code count.
    .text
    .globl zkvm_exit
    .type zkvm_exit, @function
    .globl _exit
    .type _exit, @function
zkvm_exit:
_exit:
    slli a0, a0, 32
    srli a0, a0, 32
    li a7, 93
    ecall
    .size zkvm_exit, . - zkvm_exit
    .size _exit, . - _exit
