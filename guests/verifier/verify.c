/* The verifier's checks, in order: docs/spec/protocol.md, sections 9 and 13. */
#include "internal.h"

#include <string.h>

const char *verifier_error_text(enum verifier_error error) {
#define VERIFIER_TEXT(name, text) text,
    static const char *const texts[] = {VERIFIER_ERRORS(VERIFIER_TEXT)};
#undef VERIFIER_TEXT
    return (uint64_t)error < VERIFIER_ERROR_COUNT ? texts[error] : "unknown";
}

_Static_assert(sizeof(struct verifier) <= VERIFIER_WORKSPACE, "VERIFIER_WORKSPACE is too small");
size_t verifier_workspace_size(void) { return sizeof(struct verifier); }

/* Checks the program and the claim, which all shards share. */
enum verifier_error check_claim(struct verifier *v, const struct verifier_options *options, uint64_t shards) {
    struct shared *s = &v->shared;
    s->shards = shards;
    memset(s->counts, 0, sizeof s->counts);
    s->messages = s->message_arity = 0;
    s->fractions = 0;
    s->claimed = (extension){{0}};
    TRY(find_fixed_cap(v));
    TRY(check_program(v, options->program_id));
    TRY(check_statement(v));
    s->statement = statement_digest(v);
    return count_messages(v);
}

/* Checks everything after LogUp's challenges, except the balance. */
enum verifier_error check_argument(struct verifier *v) {
    TRY(transcript_rest(v));
    TRY(check_constraints(v));
    TRY(transcript_positions(v));
    group_positions(v);
    TRY(check_trees(v));
    return check_folds(v);
}

static enum verifier_error check_whole(struct verifier *v, struct reader *r, const struct verifier_options *options) {
    TRY(read_machine(v, r, 0));
    TRY(read_instances(v, r));
    TRY(read_statement(v, r));
    TRY(read_main_cap(v, r));
    TRY(read_rest(v, r));
    REQUIRE(r->at == r->end, VERIFIER_FILE_TRAILING);
    TRY(check_claim(v, options, 1));
    TRY(check_instances(v));
    count_instances(v);
    TRY(check_buses(v));
    v->shared.fractions = fractions_of(v);
    REQUIRE(v->shared.messages == 0 || v->claiming > 0, VERIFIER_BUSES);
    REQUIRE(options->any_bits || has_proven_bits(v), VERIFIER_SECURITY);
    TRY(check_lengths(v));
    TRY(transcript_whole(v));
    add_claimed(v, 1);
    TRY(check_balance(v));
    return check_argument(v);
}

enum verifier_error read_shard(struct verifier *v, const struct shard *shard, const struct reader *file) {
    struct reader r = *file;
    r.at = shard->list;
    TRY(read_instances(v, &r));
    TRY(read_main_cap(v, &r));
    r.at = shard->rest;
    TRY(read_rest(v, &r));
    return check_instances(v);
}

enum verifier_error find_shards(struct verifier *v, struct reader *r, struct shard *shards, uint64_t *count) {
    TRY(read_count(r, MAX_SHARDS, 8, count));
    for (uint64_t j = 0; j < *count; j++) {
        shards[j].list = r->at;
        TRY(read_instances(v, r));
        TRY(read_main_cap(v, r));
    }
    for (uint64_t j = 0; j < *count; j++) {
        shards[j].rest = r->at;
        TRY(read_rest(v, r));
    }
    REQUIRE(r->at == r->end, VERIFIER_FILE_TRAILING);
    return VERIFIER_OK;
}

/* Verifies a run in shards: first the checks over all shards, then each shard by itself. */
static enum verifier_error check_shards(struct verifier *v, struct reader *r, const struct verifier_options *options) {
    struct shared *s = &v->shared;
    struct shard shards[MAX_SHARDS];
    uint64_t count, claiming = 0;
    digest branch;
    TRY(read_machine(v, r, 1));
    TRY(read_statement(v, r));
    TRY(read_number(r, &s->salt));
    TRY(find_shards(v, r, shards, &count));
    REQUIRE(count >= 2, VERIFIER_SHARDS);
    TRY(check_claim(v, options, count));
    for (uint64_t j = 0; j < count; j++) {
        TRY(read_shard(v, &shards[j], r));
        count_instances(v);
        s->fractions += fractions_of(v);
        claiming += v->claiming;
    }
    TRY(check_buses(v));
    REQUIRE(s->messages == 0 || claiming > 0, VERIFIER_BUSES);
    for (uint64_t j = 0; j < count; j++) { /* the strength of each depends on the fractions of all */
        TRY(read_shard(v, &shards[j], r));
        REQUIRE(options->any_bits || has_proven_bits(v), VERIFIER_SECURITY);
        TRY(check_lengths(v));
        add_claimed(v, j == count - 1);
        s->commitments[j] = shard_commitment(v);
    }
    TRY(transcript_common(v, commitments_root(s->commitments, count, span_of(count)), &branch));
    TRY(check_balance(v));
    for (uint64_t j = 0; j < count; j++) {
        TRY(read_shard(v, &shards[j], r));
        TRY(check_lengths(v));
        transcript_shard(v, &branch, j);
        TRY(check_argument(v));
    }
    return VERIFIER_OK;
}

enum verifier_error verifier_verify(void *workspace, const uint8_t *file, size_t size,
                                    const struct verifier_options *options, struct verifier_statement *statement) {
    struct verifier *v = workspace;
    struct reader r = {file, file + size, 0, options->words};
    int shards = size >= 8 && memcmp(file, "CHIASHRD", 8) == 0;
    REQUIRE(size <= (shards ? MAX_SET_FILE : MAX_FILE), VERIFIER_FILE_COUNT);
    TRY(shards ? check_shards(v, &r, options) : check_whole(v, &r, options));
    describe(v, statement);
    return VERIFIER_OK;
}
