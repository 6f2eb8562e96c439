/* The verifier as a guest: the private input is a proof of rv64im, whole or in shards. If it proves 128 bits and is
 * accepted, the program ends with 0 and its public output is the proof's statement, in 144 bytes:
 *
 *	program id (32)  image digest (32)  exit code (8)  cycles (8)  SHA-256 of the input (32)  and of the output (32)
 *
 * A verifier of a proof of this run compares these. If a proof is refused, the exit code is the verdict's number. */
#include "machine.h"
#include "verifier.h"

#include "zkvm.h"
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <string.h>

extern const struct machine machine_rv64im;
const struct machine *const verifier_machines[] = {&machine_rv64im, NULL};

#ifdef VERIFIER_ANY_BITS /* for tests, whose proofs are small */
#define ANY_BITS 1
#else
#define ANY_BITS 0
#endif

static void write_number(uint64_t number) { write_output((const uint8_t *)&number, sizeof number); }

static void write_digest(const uint8_t *data, size_t size) {
    zkvm_sha256_hash hash;
    zkvm_sha256(data, size, &hash);
    write_output(hash.data, sizeof hash.data);
}

/* In place of a heap. Zeros cost nothing until they are used. */
static uint8_t workspace[VERIFIER_WORKSPACE] __attribute__((aligned(VERIFIER_ALIGNMENT)));

int main(void) {
    const uint8_t *file;
    size_t size;
    struct verifier_statement s;
    struct verifier_options options = {NULL, ANY_BITS, 0};
    if (verifier_workspace_size() > sizeof workspace) return ZKVM_EXIT_ABORT;
    read_input(&file, &size);
    enum verifier_error error = verifier_verify(workspace, file, size, &options, &s);
    if (error != VERIFIER_OK) {
        const char *text = verifier_error_text(error);
        zkvm_note(text, strlen(text));
        return (int)error;
    }
    write_output(s.program_id, sizeof s.program_id);
    write_output(s.image, sizeof s.image);
    write_number(s.values[0] | s.values[1] << 32);
    write_number(s.values[2]);
    write_digest(s.input, s.input_size);
    write_digest(s.output, s.output_size);
    return 0;
}
