/* Proofs inside of programs: what a program accepts here, a proof of its run proves too. guests/cc links the verifier
 * where a source names this file. docs/guide/aggregation.md has an example. */
#ifndef ZKVM_VERIFY_H
#define ZKVM_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an accepted proof states about the run of a program. Pointers lead into the proof. */
typedef struct {
    uint8_t program_id[32]; /* as prover program-id prints it */
    uint64_t exit, cycles;
    const uint8_t *input, *output; /* public */
    size_t input_size, output_size;
} zkvm_verified;

/* Verifies a proof that a program of this machine ran: a whole one, or one in shards, with at least 128 proven bits. It
 * returns 0 and fills what is stated, or the number of the check that refuses the proof. A program id of null takes any
 * program: compare the one that is stated. Whatever the exit code is, the proof is accepted: compare that, too. */
int zkvm_verify(const uint8_t *proof, size_t size, const uint8_t program_id[32], zkvm_verified *stated);

/* What a check refuses, in words. */
const char *zkvm_verify_text(int check);

#ifdef __cplusplus
}
#endif

#endif
