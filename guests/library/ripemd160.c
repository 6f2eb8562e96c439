/* RIPEMD-160 (Dobbertin, Bosselaers, Preneel, 1996), in software: two lines of 80 steps over the same block. */
#include "zkvm_accelerators.h"

#include <string.h>

/* The words that the steps of each line use, and their rotations. */
static const uint8_t left_word[80] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8,
    3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2,
    4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13};
static const uint8_t right_word[80] = {
    5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2,
    15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14,
    12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11};
static const uint8_t left_turn[80] = {
    11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12,
    11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12,
    9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6};
static const uint8_t right_turn[80] = {
    8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11,
    9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8,
    8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11};
static const uint32_t left_add[5] = {0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e};
static const uint32_t right_add[5] = {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0};

static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

/* The function of a round. The right line has the functions in the opposite order. */
static uint32_t mix(int round, uint32_t x, uint32_t y, uint32_t z) {
    switch (round) {
    case 0: return x ^ y ^ z;
    case 1: return (x & y) | (~x & z);
    case 2: return (x | ~y) ^ z;
    case 3: return (x & z) | (y & ~z);
    default: return x ^ (y | ~z);
    }
}

static void line(uint32_t v[5], const uint32_t block[16], const uint8_t *word, const uint8_t *turn, const uint32_t *add,
                 int first, int direction) {
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4];
    for (int round = 0; round < 5; round++)
        for (int i = 16 * round; i < 16 * round + 16; i++) {
            uint32_t t = a + mix(first + direction * round, b, c, d) + block[word[i]] + add[round];
            t = rotate(t, turn[i]) + e;
            a = e, e = d, d = rotate(c, 10), c = b, b = t;
        }
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e;
}

static void compress(uint32_t h[5], const uint8_t *bytes) {
    uint32_t block[16], left[5], right[5];
    memcpy(block, bytes, sizeof block);
    memcpy(left, h, sizeof left);
    memcpy(right, h, sizeof right);
    line(left, block, left_word, left_turn, left_add, 0, 1);
    line(right, block, right_word, right_turn, right_add, 4, -1);
    uint32_t t = h[1] + left[2] + right[3];
    h[1] = h[2] + left[3] + right[4];
    h[2] = h[3] + left[4] + right[0];
    h[3] = h[4] + left[0] + right[1];
    h[4] = h[0] + left[1] + right[2];
    h[0] = t;
}

zkvm_status zkvm_ripemd160(const uint8_t *data, size_t len, zkvm_ripemd160_hash *output) {
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    size_t left = len;
    for (; left >= 64; left -= 64, data += 64) compress(h, data);
    uint8_t tail[128] = {0};
    if (left) memcpy(tail, data, left);
    tail[left] = 0x80;
    size_t size = left < 56 ? 64 : 128;
    uint64_t bits = (uint64_t)len * 8;
    memcpy(tail + size - 8, &bits, sizeof bits);
    compress(h, tail);
    if (size == 128) compress(h, tail + 64);
    memset(output->data, 0, 12);
    memcpy(output->data + 12, h, sizeof h);
    return ZKVM_EOK;
}
