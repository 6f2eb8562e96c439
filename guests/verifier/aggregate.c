#include "aggregate.h"

#include "internal.h"

#include "zkvm_accelerators.h"

#include <string.h>

enum { LIST_BATCH = 9, LIST_RUN = 10, MAX_CHILDREN = 256, PREFIX = 48 };

_Static_assert(sizeof(struct aggregate_run) == 144 && sizeof(struct verifier_part) == 256 &&
                   offsetof(struct aggregate_output, run) == PREFIX,
               "outputs have no padding");

size_t aggregate_output_size(uint64_t kind) {
    switch (kind) {
    case AGGREGATE_RUN: return PREFIX + sizeof(struct aggregate_run);
    case AGGREGATE_BATCH: return PREFIX + 32;
    case AGGREGATE_PART: return PREFIX + sizeof(struct verifier_part);
    default: return 0;
    }
}

/* The options of a task, and the rest of its input. */
struct task {
    void *workspace;
    struct verifier_options options;
    uint8_t self[32];
    const uint8_t *at, *end;
};

static enum verifier_error take(struct task *t, void *to, size_t size) {
    REQUIRE(size <= (size_t)(t->end - t->at), VERIFIER_INPUT);
    memcpy(to, t->at, size);
    t->at += size;
    return VERIFIER_OK;
}

/* Takes a file in words: its length in bytes, then the words. */
static enum verifier_error take_file(struct task *t, const uint8_t **file, size_t *size) {
    uint64_t length;
    TRY(take(t, &length, 8));
    REQUIRE(length % 8 == 0 && length <= (size_t)(t->end - t->at), VERIFIER_INPUT);
    *file = t->at, *size = (size_t)length;
    t->at += length;
    return VERIFIER_OK;
}

static void hash_bytes(uint8_t to[32], const uint8_t *bytes, size_t size) {
    zkvm_sha256_hash hash;
    zkvm_sha256(bytes, size, &hash);
    memcpy(to, hash.data, 32);
}

static uint64_t exit_code(const struct verifier_statement *s) { return s->values[0] + (s->values[1] << 32); }

static void state_run(struct aggregate_output *output, const struct verifier_statement *s) {
    output->kind = AGGREGATE_RUN, output->runs = 1;
    memcpy(output->run.program_id, s->program_id, 32);
    memcpy(output->run.image, s->image, 32);
    output->run.exit = exit_code(s), output->run.cycles = s->values[2];
    hash_bytes(output->run.input, s->input, s->input_size);
    hash_bytes(output->run.output, s->output, s->output_size);
}

/* Takes the statement of a proof of the aggregator itself. The output must name the aggregator's own id. */
static enum verifier_error unwrap(const struct task *t, const struct verifier_statement *s,
                                  struct aggregate_output *output) {
    REQUIRE(exit_code(s) == 0, VERIFIER_CHILD_EXIT);
    REQUIRE(s->output_size >= PREFIX, VERIFIER_CHILD_OUTPUT);
    memcpy(output, s->output, PREFIX);
    REQUIRE(memcmp(output->self, t->self, 32) == 0, VERIFIER_CHILD_SELF);
    size_t size = aggregate_output_size(output->kind);
    REQUIRE(size != 0 && size == s->output_size, VERIFIER_CHILD_OUTPUT);
    memcpy(output, s->output, size);
    return VERIFIER_OK;
}

/* Verifies a child. A proof of the aggregator states its output; any other proof states a run of its program. */
static enum verifier_error take_child(struct task *t, struct aggregate_output *child) {
    const uint8_t *file;
    size_t size;
    struct verifier_statement s;
    TRY(take_file(t, &file, &size));
    TRY(verifier_verify(t->workspace, file, size, &t->options, &s));
    if (memcmp(s.program_id, t->self, 32) == 0) return unwrap(t, &s, child);
    state_run(child, &s);
    return VERIFIER_OK;
}

