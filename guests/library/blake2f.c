/* BLAKE2b's compression function with any number of rounds (RFC 7693, 3.2; EIP-152). The accelerator does the
 * twelve rounds of BLAKE2b. */
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <string.h>

static const uint64_t iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                               0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint64_t rotate(uint64_t x, int n) { return x >> n | x << (64 - n); }

static void quarter(uint64_t v[16], int a, int b, int c, int d, uint64_t x, uint64_t y) {
    v[a] += v[b] + x, v[d] = rotate(v[d] ^ v[a], 32);
    v[c] += v[d], v[b] = rotate(v[b] ^ v[c], 24);
    v[a] += v[b] + y, v[d] = rotate(v[d] ^ v[a], 16);
    v[c] += v[d], v[b] = rotate(v[b] ^ v[c], 63);
}

/* end has the last four words of the first state. */
static void compress(uint32_t rounds, uint64_t h[8], const uint64_t m[16], const uint64_t end[4]) {
    uint64_t v[16];
    memcpy(v, h, 64);
    memcpy(v + 8, iv, 32);
    memcpy(v + 12, end, 32);
    for (uint32_t r = 0; r < rounds; r++) {
        const uint8_t *s = sigma[r % 10];
        quarter(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        quarter(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        quarter(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        quarter(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        quarter(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        quarter(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        quarter(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        quarter(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

zkvm_status zkvm_blake2f(uint32_t rounds, zkvm_blake2f_state *h, const zkvm_blake2f_message *m,
                         const zkvm_blake2f_offset *t, uint8_t f) {
    if (f > 1) return ZKVM_EFAIL;
    uint64_t state[8], block[16], offset[2];
    memcpy(state, h->data, sizeof state);
    memcpy(block, m->data, sizeof block);
    memcpy(offset, t->data, sizeof offset);
    uint64_t end[4] = {iv[4] ^ offset[0], iv[5] ^ offset[1], f ? ~iv[6] : iv[6], iv[7]};
    if (rounds == 12) zkvm_blake2b_compress(state, block, end);
    else compress(rounds, state, block, end);
    memcpy(h->data, state, sizeof state);
    return ZKVM_EOK;
}
