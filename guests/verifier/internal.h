/* The verifier's workspace: its state in the check of a proof, stage by stage. */
#ifndef VERIFIER_INTERNAL_H
#define VERIFIER_INTERNAL_H

#include "machine.h"
#include "verifier.h"

/* The limits of docs/spec/protocol.md, section 8. */
enum {
    MAX_FILE = 128 << 20,
    MAX_SET_FILE = 1 << 30,
    MAX_NAME = 64,
    MAX_INSTANCES = 256,
    MAX_HEADERS = 8,
    MAX_PUBLIC = 1 << 10,
    MAX_DATA = 1 << 20,
    MAX_CAP = 1 << 10,
    MAX_COLUMNS = 1 << 15,
    MAX_OPENED_CELLS = 1 << 23,
    MAX_LEAVES = 1 << 24, /* words of a tree's leaves: more than its cells with zeros */
    MAX_LAYERS = 32,
    MAX_FINAL = 1 << 10,
    MAX_ROWS = 1 << 10,
    MAX_QUERIES = 1 << 10,
    MAX_DOMAIN = 28, /* log heights plus log blowup */
    MAX_LOG_BLOWUP = 4,
    MAX_SHARDS = 256,
    MAX_BUSES = 64,
    MAX_PUBLIC_BYTES = 1 << 16,
    MAX_ADDRESSES = 4096 + 4096, /* of a table's values: columns, and registers */
    LEVELS = MAX_DOMAIN + 1,
};

enum phase { PHASE_FIXED, PHASE_PROGRAM, PHASE_MAIN, PHASE_AUXILIARY, PHASE_QUOTIENT, PHASES };

#define QUOTIENT_WIDTH 6

/* TRY returns from the function if a step has an error. */
#define TRY(step) \
    do { \
        enum verifier_error try_error = (step); \
        if (try_error != VERIFIER_OK) return try_error; \
    } while (0)
#define REQUIRE(condition, error) \
    do { \
        if (!(condition)) return (error); \
    } while (0)

/* Items of a file. */
struct list {
    const uint8_t *data;
    uint64_t count;
};

struct parameters {
    uint8_t bytes[9];
    uint64_t blowup, queries, grinding, arity, final_length, cap_height, min_height;
};

struct instance {
    uint64_t table, log_height;
};

struct header {
    uint64_t present;
    uint64_t entry;
    const uint8_t *image;
    struct list log_heights, cap;
    const uint8_t *siblings; /* of the cap's root, up to the root at the largest blowup */
};

/* An entry's values at z and at gz: in the file, and their first index in the workspace's values. */
struct opened {
    struct list z, gz;
    uint64_t at;
};

/* A matrix's opened rows. */
struct rows {
    const uint8_t *cells;
    uint64_t count, columns;
};

struct opening {
    struct rows *matrix;
    uint64_t matrices;
    struct list siblings, leaves; /* leaves: of trees of a file in words, cells in the form that is hashed */
};

/* A distinct value of position >> shift, in ascending order of the index, with the number of the first query that has
 * it and the number of its opened row. Rows are in the order of first draws. */
struct group {
    uint64_t index, first, row;
};

struct level {
    uint64_t count;
    struct group group[MAX_QUERIES];
    uint64_t of_query[MAX_QUERIES]; /* the group of a query */
};

/* The parts of a class's DEEP codeword at the opened points. */
struct deep_class {
    uint64_t log_size, present;
    extension at_z, at_gz;  /* sums of coefficient * opened value */
    extension gz;
    extension row_z[MAX_QUERIES], row_gz[MAX_QUERIES]; /* by group: sums of coefficient * cell; then the codeword */
};

struct transcript {
    digest state;
    uint64_t draws; /* since the last message */
};

