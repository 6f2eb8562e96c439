/* The aggregator as a guest: the private input has the task (prover/aggregate/doc.go), the public output is struct
 * aggregate_output. If an input is refused, the exit code is the verdict's number. */
#include "aggregate.h"
#include "machine.h"

#include "zkvm.h"
#include "zkvm_calls.h"

#include <string.h>

extern const struct machine machine_rv64im;
const struct machine *const verifier_machines[] = {&machine_rv64im, NULL};

#ifdef VERIFIER_ANY_BITS /* for tests, whose proofs are small */
#define ANY_BITS 1
#else
#define ANY_BITS 0
#endif

/* In place of a heap. Zeros cost nothing until they are used. */
static uint8_t workspace[VERIFIER_WORKSPACE] __attribute__((aligned(VERIFIER_ALIGNMENT)));

int main(void) {
    const uint8_t *input;
    size_t size;
    static struct aggregate_output output;
    if (verifier_workspace_size() > sizeof workspace) return ZKVM_EXIT_ABORT;
    read_input(&input, &size);
    enum verifier_error error = aggregate(workspace, input, size, ANY_BITS, &output);
    if (error != VERIFIER_OK) {
        const char *text = verifier_error_text(error);
        zkvm_note(text, strlen(text));
        return (int)error;
    }
    write_output((const uint8_t *)&output, aggregate_output_size(output.kind));
    return 0;
}
