/* The verifier as a library for programs: zkvm_verify.h. */
#include "machine.h"
#include "verifier.h"

#include "zkvm_verify.h"

#include <stdlib.h>
#include <string.h>

extern const struct machine machine_rv64im;
const struct machine *const verifier_machines[] = {&machine_rv64im, NULL};

#ifdef VERIFIER_ANY_BITS /* for tests, whose proofs are small */
#define ANY_BITS 1
#else
#define ANY_BITS 0
#endif

/* Zeros cost nothing until they are used. */
static uint8_t workspace[VERIFIER_WORKSPACE] __attribute__((aligned(VERIFIER_ALIGNMENT)));

int zkvm_verify(const uint8_t *proof, size_t size, const uint8_t program_id[32], zkvm_verified *stated) {
    struct verifier_statement s;
    struct verifier_options options = {program_id, ANY_BITS, 0};
    if (verifier_workspace_size() > sizeof workspace) abort();
    enum verifier_error error = verifier_verify(workspace, proof, size, &options, &s);
    if (error != VERIFIER_OK) return (int)error;
    memset(stated, 0, sizeof *stated);
    memcpy(stated->program_id, s.program_id, sizeof s.program_id);
    stated->exit = s.values[0] | s.values[1] << 32;
    stated->cycles = s.values[2];
    stated->input = s.input, stated->input_size = s.input_size;
    stated->output = s.output, stated->output_size = s.output_size;
    return 0;
}

const char *zkvm_verify_text(int check) { return verifier_error_text((enum verifier_error)check); }
