/* A machine's declarations, as guests/verifier/generate writes them: the data of tables and buses that a verifier
 * needs, and each table's constraints as a program for an accumulator. */
#ifndef VERIFIER_MACHINE_H
#define VERIFIER_MACHINE_H

#include "hash.h"

enum { PREPROCESSED_NONE, PREPROCESSED_FIXED, PREPROCESSED_PROGRAM };
enum { SEND, RECEIVE };

/* The rules of a machine that are not in tables (docs/spec/protocol.md, section 2). */
enum rules { RULES_FIB, RULES_KECCAK, RULES_TOUR, RULES_RV64IM };

/* A word of a program is an operation and an operand: op * 4096 + operand. The operand is an address in the table's
 * values: columns, selectors and registers, or the number of a constant. */
enum operation {
    OP_LOAD,             /* acc = v */
    OP_STORE,            /* v = acc */
    OP_ADD,              /* acc = acc + v */
    OP_SUBTRACT,         /* acc = acc - v */
    OP_SUBTRACT_FROM,    /* acc = v - acc */
    OP_MULTIPLY,         /* acc = acc * v */
    OP_CONSTANT,         /* acc = k */
    OP_ADD_CONSTANT,     /* acc = acc + k */
    OP_SUBTRACT_FROM_CONSTANT, /* acc = k - acc */
    OP_SCALE,            /* acc = k * acc */
    OP_DOUBLE_ADD,       /* acc = 2 acc + v */
    OP_VALUE,            /* fingerprint = (fingerprint + v) * beta */
    OP_VALUE_CONSTANT,   /* fingerprint = (fingerprint + k) * beta */
    OP_SEND,             /* a fraction acc / (alpha + bus + fingerprint) joins the batch */
    OP_RECEIVE,          /* the same with -acc */
    OP_SPECIAL,          /* the operand is one of enum special */
};

/* A bit in an operand of OP_SEND and OP_RECEIVE, besides the bus: the multiplicity is 1 instead of acc. */
#define MULTIPLICITY_ONE 2048

enum special {
    SPECIAL_END,
    SPECIAL_ASSERT, /* acc is a constraint */
    SPECIAL_VALUE,  /* fingerprint = (fingerprint + acc) * beta */
    SPECIAL_BATCH,  /* the batch is a constraint; the one before follows */
    SPECIAL_DOUBLE, /* acc = 2 acc */
    SPECIAL_SQUARE, /* acc = acc * acc */
};

struct periodic {
    uint64_t log_period;
    const element *coefficients;
};

/* The maximum number of messages on a bus that a row of a table sends or receives. */
struct bound {
    uint64_t bus, direction;
    uint64_t most;
};

/* Values of a table, by address: main columns, those at the next row, preprocessed columns, those at the next row,
 * three selectors, public values, periodic columns, registers. */
struct table {
    const char *name;
    uint64_t min_log, max_log, min_instances, max_instances, kind, counts_once, degree;
    uint64_t main, next_main, preprocessed, next_preprocessed, periodic, registers;
    uint64_t constraints, batches, interactions, arity, bounds;
    const uint64_t *next_main_columns, *next_preprocessed_columns;
    const struct periodic *periodics;
    const struct bound *bound;
    const uint64_t *program; /* four words in one, the first in the lowest bits */
    const element *constants;
};

#define KEY_CAP_HEIGHT 6 /* of the fixed caps that a machine's key has */

struct machine {
    const char *name;
    enum rules rules;
    digest key;
    const digest *fixed_caps; /* 2^6 nodes for each of log blowup 1 to 4; null without fixed columns */
    uint64_t tables, publics, programs, has_data;
    uint64_t buses;
    const uint64_t *arities; /* by bus */
    const struct table *table;
};

/* The linked machines, then a null. */
extern const struct machine *const verifier_machines[];

#endif
