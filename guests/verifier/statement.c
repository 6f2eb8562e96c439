/* Public values and data of the machines: their checks, their digests in the statement's digest, and the messages that
 * the verifier adds to the buses (docs/spec/protocol.md, sections 2, 12 and 14). */
#include "internal.h"

#include <string.h>

#define MAX_CYCLES ((1ull << 32) - (1 << 10))
#define OUTPUT_TIME (1ull << 34)
#define PUBLIC_INPUT_WORD (0xa0000000u / 8)
#define PUBLIC_OUTPUT_WORD (0xb0000000u / 8)
enum { BUS_STATE = 1, BUS_MEMORY = 4, BUS_END = 11, BUS_MISALIGNED = 12 };
enum { TOUR_WALKER = 1, TOUR_CHOICE = 2, TOUR_MIX = 5, TOUR_CHOICES = 4096 };

/* The parts of rv64im's public data. */
struct run {
    struct list input, output, times;
};

/* Returns the number of words of a region: its length, then its bytes with zeros up to a whole word. */
static uint64_t region_words(const struct list *bytes) { return 1 + (bytes->count + 7) / 8; }

static uint64_t region_word(const struct list *bytes, uint64_t number) {
    if (number == 0) return bytes->count;
    uint64_t at = 8 * (number - 1), left = bytes->count - at;
    uint64_t word = 0;
    memcpy(&word, bytes->data + at, left < 8 ? left : 8);
    return word;
}

static enum verifier_error cut(struct list *left, struct list *part) {
    REQUIRE(left->count >= 8, VERIFIER_PUBLIC);
    uint64_t size = load64(left->data);
    REQUIRE(size <= MAX_PUBLIC_BYTES && size <= left->count - 8, VERIFIER_PUBLIC);
    *part = (struct list){left->data + 8, (uint64_t)size};
    *left = (struct list){left->data + 8 + size, left->count - 8 - (uint64_t)size};
    return VERIFIER_OK;
}

static enum verifier_error read_run(const struct shared *s, struct run *run) {
    const element *values = s->values;
    struct list left = s->data;
    REQUIRE(values[0] >> 32 == 0 && values[1] >> 32 == 0 && values[2] >= 1 && values[2] <= MAX_CYCLES &&
                values[3] <= values[2],
            VERIFIER_PUBLIC);
    TRY(cut(&left, &run->input));
    TRY(cut(&left, &run->output));
    REQUIRE(left.count == 8ull * region_words(&run->output), VERIFIER_PUBLIC);
    run->times = (struct list){left.data, left.count / 8};
    for (uint64_t i = 0; i < run->times.count; i++)
        REQUIRE(load64(run->times.data + 8 * i) < OUTPUT_TIME, VERIFIER_PUBLIC);
    return VERIFIER_OK;
}

enum verifier_error check_statement(struct verifier *v) {
    const struct shared *s = &v->shared;
    const struct machine *m = s->machine;
    struct run run;
    REQUIRE(s->public_values.count == m->publics && (m->has_data || s->data.count == 0), VERIFIER_PUBLIC);
    switch (m->rules) {
    case RULES_FIB: return VERIFIER_OK;
    case RULES_KECCAK:
        for (uint64_t i = 0; i < 16; i++) REQUIRE(s->values[i] >> 16 == 0, VERIFIER_PUBLIC);
        REQUIRE(s->values[16] >> 40 == 0, VERIFIER_PUBLIC);
        return VERIFIER_OK;
    case RULES_TOUR:
        REQUIRE(s->data.count <= TOUR_CHOICES, VERIFIER_PUBLIC);
        for (uint64_t i = 0; i < s->data.count; i++) REQUIRE(s->data.data[i] < 3, VERIFIER_PUBLIC);
        return VERIFIER_OK;
    case RULES_RV64IM: return read_run(s, &run);
    }
    return VERIFIER_PUBLIC;
}

static digest region_list(uint64_t kind, const struct list *bytes) {
    struct chain c;
    list_begin(&c, kind);
    for (uint64_t i = 0; i < region_words(bytes); i++) {
        uint64_t word = region_word(bytes, i);
        chain_number(&c, low_bits(word, 32));
        chain_number(&c, word >> 32);
    }
    return list_end(&c);
}

/* Returns S: list 7 of the public values, the number of shards, and numbers and digests of the public data. */
digest statement_digest(const struct verifier *v) {
    const struct shared *s = &v->shared;
    struct chain c, list;
    list_begin(&c, 7);
    for (uint64_t i = 0; i < s->public_values.count; i++) chain_number(&c, s->values[i]);
    chain_number(&c, s->shards);
    if (s->machine->rules == RULES_TOUR) {
        chain_number(&c, s->data.count);
        list_begin(&list, 12);
        for (uint64_t i = 0; i < s->data.count; i++) chain_number(&list, s->data.data[i]);
        digest choices = list_end(&list);
        chain_digest(&c, &choices);
    }
    struct run run;
    if (s->machine->rules == RULES_RV64IM && read_run(s, &run) == VERIFIER_OK) {
        chain_number(&c, region_words(&run.input));
        chain_number(&c, region_words(&run.output));
        digest input = region_list(12, &run.input), output = region_list(13, &run.output);
        list_begin(&list, 14);
        for (uint64_t i = 0; i < run.times.count; i++) chain_number(&list, load64(run.times.data + 8 * i));
        digest times = list_end(&list);
        chain_digest(&c, &input);
        chain_digest(&c, &output);
        chain_digest(&c, &times);
    }
    return list_end(&c);
}

