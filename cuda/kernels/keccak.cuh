// Keccak-f[1600] and the sponge of Keccak-256 (padding 0x01), one state per thread.
//
// The 24 rounds are a loop: unrolled, they would not fit the instruction cache. Within a round everything is
// unrolled, so that the 25 lanes stay in registers.
#pragma once
#include "goldilocks.cuh"

#define KECCAK_RATE_LANES 17

// Round constants, from the specification's linear feedback shift register (Keccak reference, section 1.2).
CONSTANT u64 keccak_round_constants[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull,
    0x000000000000808bull, 0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull,
    0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
    0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull,
    0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

// rotate rotates a lane left, with two funnel shifts of its halves.
template <u32 BY> DEVICE u64 rotate(u64 x) {
    u32 lo = low(x), hi = high(x);
    if (BY % 64 == 0) return x;
    if (BY % 64 >= 32) {
        u32 swap = lo;
        lo = hi, hi = swap;
    }
    return BY % 32 == 0 ? pack(lo, hi) : pack(ptx::shf_l_wrap(hi, lo, BY % 32), ptx::shf_l_wrap(lo, hi, BY % 32));
}

DEVICE u64 xor3(u64 a, u64 b, u64 c) {
    return pack(ptx::lop3_xor(low(a), low(b), low(c)), ptx::lop3_xor(high(a), high(b), high(c)));
}
DEVICE u64 chi(u64 a, u64 b, u64 c) {
    return pack(ptx::lop3_chi(low(a), low(b), low(c)), ptx::lop3_chi(high(a), high(b), high(c)));
}

// The lane at column x and row y is a[x + 5 y].
DEVICE_BODY void keccak_round(u64 (&a)[25], u64 constant) {
    u64 parity[5], d[5], b[25];
    // theta
    UNROLL for (int x = 0; x < 5; x++) parity[x] = xor3(xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    UNROLL for (int x = 0; x < 5; x++) d[x] = parity[(x + 4) % 5] ^ rotate<1>(parity[(x + 1) % 5]);
    // rho and pi: lane (x, y) rotates by its offset and moves to (y, 2x + 3y)
    b[0] = a[0] ^ d[0]; b[1] = rotate<44>(a[6] ^ d[1]); b[2] = rotate<43>(a[12] ^ d[2]);
    b[3] = rotate<21>(a[18] ^ d[3]); b[4] = rotate<14>(a[24] ^ d[4]);
    b[5] = rotate<28>(a[3] ^ d[3]); b[6] = rotate<20>(a[9] ^ d[4]); b[7] = rotate<3>(a[10] ^ d[0]);
    b[8] = rotate<45>(a[16] ^ d[1]); b[9] = rotate<61>(a[22] ^ d[2]);
    b[10] = rotate<1>(a[1] ^ d[1]); b[11] = rotate<6>(a[7] ^ d[2]); b[12] = rotate<25>(a[13] ^ d[3]);
    b[13] = rotate<8>(a[19] ^ d[4]); b[14] = rotate<18>(a[20] ^ d[0]);
    b[15] = rotate<27>(a[4] ^ d[4]); b[16] = rotate<36>(a[5] ^ d[0]); b[17] = rotate<10>(a[11] ^ d[1]);
    b[18] = rotate<15>(a[17] ^ d[2]); b[19] = rotate<56>(a[23] ^ d[3]);
    b[20] = rotate<62>(a[2] ^ d[2]); b[21] = rotate<55>(a[8] ^ d[3]); b[22] = rotate<39>(a[14] ^ d[4]);
    b[23] = rotate<41>(a[15] ^ d[0]); b[24] = rotate<2>(a[21] ^ d[1]);
    // chi and iota
    UNROLL for (int y = 0; y < 25; y += 5) {
        UNROLL for (int x = 0; x < 5; x++) a[y + x] = chi(b[y + x], b[y + (x + 1) % 5], b[y + (x + 2) % 5]);
    }
    a[0] ^= constant;
}

DEVICE void keccak_f1600(u64 (&a)[25]) {
    NO_UNROLL for (int round = 0; round < 24; round++) keccak_round(a, keccak_round_constants[round]);
}

// A digest is four lanes: 32 bytes, which two instructions load or store.
struct alignas(16) Digest {
    u64 lanes[4];
};

// keccak_pair hashes two digests, 64 bytes: one block, padded after lane 8.
DEVICE Digest keccak_pair(const Digest &left, const Digest &right) {
    u64 a[25];
    UNROLL for (int i = 0; i < 4; i++) {
        a[i] = left.lanes[i];
        a[i + 4] = right.lanes[i];
    }
    UNROLL for (int i = 8; i < 25; i++) a[i] = 0;
    a[8] ^= 1;
    a[KECCAK_RATE_LANES - 1] ^= 0x8000000000000000ull;
    keccak_f1600(a);
    Digest digest;
    UNROLL for (int i = 0; i < 4; i++) digest.lanes[i] = a[i];
    return digest;
}
