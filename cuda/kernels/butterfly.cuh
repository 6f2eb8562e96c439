// Small transforms in registers: radix 2 to 16, decimation in frequency, twiddles by shifts.
//
// The two-adic root is chosen so that its power of order 64 is 8, so the root of order SIZE is 2^(192 / SIZE). Slot p
// of the result holds coefficient rev(p).
#pragma once
#include "lazy.cuh"

template <u32 HALF, u32 BASE, u32 I> DEVICE void butterflies(Lazy *x) {
    Lazy a = x[BASE + I], b = x[BASE + I + HALF];
    x[BASE + I] = a + b;
    x[BASE + I + HALF] = times_power<96 / HALF * I>(a - b);
    if constexpr (I + 1 < HALF) butterflies<HALF, BASE, I + 1>(x);
}

template <u32 SIZE, u32 BASE> DEVICE void small_transform(Lazy *x) {
    if constexpr (SIZE > 1) {
        butterflies<SIZE / 2, BASE, 0>(x);
        small_transform<SIZE / 2, BASE>(x);
        small_transform<SIZE / 2, BASE + SIZE / 2>(x);
    }
}

// Powers of one base by two tables: base^e = low[e mod 2^13] high[e / 2^13], for e below 2^26.
#define POWER_LOG 13

struct Powers {
    const u64 *low, *high;
};

DEVICE u64 power_residue(const Powers &p, u32 e) {
    return multiply_residues(p.low[e & ((1u << POWER_LOG) - 1)], p.high[e >> POWER_LOG]);
}

// The low BITS bits of x in reverse.
DEVICE u32 reverse_bits(u32 x, u32 bits) { return bits == 0 ? 0 : __brev(x) >> (32 - bits); }
