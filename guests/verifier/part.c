/* Verifies the shards of a run in parts. A lift checks some of them under given challenges; joins combine lifts in the
 * order of the run; a root checks all shards together: that the challenges come from the common transcript, and that
 * the claimed sums cancel. */
#include "internal.h"

#include <string.h>

/* Bounds on every single shard, so that a lift does not depend on the others. 256 shards have at most 2^48 fractions,
 * for which the bits are computed, and at most 2^63 messages per bus and direction. With the public messages, these
 * remain below p. */
#define SHARD_FRACTIONS (1ull << 40)
#define SHARD_MESSAGES (1ull << 55)

static enum verifier_error check_shard_bounds(struct verifier *v) {
    struct shared *s = &v->shared;
    memset(s->counts, 0, sizeof s->counts);
    count_instances(v);
    for (uint64_t bus = 0; bus <= s->machine->buses; bus++)
        REQUIRE(s->counts[bus][SEND] <= SHARD_MESSAGES && s->counts[bus][RECEIVE] <= SHARD_MESSAGES, VERIFIER_BUSES);
    REQUIRE(v->claiming > 0, VERIFIER_BUSES);
    REQUIRE(fractions_of(v) <= SHARD_FRACTIONS, VERIFIER_SECURITY);
    s->fractions = MAX_SHARDS * SHARD_FRACTIONS;
    return VERIFIER_OK;
}

/* Checks that a lift's subtree begins at a multiple of its span, and has all of the run's shards in it. */
static enum verifier_error check_place(const struct verifier_place *p, uint64_t count) {
    REQUIRE(p->shards >= 2 && p->shards <= MAX_SHARDS, VERIFIER_SHARDS);
    REQUIRE(p->span >= 1 && p->span <= MAX_SHARDS && (p->span & (p->span - 1)) == 0, VERIFIER_PLACE);
    REQUIRE(p->first < p->shards && p->first % p->span == 0, VERIFIER_PLACE);
    uint64_t left = p->shards - p->first;
    REQUIRE(count == (left < p->span ? left : p->span), VERIFIER_PLACE);
    return VERIFIER_OK;
}

static enum verifier_error load_challenge(extension *e, const uint64_t coordinates[3]) {
    for (int i = 0; i < 3; i++) {
        REQUIRE(coordinates[i] < MODULUS, VERIFIER_CHALLENGE);
        e->c[i] = coordinates[i];
    }
    return VERIFIER_OK;
}

static void store_extension(uint64_t coordinates[3], extension e) { memcpy(coordinates, e.c, sizeof e.c); }

static enum verifier_error lift_shard(struct verifier *v, const struct verifier_options *options,
                                      const struct verifier_place *place, uint64_t number) {
    uint64_t position = place->first + number;
    digest branch = digest_load(place->branch);
    TRY(check_shard_bounds(v));
    REQUIRE(options->any_bits || has_proven_bits(v), VERIFIER_SECURITY);
    TRY(check_lengths(v));
    add_claimed(v, position == place->shards - 1);
    v->shared.commitments[number] = shard_commitment(v);
    transcript_shard(v, &branch, position);
    return check_argument(v);
}

enum verifier_error verifier_lift(void *workspace, const uint8_t *file, size_t size,
                                  const struct verifier_options *options, const struct verifier_place *place,
                                  struct verifier_part *part) {
    struct verifier *v = workspace;
    struct shared *s = &v->shared;
    struct shard shards[MAX_SHARDS];
    struct reader r = {file, file + size, 0, options->words};
    uint64_t count;
    REQUIRE(size <= MAX_SET_FILE, VERIFIER_FILE_COUNT);
    TRY(read_machine(v, &r, 1));
    TRY(read_statement(v, &r));
    TRY(read_number(&r, &s->salt));
    TRY(find_shards(v, &r, shards, &count));
    TRY(check_place(place, count));
    TRY(check_claim(v, options, place->shards));
    TRY(load_challenge(&s->alpha, place->alpha));
    TRY(load_challenge(&s->beta, place->beta));
    for (uint64_t i = 0; i < count; i++) {
        TRY(read_shard(v, &shards[i], &r));
        TRY(lift_shard(v, options, place, i));
    }
    digest node = commitments_root(s->commitments, count, place->span);
    memset(part, 0, sizeof *part);
    memcpy(part->program_id, &s->program_id, 32);
    if (s->header.present) memcpy(part->image, s->header.image, 32);
    memcpy(part->statement, &s->statement, 32);
    memcpy(part->node, &node, 32);
    part->place = *place;
    store_extension(part->sum, s->claimed);
    return VERIFIER_OK;
}