/* The values that all shards of a run share. */
struct shared {
    const struct machine *machine;
    struct parameters parameters;
    struct header header;
    struct list public_values, data;
    element values[MAX_PUBLIC];
    digest program_id, statement;
    struct list fixed_cap; /* in fixed_nodes */
    digest fixed_nodes[MAX_CAP];
    uint64_t shards;
    uint64_t salt; /* of the common transcript */
    extension alpha, beta;
    extension numerator, denominator; /* of the public messages' total */
    extension claimed;                /* the total of the claimed sums that count */
    uint64_t counts[MAX_BUSES][2];    /* of messages, by bus and direction */
    uint64_t fractions;               /* over all shards */
    uint64_t messages, message_arity; /* public ones */
    digest commitments[MAX_SHARDS];
};

struct verifier {
    struct shared shared;
    uint64_t words; /* whether the file is in words */

    /* One proof, or one shard. */
    struct instance instances[MAX_INSTANCES];
    uint64_t instance_count;
    struct list main_cap, auxiliary_cap, quotient_cap, claimed, final, layer_caps[MAX_LAYERS];
    uint64_t salt, nonce;
    uint64_t layer_cap_count, entries[PHASES], layer_count;
    struct opened opened[PHASES][MAX_INSTANCES];
    struct rows matrices[PHASES][MAX_INSTANCES], layer_rows[MAX_LAYERS];
    struct opening trees[PHASES], layers[MAX_LAYERS];

    /* Derived from the instances. */
    uint64_t classes[LEVELS]; /* log heights, descending */
    uint64_t class_count, largest, claiming;
    uint64_t schedule[MAX_LAYERS];
    uint64_t folds, columns;

    /* Challenges. */
    struct transcript transcript;
    extension gamma, z, betas[MAX_LAYERS];
    extension values_at[2 * MAX_COLUMNS], coefficients[2 * MAX_COLUMNS];
    extension powers[MAX_LAYERS];

    /* Of the tree being checked, in the order in which cells are added up: coefficients, and places of cells in rows. */
    extension row_coefficients[MAX_COLUMNS + 8 * LEVELS], next_coefficients[MAX_COLUMNS + 8 * LEVELS];
    uint64_t next_cells[MAX_COLUMNS];

    /* Of the class whose codeword is evaluated, and for all queries. */
    extension distances[2 * MAX_QUERIES], products_before[2 * MAX_QUERIES];
    extension final_coefficients[MAX_FINAL];

    /* Queries. */
    uint64_t positions[MAX_QUERIES];
    struct level levels[LEVELS];
    struct deep_class deep[LEVELS]; /* by log size */
    digest layer[2 * MAX_QUERIES];
    digest cap[MAX_CAP];

    extension table_values[MAX_ADDRESSES];
};

/* Load numbers of a file, at any alignment. */
static inline uint64_t load64(const uint8_t *at) {
    uint64_t n;
    __builtin_memcpy(&n, at, 8);
    return n;
}

static inline uint32_t load32(const uint8_t *at) {
    uint32_t n;
    __builtin_memcpy(&n, at, 4);
    return n;
}

/* A file being read. */
struct reader {
    const uint8_t *at, *end;
    uint64_t columns; /* of openings so far */
    uint64_t words;      /* whether numbers of 32 bits and bytes fill whole words: see struct verifier_options */
};

#ifdef VERIFIER_LOWERED /* reads only files in words: its accesses to less than a word must be aligned */
static inline int in_words(const struct reader *r) { return (void)r, 1; }
static inline int has_leaves(const struct verifier *v) { return (void)v, 1; }
#else
static inline int in_words(const struct reader *r) { return r->words; }
static inline int has_leaves(const struct verifier *v) { return v->words; }
#endif

static inline size_t whole_words(size_t size) { return (size + 7) / 8 * 8; }

