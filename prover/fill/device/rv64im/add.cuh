// Jumps to constants, constants, moves, sums and differences.
#pragma once
#include "cells.cuh"

template <class C> DEVICE void jump(const Row<C> &row, const Plain &x, const ProgramRow &k) {
    row.header(x.cycle, k);
    row.put(C::npc, k.k[0]);
}

template <class C> DEVICE void constant(const Row<C> &row, const Constant &x, const ProgramRow &k) {
    row.header(x.cycle, k), row.rd(k);
    row.put(C::npc, k.k[0]), row.put(C::lo, k.k[1]), row.put(C::hi, k.k[2]);
    row.destination(x.cycle, x.previous_d, x.old);
}

template <class C> DEVICE void move(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k), row.a(x.a);
}

// c = a + imm: inv shows that the high limb is neither -1 nor W.
template <class C> DEVICE void sum_with_constant(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.put(C::imm, k.k[0]), row.a(x.a);
    row.put_halves(C::c0, C::c1, low(x.result)), row.put(C::chi, high(x.result));
    const Fp chi = fp(high(x.result));
    row.put_inverse(C::inv, (chi - fp(1ull << 32)) * (chi + fp(1)));
}

template <class C> DEVICE void add_constant(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k);
    sum_with_constant(row, x, k);
}

// rd is rs1: one access.
template <class C> DEVICE void add_in_place(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.header(x.cycle, k), row.rd(k);
    sum_with_constant(row, x, k);
    row.put_time(C::pt3, x.cycle, x.previous_d);
}

template <class C> DEVICE void add_constant32(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k);
    row.put(C::imm, k.k[0]), row.a(x.a);
    row.put_halves(C::c0, C::c1, low(x.result)), row.put(C::s, low(x.result) >> 31);
}

template <class C> DEVICE void result_in_halves(const Row<C> &row, u64 result) {
    row.put_halves(C::c0, C::c1, low(result)), row.put_halves(C::c2, C::c3, high(result));
}

template <class C> DEVICE void add(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    row.binary(x, k), row.a(x.a), row.b(x.b);
    result_in_halves(row, x.result);
}

// The carry of a + b + in, or the borrow of a - b - in, in limbs.
DEVICE u64 carry_of(bool subtracts, u64 a, u64 b, u64 in, u64 result) {
    return (subtracts ? b + in + result - a : a + b + in - result) >> 32;
}

template <class C> DEVICE void subtract(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    const bool subtracts = k.k[0] == 1, short_result = k.k[1] == 1;
    const u64 k0 = carry_of(subtracts, low(x.a), low(x.b), 0, low(x.result));
    const u64 k1 = short_result ? 0 : carry_of(subtracts, high(x.a), high(x.b), k0, high(x.result));
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::fs, k.k[0]), row.put(C::fw, k.k[1]);
    row.put(C::k0, k0), row.put(C::k1, k1), row.put(C::s, low(x.result) >> 31);
    result_in_halves(row, x.result);
}
