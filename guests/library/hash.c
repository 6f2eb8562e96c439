/* Keccak-256 and SHA-256, using the accelerators of their permutation and compression. */
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <string.h>

#define KECCAK_RATE 136

zkvm_status zkvm_keccak256(const uint8_t *data, size_t len, zkvm_keccak256_hash *output) {
    uint64_t state[25] = {0};
    uint64_t block[KECCAK_RATE / 8];
    size_t left = len;
    for (int last = 0; !last; data += KECCAK_RATE) {
        size_t n = left < KECCAK_RATE ? left : KECCAK_RATE;
        memcpy(block, data, n);
        if (n < KECCAK_RATE) {
            memset((uint8_t *)block + n, 0, KECCAK_RATE - n);
            ((uint8_t *)block)[n] ^= 0x01;
            ((uint8_t *)block)[KECCAK_RATE - 1] ^= 0x80;
            last = 1;
        }
        left -= n;
        for (int i = 0; i < KECCAK_RATE / 8; i++) state[i] ^= block[i];
        zkvm_keccak_f(state);
    }
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