/* A public message, which is counted, or whose fraction is added. */
struct message {
    uint64_t bus, direction, count, multiplicity;
    element values[4];
};

typedef enum verifier_error (*visit)(struct verifier *v, const struct message *message);

static enum verifier_error count_message(struct verifier *v, const struct message *m) {
    struct shared *s = &v->shared;
    s->messages++;
    if (m->count > s->message_arity) s->message_arity = m->count;
    s->counts[m->bus][m->direction] += m->multiplicity;
    return VERIFIER_OK;
}

static enum verifier_error add_message(struct verifier *v, const struct message *m) {
    struct shared *s = &v->shared;
    extension d = fingerprint(v, m->bus, m->values, m->count), term = s->denominator;
    REQUIRE(!extension_is_zero(d), VERIFIER_SUMS);
    if (m->multiplicity != 1) term = extension_scale(term, m->multiplicity);
    s->numerator = extension_multiply(s->numerator, d);
    s->numerator = m->direction == SEND ? extension_add(s->numerator, term) : extension_subtract(s->numerator, term);
    s->denominator = extension_multiply(s->denominator, d);
    return VERIFIER_OK;
}

/* Takes the word's only token and gives it back. */
static enum verifier_error exchange(struct verifier *v, visit each, uint64_t word, uint64_t before, uint64_t after,
                                    uint64_t was, uint64_t is) {
    struct message taken = {BUS_MEMORY, RECEIVE, 4, 1, {word, before, low_bits(was, 32), was >> 32}};
    struct message given = {BUS_MEMORY, SEND, 4, 1, {word, after, low_bits(is, 32), is >> 32}};
    TRY(each(v, &taken));
    return each(v, &given);
}

static enum verifier_error run_messages(struct verifier *v, visit each) {
    const struct shared *s = &v->shared;
    struct run run;
    TRY(read_run(s, &run));
    struct message begin = {BUS_STATE, SEND, 2, 1, {s->header.entry % MODULUS, 4}};
    struct message end = {BUS_END, RECEIVE, 3, 1, {4 * s->values[2], s->values[0], s->values[1]}};
    struct message misaligned = {BUS_MISALIGNED, RECEIVE, 1, s->values[3], {0}};
    TRY(each(v, &begin));
    TRY(each(v, &end));
    TRY(each(v, &misaligned));
    for (uint64_t i = 0; i < region_words(&run.input); i++)
        TRY(exchange(v, each, PUBLIC_INPUT_WORD + i, 0, 1, 0, region_word(&run.input, i)));
    for (uint64_t i = 0; i < region_words(&run.output); i++) {
        uint64_t word = region_word(&run.output, i);
        TRY(exchange(v, each, PUBLIC_OUTPUT_WORD + i, load64(run.times.data + 8 * i), OUTPUT_TIME, word, word));
    }
    return VERIFIER_OK;
}

static enum verifier_error tour_messages(struct verifier *v, visit each) {
    const struct shared *s = &v->shared;
    uint64_t steps = s->data.count;
    struct message begin = {TOUR_WALKER, SEND, 3, 1, {s->header.entry % MODULUS, 0, 0}};
    struct message end = {TOUR_WALKER, RECEIVE, 3, 1, {s->values[0], steps, s->values[1]}};
    struct message mix = {TOUR_MIX, SEND, 3, steps + 1, {1, 2, 3}};
    TRY(each(v, &begin));
    TRY(each(v, &end));
    TRY(each(v, &mix));
    for (uint64_t i = 0; i < steps; i++) {
        struct message choice = {TOUR_CHOICE, SEND, 2, 1, {i, s->data.data[i]}};
        TRY(each(v, &choice));
    }
    return VERIFIER_OK;
}

static enum verifier_error visit_messages(struct verifier *v, visit each) {
    switch (v->shared.machine->rules) {
    case RULES_RV64IM: return run_messages(v, each);
    case RULES_TOUR: return tour_messages(v, each);
    default: return VERIFIER_OK;
    }
}

enum verifier_error count_messages(struct verifier *v) { return visit_messages(v, count_message); }

enum verifier_error add_messages(struct verifier *v) {
    v->shared.numerator = extension_of(0);
    v->shared.denominator = extension_of(1);
    return visit_messages(v, add_message);
}

void describe(const struct verifier *v, struct verifier_statement *statement) {
    const struct shared *s = &v->shared;
    struct run run;
    memset(statement, 0, sizeof *statement);
    statement->machine = s->machine->name;
    memcpy(statement->program_id, &s->program_id, 32);
    if (s->header.present) memcpy(statement->image, s->header.image, 32);
    statement->value_count = s->public_values.count;
    for (uint64_t i = 0; i < statement->value_count; i++) statement->values[i] = s->values[i];
    statement->shards = s->shards;
    if (s->machine->rules == RULES_RV64IM && read_run(s, &run) == VERIFIER_OK) {
        statement->input = run.input.data, statement->input_size = run.input.count;
        statement->output = run.output.data, statement->output_size = run.output.count;
    }
}
