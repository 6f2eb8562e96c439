// Products, limb by limb, with each step's carry in columns.
#pragma once
#include "cells.cuh"

// The limbs of an unsigned product, from the lowest: l, v, y + k and j, of which the last two are still to be added.
struct Product {
    u64 l, h, u, g, v, k, y, j;
};

DEVICE u64 wide(u32 a, u32 b) { return static_cast<u64>(a) * b; }

DEVICE void multiply_out(Product &p, u64 a, u64 b) {
    u64 t = wide(low(a), low(b));
    p.l = low(t), p.h = high(t);
    t = p.h + wide(low(a), high(b));
    p.u = low(t), p.g = high(t);
    t = p.u + wide(high(a), low(b));
    p.v = low(t), p.k = high(t);
    t = p.g + wide(high(a), high(b));
    p.y = low(t), p.j = high(t);
}

template <class C> DEVICE void multiply(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::fw, k.k[0]);
    Product p;
    multiply_out(p, x.a, x.b);
    const u64 last = k.k[0] == 0 ? p.k : 0;
    row.put_halves(C::c0, C::c1, p.l), row.put_halves(C::h0, C::h1, p.h), row.put_halves(C::u0, C::u1, p.u),
        row.put_halves(C::g0, C::g1, p.g);
    row.put_halves(C::e0, C::e1, high(x.result)), row.put_halves(C::k0, C::k1, last);
    row.put(C::s, p.l >> 31);
    row.put_inverse(C::inv1, less_limb(p.h) * less_limb(p.g)), row.put_inverse(C::inv2, less_limb(last));
}

template <class C> DEVICE void product(const Row<C> &row, const Product &p) {
    row.put_halves(C::l0, C::l1, p.l), row.put_halves(C::h0, C::h1, p.h), row.put_halves(C::u0, C::u1, p.u),
        row.put_halves(C::g0, C::g1, p.g);
    row.put_halves(C::v0, C::v1, p.v), row.put_halves(C::k0, C::k1, p.k), row.put_halves(C::y0, C::y1, p.y),
        row.put_halves(C::j0, C::j1, p.j);
    row.put_inverse(C::inv1, less_limb(p.h) * less_limb(p.g)), row.put_inverse(C::inv2, less_limb(p.k)),
        row.put_inverse(C::inv3, less_limb(p.j));
}

template <class C> DEVICE void multiply_high(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    row.binary(x, k), row.a(x.a), row.b(x.b);
    Product p;
    multiply_out(p, x.a, x.b);
    product(row, p);
    row.put_halves(C::c0, C::c1, low(x.result));
}

template <class C> DEVICE void multiply_high_signed(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::fb, k.k[0]);
    Product p;
    multiply_out(p, x.a, x.b);
    product(row, p);
    const u64 fb = k.k[0], va = x.a >> 63, vb = fb * (x.b >> 63);
    // The borrows by which the unsigned high half exceeds the signed one: carry is q - kk.
    const i64 carry = (static_cast<i64>(low(x.result)) - static_cast<i64>(p.y + p.k) +
        static_cast<i64>(va * low(x.b) + vb * low(x.a))) >> 32;
    const i64 q1 = (static_cast<i64>(high(x.result)) - static_cast<i64>(p.j) +
        static_cast<i64>(va * high(x.b) + vb * high(x.a)) + carry) >> 32;
    const i64 kk = carry < 0;
    row.put(C::ta, x.a >> 48), row.put(C::va, va), row.put(C::vb, vb), row.put(C::tb, fb * (x.b >> 48));
    row.put(C::kk, static_cast<u64>(kk)), row.put(C::q, static_cast<u64>(carry + kk)),
        row.put(C::q1, static_cast<u64>(q1));
    row.put_halves(C::c0, C::c1, low(x.result)), row.put_halves(C::e0, C::e1, high(x.result));
}
