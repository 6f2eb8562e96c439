// The Goldilocks field Fp, p = 2^64 - 2^32 + 1, and its cubic extension Fp3 = Fp[w]/(w^3 - 2).
//
// An Fp is canonical (below p) wherever it is stored. Reduction uses 2^64 = 2^32 - 1 =: EPSILON and 2^96 = -1. Words
// are 32 bits and carries are explicit, as in the hardware.
#pragma once
#include "ptx.cuh"

#define GOLDILOCKS_P 0xffffffff00000001ull
#define EPSILON 0xffffffffu

struct Fp {
    u64 value;
};

DEVICE u32 low(u64 x) { return static_cast<u32>(x); }
DEVICE u32 high(u64 x) { return static_cast<u32>(x >> 32); }
DEVICE u64 pack(u32 lo, u32 hi) { return (static_cast<u64>(hi) << 32) | lo; }

DEVICE Fp fp(u64 canonical) { Fp r; r.value = canonical; return r; }

// canonical maps any 64-bit residue to below p: x - p = x + EPSILON - 2^64, which does not borrow exactly if the sum
// carries.
DEVICE Fp canonical(u64 x) {
    Carry c;
    u32 lo = ptx::add_cc(low(x), EPSILON, c);
    u32 hi = ptx::addc_cc(high(x), 0, c);
    u32 carry = ptx::addc(0, 0, c);
    return fp(carry != 0 ? pack(lo, hi) : x);
}

DEVICE_BODY u64 add_words(u64 a, u64 b) {
    // a - (p - b): the subtrahend is at most p, so one correction by p suffices.
    Carry c;
    u64 m = GOLDILOCKS_P - b;
    u32 lo = ptx::sub_cc(low(a), low(m), c);
    u32 hi = ptx::subc_cc(high(a), high(m), c);
    u32 borrow = ptx::subc(0, 0, c);  // all ones when a + b is below p
    // Adding p modulo 2^64 is subtracting EPSILON.
    lo = ptx::sub_cc(lo, borrow, c);
    hi = ptx::subc(hi, 0, c);
    return pack(lo, hi);
}

DEVICE_BODY u64 subtract_words(u64 a, u64 b) {
    Carry c;
    u32 lo = ptx::sub_cc(low(a), low(b), c);
    u32 hi = ptx::subc_cc(high(a), high(b), c);
    u32 borrow = ptx::subc(0, 0, c);
    lo = ptx::sub_cc(lo, borrow, c);
    hi = ptx::subc(hi, 0, c);
    return pack(lo, hi);
}

DEVICE Fp operator+(Fp a, Fp b) { return fp(add_words(a.value, b.value)); }
DEVICE Fp operator-(Fp a, Fp b) { return fp(subtract_words(a.value, b.value)); }
DEVICE Fp operator-(Fp a) { return fp(a.value == 0 ? 0 : GOLDILOCKS_P - a.value); }
DEVICE bool operator==(Fp a, Fp b) { return a.value == b.value; }
DEVICE bool operator!=(Fp a, Fp b) { return a.value != b.value; }

// reduce maps r0 + r1 2^32 + r2 2^64 + r3 2^96 + r4 2^128, with r4 below 2^31, to a 64-bit residue: (r0, r1) - (r3,
// r4) + r2 EPSILON. An overflow of k, which is -1, 0 or 1, is worth k EPSILON. Adding that does not overflow again: k
// = 1 leaves at most r2 EPSILON - 1 < 2^64 - 2^33, and k = -1 at least 2^64 - 2^63.
DEVICE u64 reduce_words(u32 r0, u32 r1, u32 r2, u32 r3, u32 r4) {
    Carry c;
    r0 = ptx::sub_cc(r0, r3, c);
    r1 = ptx::subc_cc(r1, r4, c);
    u32 k = ptx::subc(0, 0, c);
    r0 = ptx::mad_lo_cc(r2, EPSILON, r0, c);
    r1 = ptx::madc_hi_cc(r2, EPSILON, r1, c);
    k = ptx::addc(k, 0, c);
    u64 sign_extended = static_cast<u64>(static_cast<i64>(static_cast<i32>(k)));
    return pack(r0, r1) - sign_extended + (static_cast<u64>(k) << 32);
}

