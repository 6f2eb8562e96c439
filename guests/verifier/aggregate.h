/* An aggregator verifies proofs of programs, and its own proofs, and combines their statements. Its design is in
 * prover/aggregate/doc.go. */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "verifier.h"

/* The tasks of an aggregator. */
enum aggregate_role {
    AGGREGATE_STATEMENTS, /* one: a proof; squeeze: an aggregation; batch: several of either */
    AGGREGATE_LIFT,       /* some shards of a run */
    AGGREGATE_JOIN,       /* adjacent lifts or joins */
    AGGREGATE_ROOT,       /* lifts or joins with all shards of a run */
};

/* The kinds of outputs. A part is not a statement. */
enum aggregate_kind { AGGREGATE_RUN = 1, AGGREGATE_BATCH, AGGREGATE_PART };

/* The statement of a run's proof. */
struct aggregate_run {
    uint8_t program_id[32], image[32];
    uint64_t exit, cycles;
    uint8_t input[32], output[32]; /* SHA-256 of the public input and output */
};

/* An aggregator's public output. Its own program id is part of its input: a verifier of a proof of the aggregator
 * compares this id with the id of the proven program. */
struct aggregate_output {
    uint8_t self[32];
    uint64_t kind, runs; /* enum aggregate_kind; the number of runs, 0 for a part */
    union {
        struct aggregate_run run;
        uint8_t root[32]; /* of the tree over the statements of a batch */
        struct verifier_part part;
    };
};

/* Returns the number of bytes of an output of this kind; 0 if there is no such kind. */
size_t aggregate_output_size(uint64_t kind);

/* Does the task of an input. The output is valid only if the result is VERIFIER_OK. */
enum verifier_error aggregate(void *workspace, const uint8_t *input, size_t size, int any_bits,
                              struct aggregate_output *output);

#endif