/* read.c: the file. */
enum verifier_error read_machine(struct verifier *v, struct reader *r, int shards);
enum verifier_error read_statement(struct verifier *v, struct reader *r);
enum verifier_error read_instances(struct verifier *v, struct reader *r);
enum verifier_error read_main_cap(struct verifier *v, struct reader *r);
enum verifier_error read_number(struct reader *r, uint64_t *number); /* below p */
enum verifier_error read_count(struct reader *r, uint64_t most, uint64_t size, uint64_t *count);
enum verifier_error read_rest(struct verifier *v, struct reader *r);

/* shape.c: values derived from the instances. */
enum verifier_error check_instances(struct verifier *v);
enum verifier_error check_lengths(struct verifier *v);
const struct table *table_of(const struct verifier *v, uint64_t instance);
uint64_t width_of(const struct table *t, enum phase phase);
uint64_t next_of(const struct table *t, enum phase phase);
/* The number of matrices of a phase's tree, and the log of its cap's size. */
uint64_t matrix_count(const struct verifier *v, enum phase phase);
uint64_t cap_log(const struct verifier *v, enum phase phase);
uint64_t layer_log(const struct verifier *v, uint64_t layer); /* log rows */
void schedule_folds(struct verifier *v);

/* program.c: keys and ids. */
enum verifier_error find_machine(struct verifier *v, const uint8_t *name, uint64_t size, const uint8_t key[32]);
enum verifier_error find_fixed_cap(struct verifier *v);
enum verifier_error check_program(struct verifier *v, const uint8_t *wanted);
digest plan_digest(const struct verifier *v);

/* bits.c: whether a proof has 128 proven bits. Counts of all shards are in shared. */
int has_proven_bits(const struct verifier *v);
uint64_t fractions_of(const struct verifier *v);

/* statement.c: public values and data, and the messages that follow from them. */
enum verifier_error check_statement(struct verifier *v);
digest statement_digest(const struct verifier *v);
enum verifier_error count_messages(struct verifier *v);
enum verifier_error add_messages(struct verifier *v);
void describe(const struct verifier *v, struct verifier_statement *statement);

/* balance.c: buses. */
void count_more(uint64_t *count, uint64_t n, uint64_t log);
void count_instances(struct verifier *v);
enum verifier_error check_buses(const struct verifier *v);
void add_claimed(struct verifier *v, int last);
enum verifier_error check_balance(struct verifier *v);
extension fingerprint(const struct verifier *v, uint64_t bus, const element *values, uint64_t count);

/* transcript.c */
void transcript_begin(struct transcript *t);
void message_begin(struct transcript *t, struct chain *c, uint64_t tag);
void message_end(struct transcript *t, struct chain *c);
digest transcript_draw(struct transcript *t);
enum verifier_error transcript_extension(struct transcript *t, extension *e);
enum verifier_error transcript_whole(struct verifier *v);
digest commitments_root(digest *layer, uint64_t present, uint64_t span);
uint64_t span_of(uint64_t shards);
enum verifier_error transcript_common(struct verifier *v, digest root, digest *branch);
void transcript_shard(struct verifier *v, const digest *branch, uint64_t number);
enum verifier_error transcript_rest(struct verifier *v);
enum verifier_error transcript_positions(struct verifier *v);
digest shard_commitment(const struct verifier *v);

/* verify.c: shared by whole proofs and parts of runs. */
struct shard { /* its places in a file: its list of instances with its main cap, and the rest */
    const uint8_t *list, *rest;
};
enum verifier_error check_claim(struct verifier *v, const struct verifier_options *options, uint64_t shards);
enum verifier_error check_argument(struct verifier *v);
enum verifier_error find_shards(struct verifier *v, struct reader *r, struct shard *shards, uint64_t *count);
enum verifier_error read_shard(struct verifier *v, const struct shard *shard, const struct reader *file);

/* constraints.c */
enum verifier_error check_constraints(struct verifier *v);

/* trees.c and queries.c */
void group_positions(struct verifier *v);
enum verifier_error check_points(struct verifier *v);
enum verifier_error check_trees(struct verifier *v);
enum verifier_error check_folds(struct verifier *v);

#endif
