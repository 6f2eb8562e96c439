#include "hash.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files and blocks are little-endian");

const digest hash_initial = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                              0x5be0cd19}};

#ifdef VERIFIER_GUEST
void hash_compress(digest *cv, const block *m, uint64_t counter, uint64_t length, uint64_t flags) {
    uint64_t end[2] = {counter, length + (flags << 32)};
    hash_block(cv, m, end);
}
#else
static inline uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static inline void mix(uint32_t *s, int a, int b, int c, int d, uint32_t x, uint32_t y) {
    s[a] += s[b] + x, s[d] = rotate(s[d] ^ s[a], 16);
    s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 12);
    s[a] += s[b] + y, s[d] = rotate(s[d] ^ s[a], 8);
    s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 7);
}

void hash_compress(digest *cv, const block *m, uint64_t counter, uint64_t length, uint64_t flags) {
    static const uint8_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
    uint32_t s[16], words[16], next[16];
    memcpy(s, cv->words, 32);
    memcpy(s + 8, hash_initial.words, 16);
    s[12] = (uint32_t)counter, s[13] = (uint32_t)(counter >> 32), s[14] = (uint32_t)length, s[15] = (uint32_t)flags;
    memcpy(words, m->words, 64);
    for (int round = 0; round < 7; round++) {
        for (int i = 0; i < 4; i++) mix(s, i, 4 + i, 8 + i, 12 + i, words[2 * i], words[2 * i + 1]);
        for (int i = 0; i < 4; i++)
            mix(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, words[8 + 2 * i], words[9 + 2 * i]);
        for (int i = 0; i < 16; i++) next[i] = words[permutation[i]];
        memcpy(words, next, 64);
    }
    for (int i = 0; i < 8; i++) cv->words[i] = s[i] ^ s[i + 8];
}
#endif

void chain_begin(struct chain *c, const digest *cv, uint64_t tag, uint64_t every, uint64_t first, uint64_t last) {
    c->cv = *cv;
    c->counter = tag << 32;
    c->every = every, c->first = first, c->last = last;
    c->items = 0;
}

/* Compresses the pending block, with the first block's flags if it is the first one. */
static void chain_flush(struct chain *c, uint64_t last) {
    hash_compress(&c->cv, &c->pending, c->counter++, 32 * c->items, c->every + c->first + last);
    c->first = 0;
    c->items = 0;
}

/* Returns the place of the next item. */
static digest *chain_next(struct chain *c) {
    if (c->items == 2) chain_flush(c, 0);
    return &c->pending.halves[c->items++];
}

void chain_digest(struct chain *c, const digest *item) { *chain_next(c) = *item; }

void chain_extension(struct chain *c, const extension *item) {
    uint64_t *lanes = &c->pending.lanes[4 * (chain_next(c) - c->pending.halves)];
    lanes[0] = item->c[0], lanes[1] = item->c[1], lanes[2] = item->c[2], lanes[3] = 0;
}

void chain_number(struct chain *c, uint64_t item) {
    extension e = extension_of(item);
    chain_extension(c, &e);
}

void chain_item(struct chain *c, const uint8_t item[32]) { memcpy(chain_next(c), item, 32); }

void chain_bytes(struct chain *c, const uint8_t *bytes, size_t size) {
    for (; size >= 32; bytes += 32, size -= 32) chain_item(c, bytes);
    if (size == 0) return;
    uint8_t padded[32] = {0};
    memcpy(padded, bytes, size);
    chain_item(c, padded);
}

void chain_end(struct chain *c) {
    if (c->items == 1) memset(&c->pending.halves[1], 0, 32);
    chain_flush(c, c->last);
}

void list_begin(struct chain *c, uint64_t kind) { chain_begin(c, &hash_initial, kind, 128, 1, 2); }

digest list_end(struct chain *c) {
    if (c->items == 0) return (digest){{0}};
    chain_end(c);
    return c->cv;
}

void hash_node(digest *node, const block *children, const digest *joins) {
    static const uint64_t inner[2] = {0, 64 | 4ull << 32}, joined[2] = {0, 32 | (4ull + 8) << 32};
    *node = hash_initial;
    hash_block(node, children, inner);
    if (joins) {
        block rows = {.halves = {*joins}};
        hash_block(node, &rows, joined);
    }
}

int digest_equal(const digest *a, const digest *b) { return memcmp(a, b, sizeof *a) == 0; }

digest digest_load(const uint8_t bytes[32]) {
    digest d;
    memcpy(&d, bytes, 32);
    return d;
}