DEVICE_BODY u64 reduce(u32 r0, u32 r1, u32 r2, u32 r3) { return reduce_words(r0, r1, r2, r3, 0); }

// multiply_residues takes and returns any 64-bit residues. The low by low and high by high products fill four words.
// The crossed products are summed first, so that the compiler makes each a single wide multiply-add with its carry in
// a predicate.
DEVICE_BODY u64 multiply_residues(u64 a, u64 b) {
    u64 bottom = ptx::mul_wide(low(a), low(b)), top = ptx::mul_wide(high(a), high(b)),
        crossed = ptx::mul_wide(low(a), high(b));
    Carry c;
    u32 c0 = ptx::mad_lo_cc(high(a), low(b), low(crossed), c);
    u32 c1 = ptx::madc_hi_cc(high(a), low(b), high(crossed), c);
    u32 r3 = ptx::addc(high(top), 0, c);
    u32 r1 = ptx::add_cc(high(bottom), c0, c);
    u32 r2 = ptx::addc_cc(low(top), c1, c);
    r3 = ptx::addc(r3, 0, c);
    return reduce_words(low(bottom), r1, r2, r3, 0);
}

DEVICE Fp operator*(Fp a, Fp b) { return canonical(multiply_residues(a.value, b.value)); }
DEVICE Fp square(Fp a) { return a * a; }

// power raises to a 64-bit exponent, by squaring from the lowest bit up.
DEVICE_BODY u64 power_words(u64 word, u64 exponent) {
    Fp base = fp(word), result = fp(1);
    NO_UNROLL for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = result * base;
        base = square(base);
    }
    return result.value;
}

DEVICE Fp power(Fp base, u64 exponent) { return fp(power_words(base.value, exponent)); }

// inverse is a^(p-2), by the addition chain for p - 2 = 2^64 - 2^32 - 1: 31 ones, a zero, 32 ones. Zero gives zero.
DEVICE Fp repeated_square(Fp a, int times) {
    NO_UNROLL for (int i = 0; i < times; i++) a = square(a);
    return a;
}

DEVICE_BODY u64 inverse_words(u64 word) {
    Fp a = fp(word);
    Fp ones2 = square(a) * a;
    Fp ones3 = square(ones2) * a;
    Fp ones6 = repeated_square(ones3, 3) * ones3;
    Fp ones12 = repeated_square(ones6, 6) * ones6;
    Fp ones24 = repeated_square(ones12, 12) * ones12;
    Fp ones30 = repeated_square(ones24, 6) * ones6;
    Fp ones31 = square(ones30) * a;
    Fp ones31then0 = square(ones31);
    Fp ones32 = ones31then0 * a;
    return (repeated_square(ones31then0, 32) * ones32).value;
}

DEVICE Fp inverse(Fp a) { return fp(inverse_words(a.value)); }

// ---- the cubic extension: a0 + a1 w + a2 w^2, w^3 = 2

struct Fp3 {
    Fp a0, a1, a2;
};

DEVICE Fp3 fp3(Fp a0, Fp a1, Fp a2) { Fp3 r; r.a0 = a0; r.a1 = a1; r.a2 = a2; return r; }
DEVICE Fp3 fp3(Fp a) { return fp3(a, fp(0), fp(0)); }
DEVICE Fp3 operator+(Fp3 a, Fp3 b) { return fp3(a.a0 + b.a0, a.a1 + b.a1, a.a2 + b.a2); }
DEVICE Fp3 operator-(Fp3 a, Fp3 b) { return fp3(a.a0 - b.a0, a.a1 - b.a1, a.a2 - b.a2); }
DEVICE Fp3 operator-(Fp3 a) { return fp3(-a.a0, -a.a1, -a.a2); }
DEVICE Fp3 operator+(Fp3 a, Fp b) { return fp3(a.a0 + b, a.a1, a.a2); }
DEVICE Fp3 operator-(Fp3 a, Fp b) { return fp3(a.a0 - b, a.a1, a.a2); }
DEVICE Fp3 operator*(Fp3 a, Fp b) { return fp3(a.a0 * b, a.a1 * b, a.a2 * b); }
DEVICE bool operator==(Fp3 a, Fp3 b) { return a.a0 == b.a0 && a.a1 == b.a1 && a.a2 == b.a2; }

