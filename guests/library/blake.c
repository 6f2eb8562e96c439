/* BLAKE2b and BLAKE3, using the accelerators of their compression functions. */
#include "zkvm_blake.h"
#include "zkvm_calls.h"

#include <string.h>

static const uint64_t blake2b_iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                       0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

void zkvm_blake2b(const uint8_t *data, size_t len, uint8_t output[64]) {
    uint64_t h[8], block[16], end[4];
    memcpy(h, blake2b_iv, sizeof h);
    h[0] ^= 0x01010040; /* 64 bytes of output, no key */
    size_t done = 0;
    do {
        size_t n = len - done < 128 ? len - done : 128;
        memset(block, 0, sizeof block);
        memcpy(block, data + done, n);
        done += n;
        memcpy(end, blake2b_iv + 4, sizeof end);
        end[0] ^= done;
        if (done == len) end[2] = ~end[2];
        zkvm_blake2b_compress(h, block, end);
    } while (done < len);
    memcpy(output, h, sizeof h);
}

enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8, CHUNK = 1024 };

static const uint32_t blake3_iv[8] __attribute__((aligned(8))) = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static void blake3_block(uint32_t cv[8], const uint8_t *data, uint32_t n, uint64_t counter, uint32_t flags) {
    uint32_t block[16] __attribute__((aligned(8))) = {0};
    uint64_t end[2] = {counter, n | (uint64_t)flags << 32};
    memcpy(block, data, n);
    zkvm_blake3_compress(cv, block, end);
}

/* The chaining value of a chunk of at most CHUNK bytes. */
static void blake3_chunk(uint32_t cv[8], const uint8_t *data, size_t len, uint64_t counter, uint32_t flags) {
    uint32_t start = CHUNK_START;
    memcpy(cv, blake3_iv, sizeof blake3_iv);
    for (; len > 64; data += 64, len -= 64, start = 0) blake3_block(cv, data, 64, counter, start);
    blake3_block(cv, data, (uint32_t)len, counter, start | CHUNK_END | flags);
}

/* The node over two chaining values, which replaces the first. */
static void blake3_parent(uint32_t left[8], const uint32_t right[8], uint32_t flags) {
    uint8_t children[64];
    memcpy(children, left, 32);
    memcpy(children + 32, right, 32);
    memcpy(left, blake3_iv, sizeof blake3_iv);
    blake3_block(left, children, 64, 0, PARENT | flags);
}

void zkvm_blake3(const uint8_t *data, size_t len, uint8_t output[32]) {
    uint32_t stack[55][8] __attribute__((aligned(8))); /* of subtrees of different sizes */
    size_t depth = 0;
    uint64_t chunks = 0;
    for (; len > CHUNK; data += CHUNK, len -= CHUNK) {
        blake3_chunk(stack[depth++], data, CHUNK, chunks++, 0);
        for (uint64_t n = chunks; n % 2 == 0; n /= 2, depth--) blake3_parent(stack[depth - 2], stack[depth - 1], 0);
    }
    blake3_chunk(stack[depth], data, len, chunks, depth == 0 ? ROOT : 0);
    depth++;
    for (; depth > 1; depth--) blake3_parent(stack[depth - 2], stack[depth - 1], depth == 2 ? ROOT : 0);
    memcpy(output, stack[0], 32);
}