/* Returns the leaf or node of a child in a batch's tree. */
static digest statement_of(const struct aggregate_output *child) {
    struct chain c;
    if (child->kind == AGGREGATE_BATCH) return digest_load(child->root);
    list_begin(&c, LIST_RUN);
    chain_bytes(&c, (const uint8_t *)&child->run, sizeof child->run);
    return list_end(&c);
}

/* Does the tasks one, squeeze and batch. The statement of a single child does not change. */
static enum verifier_error state_children(struct task *t, uint64_t children, struct aggregate_output *output) {
    struct chain c;
    struct aggregate_output child;
    uint64_t runs = 0;
    list_begin(&c, LIST_BATCH);
    for (uint64_t i = 0; i < children; i++) {
        TRY(take_child(t, &child));
        REQUIRE(child.kind != AGGREGATE_PART, VERIFIER_ROLE);
        if (children == 1) {
            *output = child;
            return VERIFIER_OK;
        }
        digest leaf = statement_of(&child);
        chain_digest(&c, &leaf);
        runs += child.runs;
    }
    digest root = list_end(&c);
    output->kind = AGGREGATE_BATCH, output->runs = runs;
    memcpy(output->root, &root, 32);
    return VERIFIER_OK;
}

static enum verifier_error lift(struct task *t, struct aggregate_output *output) {
    struct verifier_place place;
    const uint8_t *file;
    size_t size;
    TRY(take(t, &place, sizeof place));
    TRY(take_file(t, &file, &size));
    output->kind = AGGREGATE_PART, output->runs = 0;
    return verifier_lift(t->workspace, file, size, &t->options, &place, &output->part);
}

static enum verifier_error join(struct task *t, uint64_t children, struct aggregate_output *output) {
    static struct verifier_part parts[MAX_CHILDREN];
    struct aggregate_output child;
    uint64_t arity;
    TRY(take(t, &arity, sizeof arity));
    for (uint64_t i = 0; i < children; i++) {
        TRY(take_child(t, &child));
        REQUIRE(child.kind == AGGREGATE_PART, VERIFIER_ROLE);
        parts[i] = child.part;
    }
    output->kind = AGGREGATE_PART, output->runs = 0;
    return verifier_join(parts, children, arity, &output->part);
}

static enum verifier_error root(struct task *t, uint64_t children, struct aggregate_output *output) {
    const uint8_t *file;
    size_t size;
    struct verifier_statement s;
    struct aggregate_output all;
    TRY(join(t, children, &all));
    TRY(take_file(t, &file, &size));
    TRY(verifier_root(t->workspace, file, size, &t->options, &all.part, &s));
    state_run(output, &s);
    return VERIFIER_OK;
}

enum verifier_error aggregate(void *workspace, const uint8_t *input, size_t size, int any_bits,
                              struct aggregate_output *output) {
    struct task t = {workspace, {NULL, any_bits, 1}, {0}, input, input + size};
    uint64_t head[3];
    TRY(take(&t, t.self, 32));
    TRY(take(&t, head, sizeof head));
    uint64_t role = head[0], children = head[1];
#ifdef VERIFIER_GUEST
    row_calls_spared = head[2];
#endif
    REQUIRE(role == AGGREGATE_LIFT ? children == 0 : children >= 1 && children <= MAX_CHILDREN, VERIFIER_INPUT);
    switch (role) {
    case AGGREGATE_STATEMENTS: TRY(state_children(&t, children, output)); break;
    case AGGREGATE_LIFT: TRY(lift(&t, output)); break;
    case AGGREGATE_JOIN: TRY(join(&t, children, output)); break;
    case AGGREGATE_ROOT: TRY(root(&t, children, output)); break;
    default: return VERIFIER_INPUT;
    }
    REQUIRE(t.at == t.end, VERIFIER_INPUT);
    memcpy(output->self, t.self, 32);
    return VERIFIER_OK;
}
