// Divisions and remainders: Euclidean division of magnitudes, then the signs.
#pragma once
#include "cells.cuh"

struct Magnitude {
    u64 sign, top, half, value;  // its sign, the limb with the sign, that limb's high half if signed; and |o|
};

DEVICE Magnitude magnitude(u64 o, bool is_signed, bool short_operands) {
    Magnitude m;
    m.top = short_operands ? low(o) : high(o);
    m.sign = is_signed ? m.top >> 31 : 0, m.half = is_signed ? m.top >> 16 : 0;
    const u64 v = m.sign == 1 ? 0 - o : o;
    m.value = short_operands ? low(v) : v;
    return m;
}

// The quotient by 0 is all ones, and the remainder a; h is the carry of the low limb of quotient times b plus
// remainder.
struct Division {
    u64 quotient, rest, h, d;
    bool by_zero, high_equal;
};

DEVICE void divide_out(Division &r, u64 a, u64 b) {
    r.by_zero = b == 0;
    r.quotient = r.by_zero ? ~0ull : a / b;
    r.rest = r.by_zero ? a : a - r.quotient * b;
    r.h = r.by_zero ? 0 : (static_cast<u64>(low(r.quotient)) * low(b) + low(r.rest)) >> 32;
    r.high_equal = high(r.rest) == high(b);
    r.d = r.by_zero ? 0 : static_cast<u64>(r.high_equal ? low(b) - low(r.rest) : high(b) - high(r.rest)) - 1;
}

DEVICE Fp less_two_limbs(u64 x, u64 y) { return fp(x) + fp(y) - fp(2 * LIMB); }

template <class C> DEVICE void divide(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    const bool is_signed = k.k[0] == 1, short_operands = k.k[1] == 1, remainder = k.k[2] == 1;
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::fs, k.k[0]), row.put(C::fw, k.k[1]), row.put(C::fr, k.k[2]);
    const Magnitude a = magnitude(x.a, is_signed, short_operands), b = magnitude(x.b, is_signed, short_operands);
    row.put(C::ta, a.top), row.put(C::sa, a.sign), row.put(C::tha, a.half), row.put(C::ka, low(x.a) != 0);
    row.put_inverse(C::ia, fp(low(x.a))), row.put_limbs(C::al, C::ah, a.value);
    row.put(C::tb, b.top), row.put(C::sb, b.sign), row.put(C::thb, b.half), row.put(C::kb, low(x.b) != 0);
    row.put_inverse(C::ib, fp(low(x.b))), row.put_limbs(C::bl, C::bh, b.value);

    Division r;
    divide_out(r, a.value, b.value);
    row.put(C::z, r.by_zero), row.put_inverse(C::iz, fp(static_cast<u64>(low(b.value)) + high(b.value)));
    row.put_halves(C::Q0, C::Q1, low(r.quotient)), row.put_halves(C::U0, C::U1, high(r.quotient));
    row.put_halves(C::R0, C::R1, low(r.rest)), row.put_halves(C::V0, C::V1, high(r.rest));
    row.put_halves(C::h0, C::h1, r.h), row.put_halves(C::d0, C::d1, r.d);
    row.put_halves(C::c0, C::c1, low(x.result)), row.put_halves(C::e0, C::e1, high(x.result));
    row.put_inverse(C::ih, less_limb(r.h));
    row.put_inverse(C::iq,
        less_two_limbs(low(r.quotient), high(b.value)) * less_two_limbs(high(r.quotient), low(b.value)));

    const u64 sq = r.by_zero ? 0 : a.sign ^ b.sign, sc = remainder ? a.sign : sq,
        wanted = remainder ? r.rest : r.quotient;
    row.put(C::hh, r.high_equal), row.put(C::sq, sq), row.put(C::sc, sc), row.put_limbs(C::xl, C::xh, wanted);
    row.put(C::k1, low(wanted) != 0 ? sc : 0), row.put(C::k2, short_operands || wanted == 0 ? 0 : sc);
    row.put(C::sw, low(x.result) >> 31);
}
