/* What a guest can ask of the machine. read_input and write_output are those of eth-act/zkvm-standards
 * (io-interface); the rest is this machine's own. */
#ifndef ZKVM_H
#define ZKVM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ZKVM_NORETURN [[noreturn]]
extern "C" {
#else
#define ZKVM_NORETURN _Noreturn
#endif

/* The private input: known to the prover alone, no part of what is proven. The pointer stays valid, nothing is
 * copied, every call gives the same. */
void read_input(const uint8_t **buf_ptr, size_t *buf_size);

/* The public input: part of what is proven, at most 64 KiB. Used as read_input is. */
void read_public_input(const uint8_t **buf_ptr, size_t *buf_size);

/* Appends to the public output, which is part of what is proven and has at most 64 KiB in all: a program that has more
 * to say writes its hash. More ends the program with exit code ZKVM_EXIT_OUTPUT. */
void write_output(const uint8_t *output, size_t size);

/* Ends the program. Only a run that ends with 0 counts: returning from main is zkvm_exit(main()). */
ZKVM_NORETURN void zkvm_exit(int code);

/* Exit codes that the library itself uses. */
enum {
    ZKVM_EXIT_ABORT = 134,  /* abort(), a failed assertion */
    ZKVM_EXIT_INPUT = 135,  /* the input's length cannot be true */
    ZKVM_EXIT_OUTPUT = 136, /* more than 64 KiB of output */
};

#ifdef __cplusplus
}
#endif

#endif
