/* Functions of the machine for guests. read_input and write_output are those of eth-act/zkvm-standards
 * (io-interface); the others are specific to this machine. */
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

/* The private input: known only to the prover, and not part of the statement. Nothing is copied, the pointer stays
 * valid, and every call returns the same. */
void read_input(const uint8_t **buf_ptr, size_t *buf_size);

/* The public input: part of the statement, at most 64 KiB. It is used like read_input. */
void read_public_input(const uint8_t **buf_ptr, size_t *buf_size);

/* Appends to the public output, which is part of the statement and has at most 64 KiB in all: a program with more
 * output writes its hash. Exceeding the limit ends the program with exit code ZKVM_EXIT_OUTPUT. */
void write_output(const uint8_t *output, size_t size);

/* Ends the program. Only code 0 is success. Returning from main is equivalent to zkvm_exit(main()). */
ZKVM_NORETURN void zkvm_exit(int code);

/* Exit codes that the library itself uses. */
enum {
    ZKVM_EXIT_ABORT = 134,  /* abort(), a failed assertion */
    ZKVM_EXIT_INPUT = 135,  /* the input's length is invalid */
    ZKVM_EXIT_OUTPUT = 136, /* more than 64 KiB of output */
};

#ifdef __cplusplus
}
#endif

#endif
