// BLAKE3's compression, one per thread: 16 words of state and 16 of message in registers.
//
// The 7 rounds are unrolled, so the permutation of the message words costs nothing. A round is 8 mixings of 14
// instructions: six sums of two words, four exclusive ors and four rotations. With the 8 exclusive ors of the result,
// that is 792 instructions. A multiprocessor has two pipes that take half a warp per cycle in each of its four parts:
// one for multiply-adds, and one for all other integer instructions. The 336 sums run as multiply-adds. The other 456
// instructions need the second pipe, so a multiprocessor computes at most one compression every 7.1 cycles.
#pragma once
#include "goldilocks.cuh"

#define BLAKE3_START 1u
#define BLAKE3_END 2u
#define BLAKE3_PARENT 4u
#define BLAKE3_ROOT 8u

#define BLAKE3_IV0 0x6a09e667u
#define BLAKE3_IV1 0xbb67ae85u
#define BLAKE3_IV2 0x3c6ef372u
#define BLAKE3_IV3 0xa54ff53au
#define BLAKE3_IV4 0x510e527fu
#define BLAKE3_IV5 0x9b05688cu
#define BLAKE3_IV6 0x1f83d9abu
#define BLAKE3_IV7 0x5be0cd19u

// A chaining value. In memory it is a digest: 32 bytes, each word little-endian.
struct Chaining {
    u32 words[8];
};

DEVICE void blake3_iv(u32 (&cv)[8]) {
    cv[0] = BLAKE3_IV0, cv[1] = BLAKE3_IV1, cv[2] = BLAKE3_IV2, cv[3] = BLAKE3_IV3;
    cv[4] = BLAKE3_IV4, cv[5] = BLAKE3_IV5, cv[6] = BLAKE3_IV6, cv[7] = BLAKE3_IV7;
}

// Rotations to the right: by whole bytes with a permutation, otherwise with a funnel shift.
DEVICE u32 rotate_16(u32 x) { return ptx::prmt(x, x, 0x1032); }
DEVICE u32 rotate_8(u32 x) { return ptx::prmt(x, x, 0x0321); }
DEVICE u32 rotate_12(u32 x) { return ptx::shf_r_wrap(x, x, 12); }
DEVICE u32 rotate_7(u32 x) { return ptx::shf_r_wrap(x, x, 7); }

// From plain sums the compiler would make sums of three words, which need the second pipe. It computes c + d as a
// multiply-add anyway, by the constant 1, which is faster than by a register.
DEVICE void blake3_mix(u32 &a, u32 &b, u32 &c, u32 &d, u32 x, u32 y) {
    a = ptx::mad_sum(ptx::mad_sum(a, x), b), d = rotate_16(d ^ a), c = c + d, b = rotate_12(b ^ c);
    a = ptx::mad_sum(ptx::mad_sum(a, y), b), d = rotate_8(d ^ a), c = c + d, b = rotate_7(b ^ c);
}

// A round mixes columns, then diagonals. The indices are those of the round's message words, in order.
#define BLAKE3_ROUND(v, m, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) \
    blake3_mix(v[0], v[4], v[8], v[12], m[i0], m[i1]), blake3_mix(v[1], v[5], v[9], v[13], m[i2], m[i3]), \
    blake3_mix(v[2], v[6], v[10], v[14], m[i4], m[i5]), blake3_mix(v[3], v[7], v[11], v[15], m[i6], m[i7]), \
    blake3_mix(v[0], v[5], v[10], v[15], m[i8], m[i9]), blake3_mix(v[1], v[6], v[11], v[12], m[i10], m[i11]), \
    blake3_mix(v[2], v[7], v[8], v[13], m[i12], m[i13]), blake3_mix(v[3], v[4], v[9], v[14], m[i14], m[i15])

// blake3_compress replaces a chaining value by the first eight words of its compression with a block.
DEVICE_BODY void blake3_compress(u32 (&cv)[8], const u32 (&m)[16], u32 counter_low, u32 counter_high, u32 length,
                                 u32 flags) {
    u32 v[16];
    UNROLL for (int i = 0; i < 8; i++) v[i] = cv[i];
    v[8] = BLAKE3_IV0, v[9] = BLAKE3_IV1, v[10] = BLAKE3_IV2, v[11] = BLAKE3_IV3;
    v[12] = counter_low, v[13] = counter_high, v[14] = length, v[15] = flags;
    BLAKE3_ROUND(v, m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    BLAKE3_ROUND(v, m, 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8);
    BLAKE3_ROUND(v, m, 3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1);
    BLAKE3_ROUND(v, m, 10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6);
    BLAKE3_ROUND(v, m, 12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4);
    BLAKE3_ROUND(v, m, 9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7);
    BLAKE3_ROUND(v, m, 11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13);
    UNROLL for (int i = 0; i < 8; i++) cv[i] = v[i] ^ v[i + 8];
}
