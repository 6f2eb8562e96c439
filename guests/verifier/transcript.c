/* The transcript of docs/spec/protocol.md, section 14: messages are chains over a state, which draws do not change. */
#include "internal.h"

#include <string.h>

enum {
    TAG_KEY = 1,
    TAG_STATEMENT = 2,
    TAG_SALT = 3,
    TAG_SHARDS = 4,
    TAG_MAIN = 5,
    TAG_AUXILIARY = 6,
    TAG_CLAIMED = 7,
    TAG_QUOTIENT = 8,
    TAG_OPENED = 9,
    TAG_LAYER = 10,
    TAG_FINAL = 11,
    TAG_NONCE = 12,
    TAG_BRANCH = 16,
    TAG_NUMBER = 17,
    TAG_DRAW = 255,
    LIST_SHARD = 6,
};

void transcript_begin(struct transcript *t) { *t = (struct transcript){hash_initial, 0}; }

void message_begin(struct transcript *t, struct chain *c, uint64_t tag) { chain_begin(c, &t->state, tag, 0, 16, 32); }

void message_end(struct transcript *t, struct chain *c) {
    chain_end(c);
    t->state = c->cv;
    t->draws = 0;
}

digest transcript_draw(struct transcript *t) {
    static const block zeros;
    digest drawn = t->state;
    hash_compress(&drawn, &zeros, t->draws++ + ((uint64_t)TAG_DRAW << 32), 0, 64);
    return drawn;
}

/* Draws the first six words, and refuses a coordinate that is not below p. */
enum verifier_error transcript_extension(struct transcript *t, extension *e) {
    digest drawn = transcript_draw(t);
    memcpy(e, &drawn, sizeof *e);
    REQUIRE(e->c[0] < MODULUS && e->c[1] < MODULUS && e->c[2] < MODULUS, VERIFIER_CHALLENGE);
    return VERIFIER_OK;
}

static void absorb_digests(struct transcript *t, uint64_t tag, const digest *a, const digest *b) {
    struct chain c;
    message_begin(t, &c, tag);
    chain_digest(&c, a);
    if (b) chain_digest(&c, b);
    message_end(t, &c);
}

static void absorb_numbers(struct transcript *t, uint64_t tag, const uint64_t *numbers, uint64_t count) {
    struct chain c;
    message_begin(t, &c, tag);
    for (uint64_t i = 0; i < count; i++) chain_number(&c, numbers[i]);
    message_end(t, &c);
}

static void absorb_cap(struct transcript *t, uint64_t tag, const struct list *cap) {
    struct chain c;
    message_begin(t, &c, tag);
    for (uint64_t i = 0; i < cap->count; i++) chain_item(&c, cap->data + 32 * i);
    message_end(t, &c);
}

static extension load_extension(const uint8_t *at) {
    extension e;
    memcpy(&e, at, sizeof e);
    return e;
}

static void absorb_extensions(struct transcript *t, uint64_t tag, const struct list *list) {
    struct chain c;
    message_begin(t, &c, tag);
    for (uint64_t i = 0; i < list->count; i++) {
        extension e = load_extension(list->data + 24 * i);
        chain_extension(&c, &e);
    }
    message_end(t, &c);
}

/* Computes a whole proof's transcript up to LogUp's challenges. */
enum verifier_error transcript_whole(struct verifier *v) {
    struct shared *s = &v->shared;
    struct transcript *t = &v->transcript;
    digest plan = plan_digest(v);
    transcript_begin(t);
    absorb_digests(t, TAG_KEY, &plan, &s->machine->key);
    absorb_digests(t, TAG_STATEMENT, &s->program_id, &s->statement);
    absorb_numbers(t, TAG_SALT, &v->salt, 1);
    absorb_cap(t, TAG_MAIN, &v->main_cap);
    if (v->claiming == 0) return VERIFIER_OK;
    TRY(transcript_extension(t, &s->alpha));
    return transcript_extension(t, &s->beta);
}

/* Computes the root of a tree over commitments in place. Absent leaves, and nodes without a leaf, are zeros. */
digest commitments_root(digest *layer, uint64_t present, uint64_t span) {
    static const digest absent;
    for (uint64_t j = present; j < span; j++) layer[j] = absent;
    for (; span > 1; span /= 2, present = (present + 1) / 2)
        for (uint64_t i = 0; i < span / 2; i++) {
            block children = {.halves = {layer[2 * i], layer[2 * i + 1]}};
            if (2 * i < present) hash_node(&layer[i], &children, NULL);
            else layer[i] = absent;
        }
    return layer[0];
}

