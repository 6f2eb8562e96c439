/* Verification of proofs inside of programs: a proof of a program's run then also proves that it accepted them.
 * guests/cc links the verifier if a source names this file. docs/guide/aggregation.md has an example. */
#ifndef ZKVM_VERIFY_H
#define ZKVM_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The statement of an accepted proof about the run of a program. Pointers point into the proof. */
typedef struct {
    uint8_t program_id[32]; /* as prover program-id prints it */
    uint64_t exit, cycles;
    const uint8_t *input, *output; /* public */
    size_t input_size, output_size;
} zkvm_verified;

/* Verifies a proof that a program of this machine ran, whole or in shards, with at least 128 proven bits. Returns 0 and
 * sets stated, or returns the number of the check that refuses the proof. If program_id is null, any program is
 * accepted: compare the stated id. Any exit code is accepted: compare the stated code, too. */
int zkvm_verify(const uint8_t *proof, size_t size, const uint8_t program_id[32], zkvm_verified *stated);

/* Returns a text that explains a check's refusal. */
const char *zkvm_verify_text(int check);

#ifdef __cplusplus
}
#endif

#endif