// Sum collects up to 2^31 products unreduced, so that a sum of products is reduced once. It keeps low by low and high
// by high products apart from crossed ones. Each product is then one wide multiply-add into its own pair of
// registers, and the compiler adds two carries per instruction: 5.5 instructions a product, where one chain of words
// takes 14. The words are 64 bits long so that they are register pairs. Given halves, the compiler uses registers
// that are not pairs in threads with many registers, and moves them for every product: 44 moves for 72 multiply-adds
// in sums of columns.
struct Sum {
    u64 r01, r23;  // low by low at 1, high by high at 2^64
    u64 c01;       // crossed, at 2^32
    u32 r4, c2;  // overflow, at 2^128 and at 2^96
};

DEVICE Sum sum_zero() { Sum s; s.r01 = s.r23 = s.c01 = 0; s.r4 = s.c2 = 0; return s; }

DEVICE_BODY void add_product(Sum &s, Fp a, Fp b) {
    Carry c;
    s.r01 = ptx::mad_wide_cc(low(a.value), low(b.value), s.r01, c);
    s.r23 = ptx::madc_wide_cc(high(a.value), high(b.value), s.r23, c);
    s.r4 = ptx::addc(s.r4, 0, c);
    s.c01 = ptx::mad_wide_cc(low(a.value), high(b.value), s.c01, c);
    s.c2 = ptx::addc(s.c2, 0, c);
    s.c01 = ptx::mad_wide_cc(high(a.value), low(b.value), s.c01, c);
    s.c2 = ptx::addc(s.c2, 0, c);
}

// sum_residue is any residue of a sum. A sum of 2^31 products is below 2^31 (2^64 - 1)^2 < 2^159, so the fifth word
// stays below 2^31.
DEVICE_BODY u64 sum_residue(const Sum &s) {
    Carry c;
    u32 r1 = ptx::add_cc(high(s.r01), low(s.c01), c);
    u32 r2 = ptx::addc_cc(low(s.r23), high(s.c01), c);
    u32 r3 = ptx::addc_cc(high(s.r23), s.c2, c);
    u32 r4 = ptx::addc(s.r4, 0, c);
    return reduce_words(low(s.r01), r1, r2, r3, r4);
}

DEVICE Fp total(const Sum &s) { return canonical(sum_residue(s)); }

// Karatsuba would need six products instead of nine. But products are cheap compared with reductions, so this is the
// schoolbook form with three reductions; doubling by w^3 = 2 is an addition.
DEVICE_BODY void multiply_into(Fp3 &r, const Fp3 &a, const Fp3 &b) {
    Fp twice1 = b.a1 + b.a1, twice2 = b.a2 + b.a2;
    Sum s0 = sum_zero(), s1 = sum_zero(), s2 = sum_zero();
    add_product(s0, a.a0, b.a0), add_product(s0, a.a1, twice2), add_product(s0, a.a2, twice1);
    add_product(s1, a.a0, b.a1), add_product(s1, a.a1, b.a0), add_product(s1, a.a2, twice2);
    add_product(s2, a.a0, b.a2), add_product(s2, a.a1, b.a1), add_product(s2, a.a2, b.a0);
    r = fp3(total(s0), total(s1), total(s2));
}

DEVICE Fp3 operator*(Fp3 a, Fp3 b) {
    Fp3 r;
    multiply_into(r, a, b);
    return r;
}

// inverse of a non-zero element by the adjugate of its multiplication matrix: with
//   c0 = a0^2 - 2 a1 a2, c1 = 2 a2^2 - a0 a1, c2 = a1^2 - a0 a2
// a (c0 + c1 w + c2 w^2) = a0 c0 + 2 (a1 c2 + a2 c1), the norm. Zero gives zero.
DEVICE_BODY void invert_into(Fp3 &r, const Fp3 &a) {
    Fp twice2 = a.a2 + a.a2;
    Fp c0 = square(a.a0) - a.a1 * twice2;
    Fp c1 = a.a2 * twice2 - a.a0 * a.a1;
    Fp c2 = square(a.a1) - a.a0 * a.a2;
    Fp crossed = a.a1 * c2 + a.a2 * c1;
    Fp scale = inverse(a.a0 * c0 + crossed + crossed);
    r = fp3(c0 * scale, c1 * scale, c2 * scale);
}

DEVICE Fp3 inverse(Fp3 a) {
    Fp3 r;
    invert_into(r, a);
    return r;
}
