# The loop of fib.c, five instructions per iteration: the same number of cycles as lambda_vm's fib_iterative programs
# with the same number of iterations.
    .text
    .globl fib_loop
    .type fib_loop, @function
fib_loop:                       # a0: iterations, at least 1; returns F(a0 + 1) mod 2^64
    li t0, 0
    li t1, 1
1:  add t2, t0, t1
    mv t0, t1
    mv t1, t2
    addi a0, a0, -1
    bnez a0, 1b
    mv a0, t1
    ret
    .size fib_loop, . - fib_loop
