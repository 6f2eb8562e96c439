/* An aggregator: verifies other proofs, and its own, and states what they state. The design is in
 * prover/aggregate/doc.go. */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "verifier.h"

/* What an aggregator is asked to do. */
enum aggregate_role {
    AGGREGATE_STATEMENTS, /* one: of one proof; squeeze: of one aggregation; batch: of several of either */
    AGGREGATE_LIFT,       /* some shards of a run */
    AGGREGATE_JOIN,       /* adjacent lifts or joins */
    AGGREGATE_ROOT,       /* lifts or joins that are all shards of a run */
};

/* What an output states. A part is no statement. */
enum aggregate_kind { AGGREGATE_RUN = 1, AGGREGATE_BATCH, AGGREGATE_PART };

/* What a run's proof states. */
struct aggregate_run {
    uint8_t program_id[32], image[32];
    uint64_t exit, cycles;
    uint8_t input[32], output[32]; /* SHA-256 of the public input and output */
};

/* An aggregator's public output. Its own program id is what it was told: a verifier of a proof of the aggregator
 * compares the id with that of the program that the proof is of. */
struct aggregate_output {
    uint8_t self[32];
    uint64_t kind, runs; /* enum aggregate_kind; the number of runs, 0 of a part */
    union {
        struct aggregate_run run;
        uint8_t root[32]; /* of the tree over the statements of a batch */
        struct verifier_part part;
    };
};

/* The number of bytes that an output of this kind has; 0 if there is no such kind. */
size_t aggregate_output_size(uint64_t kind);

/* Does what an input asks. The output is filled where the result is VERIFIER_OK. */
enum verifier_error aggregate(void *workspace, const uint8_t *input, size_t size, int any_bits,
                              struct aggregate_output *output);

#endif
