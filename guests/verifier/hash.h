/* BLAKE3's compression, and the chains of items, leaves and nodes that protocol 3 builds with it. */
#ifndef VERIFIER_HASH_H
#define VERIFIER_HASH_H

#include "field.h"

#include <stddef.h>

/* 32 bytes, as words of the compression. */
typedef struct { uint32_t words[8] __attribute__((aligned(8))); } digest;

/* A block of 64 bytes; elements are two words, the low one first. It may be part of a file. */
typedef union __attribute__((may_alias)) {
    digest halves[2];
    uint64_t lanes[8];
    uint32_t words[16];
} block;

extern const digest hash_initial;

/* Compresses the block into cv. */
void hash_compress(digest *cv, const block *m, uint64_t counter, uint64_t length, uint64_t flags);

/* Does so with the last words of the first state: the counter, and the length with the flags in its high half. */
#ifdef VERIFIER_GUEST
#include "zkvm_calls.h"

static inline void hash_block(digest *cv, const block *m, const uint64_t end[2]) {
    zkvm_blake3_compress(cv->words, m->words, end);
}
#else
static inline void hash_block(digest *cv, const block *m, const uint64_t end[2]) {
    hash_compress(cv, m, end[0], end[1] & 0xffffffff, end[1] >> 32);
}
#endif

/* A message of a transcript, or a list: two items per block. The last block stays pending, since its flags differ. */
struct chain {
    digest cv;
    block pending;
    uint64_t counter;
    uint64_t every, first, last; /* flags */
    uint64_t items;              /* in pending */
};

void chain_begin(struct chain *c, const digest *cv, uint64_t tag, uint64_t every, uint64_t first, uint64_t last);
void chain_digest(struct chain *c, const digest *item);
void chain_extension(struct chain *c, const extension *item);
void chain_number(struct chain *c, uint64_t item);
void chain_item(struct chain *c, const uint8_t item[32]); /* of a file */
void chain_bytes(struct chain *c, const uint8_t *bytes, size_t size); /* zeros up to a whole item */
void chain_end(struct chain *c); /* cv is the result then */

/* The digest of a list. An empty list's digest is zeros. */
void list_begin(struct chain *c, uint64_t kind);
digest list_end(struct chain *c);

/* The node over two adjacent digests. joins is the digest of the rows of the node's layer, or null. */
void hash_node(digest *node, const block *children, const digest *joins);

int digest_equal(const digest *a, const digest *b);
digest digest_load(const uint8_t bytes[32]);

#endif
