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

// positive_transform is small_transform of 64-bit residues, with results for positive_residue. The first value is
// added to every result once and is never shifted, so lifting it lifts them all. Before that they are above -24 2^64:
// a shift leaves less than 3 2^64 for any input, and each of at most four levels doubles.
template <u32 SIZE, u32 BASE> DEVICE void positive_transform(Lazy *x) {
    static_assert(SIZE <= 16, "five levels need more lift");
    x[BASE] = lifted(x[BASE]);
    small_transform<SIZE, BASE>(x);
}
