/* A verifier of protocol 3 (docs/spec/protocol.md, section 14) in freestanding C: whole proofs and runs in shards. It
 * allocates nothing: the caller gives the file and a workspace. It runs natively and as a guest of the machine itself,
 * where a proof of its run proves that it accepted another proof. */
#ifndef VERIFIER_H
#define VERIFIER_H

#include <stddef.h>
#include <stdint.h>

/* The verifier's verdicts. Every error names the check that failed. */
#define VERIFIER_ERRORS(X) \
    X(VERIFIER_OK, "accepted") \
    X(VERIFIER_FILE_ENDS, "file: it ends early") \
    X(VERIFIER_FILE_MAGIC, "file: it is no proof") \
    X(VERIFIER_FILE_VERSION, "file: another version than 3") \
    X(VERIFIER_FILE_COUNT, "file: a count is beyond its limit") \
    X(VERIFIER_FILE_ELEMENT, "file: a number is not below p") \
    X(VERIFIER_FILE_TRAILING, "file: bytes follow its end, or in words that of a part") \
    X(VERIFIER_MACHINE, "machine: unknown, or with another key") \
    X(VERIFIER_PARAMETERS, "parameters: out of range") \
    X(VERIFIER_FIXED_CAP, "parameters: no fixed cap is known at this cap height") \
    X(VERIFIER_PROGRAM, "program: another header or id than wanted") \
    X(VERIFIER_INSTANCES, "instances: a table is missing, too often there, out of order or of a wrong height") \
    X(VERIFIER_SIZE, "instances: more columns or opened cells than a proof may have") \
    X(VERIFIER_PUBLIC, "public values: no run states them") \
    X(VERIFIER_SECURITY, "security: fewer than 128 proven bits") \
    X(VERIFIER_BUSES, "bus bounds: multiplicities could wrap around p") \
    X(VERIFIER_SHAPE, "shape: a part has another size than follows from the instances") \
    X(VERIFIER_SHARDS, "shards: fewer than 2 or more than 256") \
    X(VERIFIER_CHALLENGE, "challenges: a coordinate is not below p") \
    X(VERIFIER_SUMS, "claimed sums: they do not cancel") \
    X(VERIFIER_ROWS, "challenges: z is in the first or the last row") \
    X(VERIFIER_QUOTIENT, "constraints: at z they are not the quotient's") \
    X(VERIFIER_NONCE, "grinding nonce: too few zero bits") \
    X(VERIFIER_POINTS, "challenges: z is the point of a query") \
    X(VERIFIER_OPENING, "Merkle opening: rows and siblings do not lead to the cap") \
    X(VERIFIER_LAYER, "FRI opening: rows and siblings do not lead to the layer's cap") \
    X(VERIFIER_FOLD, "FRI fold: a layer does not hold the value before it") \
    X(VERIFIER_FINAL, "FRI fold: the final polynomial has another value") \
    X(VERIFIER_PLACE, "shards: a part is missing, twice there or elsewhere in the run") \
    X(VERIFIER_PARTS, "shards: the parts are of different runs or have different challenges") \
    X(VERIFIER_COMMON, "shards: their challenges are not those of the common transcript") \
    X(VERIFIER_INPUT, "input: no role, too many children, or a length that the input does not have") \
    X(VERIFIER_CHILD_EXIT, "child: an aggregation that ended with another exit code than 0") \
    X(VERIFIER_CHILD_SELF, "child: it names another program id than that of the aggregator") \
    X(VERIFIER_CHILD_OUTPUT, "child: its output is that of no role") \
    X(VERIFIER_ROLE, "role: it takes no child of this kind")

#define VERIFIER_ENUM(name, text) name,
enum verifier_error { VERIFIER_ERRORS(VERIFIER_ENUM) VERIFIER_ERROR_COUNT };
#undef VERIFIER_ENUM

/* Returns an error's text, which is constant. */
const char *verifier_error_text(enum verifier_error error);

/* A caller's options. */
struct verifier_options {
    const uint8_t *program_id; /* 32 bytes; null accepts any program, and the caller compares the statement's id */
    int any_bits;              /* not 0 accepts proofs of any strength: only for tests */
    /* Not 0: the file is in words, aligned to 8. Its numbers of 32 bits have 64, and zeros follow bytes up to a multiple
     * of 8. Of a tree's opened rows, the file has the leaves: by height, the rows of all matrices with zeros up to whole
     * blocks. */
    int words;
};

/* The statement of an accepted proof. Pointers point into the file. */
struct verifier_statement {
    const char *machine;
    uint8_t program_id[32]; /* zeros without a program */
    uint8_t image[32];      /* digest of the program's image; zeros without a program */
    uint64_t values[32];    /* public values, of rv64im the exit code's halves, cycles, misaligned accesses */
    uint64_t value_count;
    uint64_t shards;        /* 1 for a whole proof */
    const uint8_t *input, *output; /* of rv64im */
    size_t input_size, output_size;
};

/* The place of a lift's shards in their run, and the challenges that all shards share. A lift states nothing until a
 * root has verified that these are the common transcript's challenges. */
struct verifier_place {
    uint64_t shards, first, span; /* of the run; number of the first shard; leaves of the lift's subtree */
    uint64_t alpha[3], beta[3];
    uint8_t branch[32];
};

/* The statement of a lift on its shards, or of a join of adjacent parts. */
struct verifier_part {
    uint8_t program_id[32], image[32], statement[32];
    uint8_t node[32]; /* of the tree over the commitments of all shards */
    struct verifier_place place;
    uint64_t sum[3]; /* of the claimed sums that count */
};

/* The least size of a workspace, and its alignment. */
size_t verifier_workspace_size(void);
#define VERIFIER_ALIGNMENT 16
#define VERIFIER_WORKSPACE (8 << 20) /* enough, for callers that need a constant */

/* Verifies a file. The statement is valid only if the result is VERIFIER_OK. */
enum verifier_error verifier_verify(void *workspace, const uint8_t *file, size_t size,
                                    const struct verifier_options *options, struct verifier_statement *statement);

/* Verifies some shards of a run. The file is that of a run in shards, with only these shards. */
enum verifier_error verifier_lift(void *workspace, const uint8_t *file, size_t size,
                                  const struct verifier_options *options, const struct verifier_place *place,
                                  struct verifier_part *part);

/* Joins adjacent parts, which have equally many leaves, under a node of an arity: a power of two, up to 256. There are
 * fewer parts than the arity only at the end of the run. */
enum verifier_error verifier_join(const struct verifier_part *parts, uint64_t count, uint64_t arity,
                                  struct verifier_part *joined);

/* Verifies the common part of a run's shards, given a part with all of them. The file is that of a run in shards,
 * without any shards. */
enum verifier_error verifier_root(void *workspace, const uint8_t *file, size_t size,
                                  const struct verifier_options *options, const struct verifier_part *part,
                                  struct verifier_statement *statement);

#endif
