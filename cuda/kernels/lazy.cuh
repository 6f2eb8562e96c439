// Lazy residues for transforms: 64 bits and a small signed third word, reduced once before each multiplication.
//
// A modular addition is five instructions on the hardware; here it is three. A multiplication by a power of two is a
// shift whose words fold back by 2^64 = 2^32 - 1, 2^96 = -1, without normalization. The third word grows by one bit
// per addition, so 20 levels between reductions are safe, and 8 before a shift.
#pragma once
#include "goldilocks.cuh"

struct Lazy {
    u32 w0, w1, w2;  // w0 + w1 2^32 + (i32)w2 2^64
};

DEVICE Lazy lazy(u64 residue) { Lazy r; r.w0 = low(residue); r.w1 = high(residue); r.w2 = 0; return r; }

DEVICE_BODY void add_into(Lazy &r, const Lazy &a, const Lazy &b) {
    Carry c;
    r.w0 = ptx::add_cc(a.w0, b.w0, c);
    r.w1 = ptx::addc_cc(a.w1, b.w1, c);
    r.w2 = ptx::addc(a.w2, b.w2, c);
}

DEVICE Lazy operator+(const Lazy &a, const Lazy &b) {
    Lazy r;
    add_into(r, a, b);
    return r;
}

DEVICE_BODY void subtract_into(Lazy &r, const Lazy &a, const Lazy &b) {
    Carry c;
    r.w0 = ptx::sub_cc(a.w0, b.w0, c);
    r.w1 = ptx::subc_cc(a.w1, b.w1, c);
    r.w2 = ptx::subc(a.w2, b.w2, c);
}

DEVICE Lazy operator-(const Lazy &a, const Lazy &b) {
    Lazy r;
    subtract_into(r, a, b);
    return r;
}

// residue folds the third word: t + w2 (2^32 - 1), then the overflow, which is -1, 0 or 1, in the same way. The
// second fold does not overflow: an overflow of 1 leaves less than 2^44, one of -1 at least 2^64 - 2^44.
DEVICE_BODY u64 residue(const Lazy &a) {
    Carry c;
    u32 sign = static_cast<u32>(static_cast<i32>(a.w2) >> 31);
    u32 lo = ptx::sub_cc(a.w0, a.w2, c);
    u32 hi = ptx::subc_cc(a.w1, sign, c);
    u32 over = ptx::subc(0, sign, c);
    hi = ptx::add_cc(hi, a.w2, c);
    over = ptx::addc(over, sign, c);
    sign = static_cast<u32>(static_cast<i32>(over) >> 31);
    lo = ptx::sub_cc(lo, over, c);
    hi = ptx::subc(hi, sign, c);
    return pack(lo, hi + over);
}

// positive_residue is residue for a third word from 0 to 2^31: one wide multiply-add, where the signed one is a chain
// of additions. An overflow leaves less than 2^63, so EPSILON can be added.
DEVICE_BODY u64 positive_residue(const Lazy &a) {
    Carry c;
    u32 lo = ptx::mad_lo_cc(a.w2, EPSILON, a.w0, c);
    u32 hi = ptx::madc_hi_cc(a.w2, EPSILON, a.w1, c);
    u32 over = ptx::addc(0, 0, c);
    return pack(lo, hi) - over + (static_cast<u64>(over) << 32);
}

// lifted adds 32 p, which makes any value above -32 2^64 + 2^38 positive.
DEVICE Lazy lifted(const Lazy &a) {
    Lazy lift;
    lift.w0 = 32, lift.w1 = 0u - 32, lift.w2 = 31;
    return a + lift;
}

// times_power multiplies by 2^SHIFT, 0 <= SHIFT < 192. With SHIFT = 32 Q + R, the value is shifted by R into four
// words v0..v3 (v3 signed), and the words move Q positions around the ring in which 2^96 = -1 and 2^64 = 2^32 - 1:
//   Q = 0: (v0 - v2 - v3) + (v1 + v2) 2^32
//   Q = 1: (-v1 - v2) + (v0 + v1 - v3) 2^32
//   Q = 2: (-v0 - v1) + (v0 - v2) 2^32 - v3 2^64
// Each is a sum of signed words with its carries into the third, which must be from -2^8 to 2^8 - 1 in a.
template <u32 SHIFT> DEVICE_BODY void shift_into(Lazy &r, const Lazy &a) {
    constexpr u32 Q = SHIFT / 32 % 3, R = SHIFT % 32;
    constexpr bool NEGATE = SHIFT / 96 % 2 != 0;
    if (SHIFT % 192 == 0) {
        r = a;
        return;
    }
    u32 v0 = a.w0, v1 = a.w1, v2 = a.w2, v3 = static_cast<u32>(static_cast<i32>(a.w2) >> 31);
    if (R != 0) {
        v0 = a.w0 << R;
        v1 = ptx::shf_l_wrap(a.w0, a.w1, R);
        v2 = ptx::shf_l_wrap(a.w1, a.w2, R);
        // For a smaller shift only the sign is left of the highest word.
        if (R > 24) v3 = static_cast<u32>(static_cast<i32>(a.w2) >> (R == 0 ? 31 : 32 - R));
    }
    u32 sign = static_cast<u32>(static_cast<i32>(a.w2) >> 31);
    Carry c;
    if (Q == 0) {
        r.w0 = ptx::sub_cc(v0, v2, c), r.w1 = ptx::subc_cc(v1, 0, c), r.w2 = ptx::subc(0, 0, c);
        r.w0 = ptx::sub_cc(r.w0, v3, c), r.w1 = ptx::subc_cc(r.w1, sign, c), r.w2 = ptx::subc(r.w2, sign, c);
        r.w1 = ptx::add_cc(r.w1, v2, c), r.w2 = ptx::addc(r.w2, 0, c);
    } else if (Q == 1) {
        r.w0 = ptx::sub_cc(0, v1, c), r.w1 = ptx::subc_cc(v0, 0, c), r.w2 = ptx::subc(0, 0, c);
        r.w0 = ptx::sub_cc(r.w0, v2, c), r.w1 = ptx::subc_cc(r.w1, v3, c), r.w2 = ptx::subc(r.w2, sign, c);
        r.w1 = ptx::add_cc(r.w1, v1, c), r.w2 = ptx::addc(r.w2, 0, c);
    } else {
        r.w0 = ptx::sub_cc(0, v0, c), r.w1 = ptx::subc_cc(v0, 0, c), r.w2 = ptx::subc(0 - v3, 0, c);
        r.w0 = ptx::sub_cc(r.w0, v1, c), r.w1 = ptx::subc_cc(r.w1, v2, c), r.w2 = ptx::subc(r.w2, 0, c);
    }
    if (NEGATE) r = lazy(0) - r;
}

template <u32 SHIFT> DEVICE Lazy times_power(const Lazy &a) {
    Lazy r;
    shift_into<SHIFT>(r, a);
    return r;
}