/* Returns the number of leaves of the tree over the commitments of a run's shards. */
uint64_t span_of(uint64_t shards) {
    uint64_t span = 1;
    while (span < shards) span *= 2;
    return span;
}

/* Computes the common transcript of shards, over the root of their commitments. */
enum verifier_error transcript_common(struct verifier *v, digest root, digest *branch) {
    struct shared *s = &v->shared;
    struct transcript *t = &v->transcript;
    uint64_t numbers[2] = {s->shards, span_of(s->shards)};
    transcript_begin(t);
    absorb_digests(t, TAG_KEY, &s->machine->key, &s->program_id);
    absorb_digests(t, TAG_STATEMENT, &s->statement, &root);
    absorb_numbers(t, TAG_SHARDS, numbers, 2);
    absorb_numbers(t, TAG_SALT, &s->salt, 1);
    TRY(transcript_extension(t, &s->alpha));
    TRY(transcript_extension(t, &s->beta));
    *branch = transcript_draw(t);
    return VERIFIER_OK;
}

void transcript_shard(struct verifier *v, const digest *branch, uint64_t number) {
    struct transcript *t = &v->transcript;
    uint64_t j = number;
    transcript_begin(t);
    absorb_digests(t, TAG_BRANCH, branch, NULL);
    absorb_numbers(t, TAG_NUMBER, &j, 1);
    absorb_numbers(t, TAG_SALT, &v->salt, 1);
}

/* Absorbs all opened values as one message, and keeps them, aligned, for later checks. */
static uint64_t absorb_opened(struct verifier *v) {
    struct chain c;
    uint64_t at = 0;
    message_begin(&v->transcript, &c, TAG_OPENED);
    for (uint64_t phase = 0; phase < PHASES; phase++)
        for (uint64_t i = 0; i < v->entries[phase]; i++)
            for (uint64_t next = 0; next < 2; next++) {
                const struct list *list = next ? &v->opened[phase][i].gz : &v->opened[phase][i].z;
                for (uint64_t k = 0; k < list->count; k++, at++) {
                    v->values_at[at] = load_extension(list->data + 24 * k);
                    chain_extension(&c, &v->values_at[at]);
                }
            }
    message_end(&v->transcript, &c);
    return at;
}

/* Computes the transcript after the main cap, up to the final coefficients. */
enum verifier_error transcript_rest(struct verifier *v) {
    struct transcript *t = &v->transcript;
    if (v->claiming > 0) {
        absorb_cap(t, TAG_AUXILIARY, &v->auxiliary_cap);
        absorb_extensions(t, TAG_CLAIMED, &v->claimed);
    }
    TRY(transcript_extension(t, &v->gamma));
    absorb_cap(t, TAG_QUOTIENT, &v->quotient_cap);
    TRY(transcript_extension(t, &v->z));
    uint64_t count = absorb_opened(v);
    for (uint64_t i = 0; i < count; i++) TRY(transcript_extension(t, &v->coefficients[i]));
    for (uint64_t i = 0; i < v->folds; i++) {
        absorb_cap(t, TAG_LAYER, &v->layer_caps[i]);
        TRY(transcript_extension(t, &v->betas[i]));
    }
    absorb_extensions(t, TAG_FINAL, &v->final);
    return VERIFIER_OK;
}

/* Absorbs the nonce, and draws the positions, eight per draw. */
enum verifier_error transcript_positions(struct verifier *v) {
    const struct parameters *p = &v->shared.parameters;
    if (p->grinding > 0) {
        absorb_numbers(&v->transcript, TAG_NONCE, &v->nonce, 1);
        REQUIRE((uint64_t)v->transcript.state.words[0] << (64 - p->grinding) == 0, VERIFIER_NONCE);
    }
    digest drawn = {{0}};
    for (uint64_t i = 0; i < p->queries; i++) {
        if (i % 8 == 0) drawn = transcript_draw(&v->transcript);
        v->positions[i] = (uint64_t)drawn.words[i % 8] << (64 - v->largest) >> (64 - v->largest);
    }
    return VERIFIER_OK;
}

/* Returns H_j of a shard: list 6 of its plan digest and its main cap. */
digest shard_commitment(const struct verifier *v) {
    struct chain c;
    digest plan = plan_digest(v);
    list_begin(&c, LIST_SHARD);
    chain_digest(&c, &plan);
    for (uint64_t i = 0; i < v->main_cap.count; i++) chain_item(&c, v->main_cap.data + 32 * i);
    return list_end(&c);
}
