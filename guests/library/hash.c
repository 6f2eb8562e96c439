/* Keccak-256 and SHA-256, using the accelerators of Keccak's sponge and of SHA-256's compression. */
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <string.h>

/* A word anywhere in memory, of any type. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word;

/* A block of zeros, which changes nothing before the permutation, and the word after it. */
static const uint64_t zeros[ZKVM_KECCAK_RATE / 8 + 1];

/* Sets words to 0, without a call of memset. */
static inline __attribute__((always_inline)) void clear(uint64_t *words, size_t n) {
#pragma GCC unroll 25
    for (size_t i = 0; i < n; i++) words[i] = 0;
}

/* Writes the last block into zeros: the remaining bytes of a message of len bytes, a one after them, and a one at the
 * block's end. */
static void last_block(uint64_t *block, const uint8_t *rest, size_t bytes, size_t len) {
    size_t words = bytes / 8, n = bytes % 8;
#pragma GCC unroll 4
    for (size_t i = 0; i < words; i++) block[i] = ((const word *)rest)[i];
    uint64_t last = 0;
    if (n > 0 && len >= 8) last = *(const word *)(rest + bytes - 8) >> (64 - 8 * n);
    else for (size_t i = n; i-- > 0;) last = last << 8 | rest[8 * words + i];
    block[words] = last | 1ull << (8 * n);
    block[ZKVM_KECCAK_RATE / 8 - 1] |= 1ull << 63;
}

zkvm_status zkvm_keccak256(const uint8_t *data, size_t len, zkvm_keccak256_hash *output) {
    uint64_t state[25];
    clear(state, 25);
    if (len < ZKVM_KECCAK_RATE) {
        last_block(state, data, len, len);
        zkvm_keccak_absorb(state, zeros);
    } else {
        uint64_t last[sizeof zeros / 8];
        clear(last, sizeof zeros / 8);
        size_t left = len;
        for (; left >= ZKVM_KECCAK_RATE; left -= ZKVM_KECCAK_RATE, data += ZKVM_KECCAK_RATE)
            zkvm_keccak_absorb(state, data);
        last_block(last, data, left, len);
        zkvm_keccak_absorb(state, last);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < sizeof output->data / 8; i++) ((word *)output->data)[i] = state[i];
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
