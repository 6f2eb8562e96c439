// Shifts by constants and by registers: by 16 q + t bits, where t is a factor and q a flag.
#pragma once
#include "cells.cuh"

// u 2^16 / p for a power of two p.
DEVICE u64 top_of_half(u64 u, u64 p) { return (u << 16) >> (31 - __clz(static_cast<u32>(p))); }

template <class C> DEVICE void shifted64(const Row<C> &row, u64 a, u64 result, u64 p, bool arithmetic) {
    u64 t = p * low(a);
    row.put(C::w0, t & HALF), row.put(C::w1, t >> 16 & HALF), row.put(C::h, t >> 32);
    t = p * high(a) + (t >> 32);
    const u64 u = t >> 32, s = arithmetic ? a >> 63 : 0;
    row.put(C::w2, t & HALF), row.put(C::w3, t >> 16 & HALF), row.put(C::w4, u + s * (HALF + 1 - p));
    row.put(C::s, s), row.put(C::v, arithmetic ? top_of_half(u, p) : 0);
    row.put_limbs(C::clo, C::chi, result);
}

// The flags: left with q = 0 and 1, right with q = 0, arithmetic right with q = 0 and 1.
struct ShiftFlags {
    u64 p, e0, e1, e2, e4, e5;
};

template <class C> DEVICE void shifted32(const Row<C> &row, u64 a, u64 result, const ShiftFlags &f) {
    row.put(C::p, f.p), row.put(C::e0, f.e0), row.put(C::e1, f.e1), row.put(C::e2, f.e2), row.put(C::e4, f.e4),
        row.put(C::e5, f.e5);
    const u64 t = f.p * low(a), w0 = t & HALF, w1 = t >> 16 & HALF, w2 = t >> 32;
    const u64 v = f.e0 * w1 + f.e1 * w0 + f.e2 * w2 + (f.e4 + f.e5) * top_of_half(w2, f.p);
    row.put(C::w0, w0), row.put(C::w1, w1), row.put(C::w2, w2);
    row.put(C::v, v), row.put(C::s, v >> 15), row.put(C::clo, low(result));
}

template <class C> DEVICE void shift_constant(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k), row.a(x.a);
    row.put(C::p, k.k[0]), row.put(C::f1, k.k[1]), row.put(C::f2, k.k[2]), row.put(C::f3, k.k[3]),
        row.put(C::d, k.k[4]), row.put(C::fa, k.k[5]);
    shifted64(row, x.a, x.result, k.k[0], k.k[5] == 1);
}

template <class C> DEVICE void shift_constant32(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k), row.a(x.a);
    const ShiftFlags f = {k.k[0], k.k[1], k.k[2], k.k[3], k.k[4], k.k[5]};
    shifted32(row, x.a, x.result, f);
}

template <class C> DEVICE void shift_register(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    const u64 amount = x.b & 63, q = amount >> 4, t = amount & 15, p = 1ull << (k.k[0] == 1 ? 16 - t : t);
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::d, k.k[0]), row.put(C::fa, k.k[1]);
    row.put(C::p, p), row.put(C::f1, q == 1), row.put(C::f2, q == 2), row.put(C::f3, q == 3);
    row.put(C::sh, amount), row.put(C::q0, x.b >> 6 & HALF);
    shifted64(row, x.a, x.result, p, k.k[1] == 1);
}

template <class C> DEVICE void shift_register32(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    const u64 amount = x.b & 31, t = amount & 15;
    const bool far = amount >= 16, left = k.k[0] == SHIFT_LEFT_W, right = k.k[0] == SHIFT_RIGHT_W,
        arithmetic = k.k[0] == SHIFT_SIGN_W;
    const ShiftFlags f = {1ull << (left ? t : 16 - t), left && !far, left && far, right && !far, arithmetic && !far,
        arithmetic && far};
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::kd, k.k[0]), row.put(C::sh, amount), row.put(C::q0, x.b >> 5 & HALF);
    shifted32(row, x.a, x.result, f);
}
