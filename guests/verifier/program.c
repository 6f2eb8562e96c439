/* The machine and the program of a proof: keys, fixed caps and ids. */
#include "internal.h"

#include <string.h>

static int is_named(const struct machine *m, const uint8_t *name, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (m->name[i] == 0 || (uint8_t)m->name[i] != name[i]) return 0;
    return m->name[size] == 0;
}

enum verifier_error find_machine(struct verifier *v, const uint8_t *name, uint64_t size, const uint8_t key[32]) {
    for (const struct machine *const *m = verifier_machines; *m; m++) {
        if (!is_named(*m, name, size)) continue;
        REQUIRE(memcmp(&(*m)->key, key, 32) == 0, VERIFIER_MACHINE);
        v->shared.machine = *m;
        return VERIFIER_OK;
    }
    return VERIFIER_MACHINE;
}

/* Replaces 2^log nodes by the 2^end nodes over them. */
static void climb_nodes(digest *nodes, uint64_t log, uint64_t end) {
    for (; log > end; log--)
        for (uint64_t i = 0; i < 1ull << (log - 1); i++) {
            block children = {.halves = {nodes[2 * i], nodes[2 * i + 1]}};
            hash_node(&nodes[i], &children, NULL);
        }
}

/* Computes the fixed cap at the parameters' blowup and cap height from the nodes of the key's cap. */
enum verifier_error find_fixed_cap(struct verifier *v) {
    struct shared *s = &v->shared;
    const struct parameters *p = &s->parameters;
    s->fixed_cap = (struct list){0};
    if (!s->machine->fixed_caps) return VERIFIER_OK;
    REQUIRE(p->cap_height <= KEY_CAP_HEIGHT, VERIFIER_FIXED_CAP);
    memcpy(s->fixed_nodes, s->machine->fixed_caps + ((p->blowup - 1) << KEY_CAP_HEIGHT), 32 << KEY_CAP_HEIGHT);
    climb_nodes(s->fixed_nodes, KEY_CAP_HEIGHT, p->cap_height);
    s->fixed_cap = (struct list){(const uint8_t *)s->fixed_nodes, 1ull << p->cap_height};
    return VERIFIER_OK;
}

/* Computes the root of the program tree at the largest blowup from the header's cap: a tree at one blowup is the left
 * part of the tree at the next. The cap must be the layer that the parameters determine. */
static enum verifier_error program_root(struct verifier *v, digest *root) {
    const struct header *h = &v->shared.header;
    const struct parameters *p = &v->shared.parameters;
    uint64_t log = p->cap_height;
    for (uint64_t i = 0; i < h->log_heights.count; i++)
        if (h->log_heights.data[i] + p->blowup < log) log = h->log_heights.data[i] + p->blowup;
    REQUIRE(h->cap.count == 1ull << log, VERIFIER_PROGRAM);
    memcpy(v->cap, h->cap.data, 32 * (size_t)h->cap.count);
    climb_nodes(v->cap, log, 0);
    *root = v->cap[0];
    for (uint64_t i = 0; i < MAX_LOG_BLOWUP - p->blowup; i++) {
        block children = {.halves = {*root, digest_load(h->siblings + 32 * i)}};
        hash_node(root, &children, NULL);
    }
    return VERIFIER_OK;
}

/* Computes the program id, the header's hash, and compares it with the wanted one. */
enum verifier_error check_program(struct verifier *v, const uint8_t *wanted) {
    struct shared *s = &v->shared;
    const struct header *h = &s->header;
    struct chain c;
    memset(&s->program_id, 0, sizeof s->program_id);
    REQUIRE(h->present == (s->machine->programs > 0), VERIFIER_PROGRAM);
    if (h->present) {
        uint8_t text[8 + MAX_HEADERS];
        digest root;
        REQUIRE(h->log_heights.count == s->machine->programs, VERIFIER_PROGRAM);
        TRY(program_root(v, &root));
        memcpy(text, &h->entry, 8);
        memcpy(text + 8, h->log_heights.data, h->log_heights.count);
        list_begin(&c, 15);
        chain_bytes(&c, text, 8 + h->log_heights.count);
        digest header = list_end(&c);
        list_begin(&c, 4);
        chain_digest(&c, &s->machine->key);
        chain_digest(&c, &header);
        chain_item(&c, h->image);
        chain_digest(&c, &root);
        s->program_id = list_end(&c);
    }
    if (wanted) REQUIRE(memcmp(&s->program_id, wanted, 32) == 0, VERIFIER_PROGRAM);
    return VERIFIER_OK;
}

/* Hashes the parameters, then the list of instances, as bytes. */
digest plan_digest(const struct verifier *v) {
    uint8_t list[3 * MAX_INSTANCES];
    struct chain c;
    for (uint64_t i = 0; i < v->instance_count; i++) {
        list[3 * i] = (uint8_t)v->instances[i].table;
        list[3 * i + 1] = (uint8_t)(v->instances[i].table >> 8);
        list[3 * i + 2] = v->instances[i].log_height;
    }
    list_begin(&c, 5);
    chain_bytes(&c, v->shared.parameters.bytes, sizeof v->shared.parameters.bytes);
    chain_bytes(&c, list, 3 * v->instance_count);
    return list_end(&c);
}