/* Reports whether two parts belong to one run, under the same challenges. */
static int of_one_run(const struct verifier_part *a, const struct verifier_part *b) {
    const struct verifier_place *p = &a->place, *q = &b->place;
    return memcmp(a->program_id, b->program_id, 32) == 0 && memcmp(a->image, b->image, 32) == 0 &&
           memcmp(a->statement, b->statement, 32) == 0 && p->shards == q->shards &&
           memcmp(p->alpha, q->alpha, 24) == 0 && memcmp(p->beta, q->beta, 24) == 0 &&
           memcmp(p->branch, q->branch, 32) == 0;
}

enum verifier_error verifier_join(const struct verifier_part *parts, uint64_t count, uint64_t arity,
                                  struct verifier_part *joined) {
    digest nodes[MAX_SHARDS];
    extension sum = {{0}}, term;
    REQUIRE(arity <= MAX_SHARDS && (arity & (arity - 1)) == 0 && count >= 1 && count <= arity, VERIFIER_PLACE);
    const struct verifier_place *place = &parts[0].place;
    uint64_t span = place->span * arity;
    for (uint64_t i = 0; i < count; i++) {
        const struct verifier_part *p = &parts[i];
        REQUIRE(of_one_run(p, &parts[0]), VERIFIER_PARTS);
        REQUIRE(p->place.span == place->span && p->place.first == place->first + i * place->span, VERIFIER_PLACE);
        TRY(load_challenge(&term, p->sum));
        sum = extension_add(sum, term);
        nodes[i] = digest_load(p->node);
    }
    /* Children are missing only beyond the run's last shard. */
    REQUIRE(span <= MAX_SHARDS && place->first % span == 0, VERIFIER_PLACE);
    REQUIRE(count == arity || place->first + count * place->span >= place->shards, VERIFIER_PLACE);
    digest node = commitments_root(nodes, count, arity);
    *joined = parts[0];
    joined->place.span = span;
    memcpy(joined->node, &node, 32);
    store_extension(joined->sum, sum);
    return VERIFIER_OK;
}

enum verifier_error verifier_root(void *workspace, const uint8_t *file, size_t size,
                                  const struct verifier_options *options, const struct verifier_part *part,
                                  struct verifier_statement *statement) {
    struct verifier *v = workspace;
    struct shared *s = &v->shared;
    const struct verifier_place *place = &part->place;
    struct reader r = {file, file + size, 0, options->words};
    uint64_t count;
    extension alpha, beta;
    digest branch;
    REQUIRE(size <= MAX_SET_FILE, VERIFIER_FILE_COUNT);
    REQUIRE(place->shards >= 2 && place->shards <= MAX_SHARDS, VERIFIER_SHARDS);
    REQUIRE(place->first == 0 && place->span == span_of(place->shards), VERIFIER_PLACE);
    TRY(read_machine(v, &r, 1));
    TRY(read_statement(v, &r));
    TRY(read_number(&r, &s->salt));
    TRY(read_count(&r, 0, 8, &count));
    REQUIRE(r.at == r.end, VERIFIER_FILE_TRAILING);
    TRY(check_claim(v, options, place->shards));
    REQUIRE(memcmp(&s->program_id, part->program_id, 32) == 0, VERIFIER_PARTS);
    REQUIRE(memcmp(&s->statement, part->statement, 32) == 0, VERIFIER_PARTS);
    TRY(load_challenge(&alpha, place->alpha));
    TRY(load_challenge(&beta, place->beta));
    TRY(transcript_common(v, digest_load(part->node), &branch));
    REQUIRE(extension_equal(alpha, s->alpha) && extension_equal(beta, s->beta), VERIFIER_COMMON);
    REQUIRE(memcmp(&branch, place->branch, 32) == 0, VERIFIER_COMMON);
    TRY(load_challenge(&s->claimed, part->sum));
    TRY(check_balance(v));
    describe(v, statement);
    return VERIFIER_OK;
}
