/* Keccak-256 and SHA-256, using the accelerators of their permutation and compression. */
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <string.h>

#define KECCAK_RATE 136

/* A word anywhere in memory, of any type. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word;

/* Adds n whole words of a message to the state. */
static void absorb(uint64_t state[25], const uint8_t *data, size_t n) {
#pragma GCC unroll 17
    for (size_t i = 0; i < n; i++) state[i] ^= ((const word *)data)[i];
}

zkvm_status zkvm_keccak256(const uint8_t *data, size_t len, zkvm_keccak256_hash *output) {
    uint64_t state[25] = {0};
    for (; len >= KECCAK_RATE; len -= KECCAK_RATE, data += KECCAK_RATE) {
        absorb(state, data, KECCAK_RATE / 8);
        zkvm_keccak_f(state);
    }
    /* The last block: the remaining bytes, a one after them, and a one at the block's end. */
    uint64_t last = 0;
    memcpy(&last, data + len / 8 * 8, len % 8);
    ((uint8_t *)&last)[len % 8] = 0x01;
    absorb(state, data, len / 8);
    state[len / 8] ^= last;
    state[KECCAK_RATE / 8 - 1] ^= 1ull << 63;
    zkvm_keccak_f(state);
    memcpy(output->data, state, sizeof output->data);
    return ZKVM_EOK;
}

static uint32_t big_endian(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

static void compress_bytes(uint32_t state[8], const uint8_t *bytes) {
    uint32_t block[16] __attribute__((aligned(8)));
    for (int i = 0; i < 16; i++) block[i] = big_endian(bytes + 4 * i);
    zkvm_sha256_compress(state, block);
}

zkvm_status zkvm_sha256(const uint8_t *data, size_t len, zkvm_sha256_hash *output) {
    uint32_t state[8] __attribute__((aligned(8))) = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t left = len;
    for (; left >= 64; left -= 64, data += 64) compress_bytes(state, data);
    uint8_t tail[128] = {0};
    memcpy(tail, data, left);
    tail[left] = 0x80;
    size_t size = left < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++) tail[size - 1 - i] = (uint8_t)((uint64_t)len * 8 >> (8 * i));
    compress_bytes(state, tail);
    if (size == 128) compress_bytes(state, tail + 64);
    for (int i = 0; i < 32; i++) output->data[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    return ZKVM_EOK;
}
