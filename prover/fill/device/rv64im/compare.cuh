// Branches, comparisons, jumps to registers.
#pragma once
#include "cells.cuh"

template <class C> DEVICE void if_zero(const Row<C> &row, const Branch &x, const ProgramRow &k) {
    row.branch(x, k);
    row.put(C::e, k.k[0]);
    row.put_inverse(C::inv, fp(static_cast<u64>(low(x.a)) + high(x.a)));
}

template <class C> DEVICE void if_equal(const Row<C> &row, const Branch &x, const ProgramRow &k) {
    row.branch_of_two(x, k);
    row.put(C::e, k.k[0]);
    const Fp d = fp(low(x.a)) - fp(low(x.b)), q = fp(high(x.a)) - fp(high(x.b));
    row.put_inverse(C::inv, square(d) - square(q) * fp(NON_RESIDUE));
}

template <class C> DEVICE void signs(const Row<C> &row, u64 a, u64 b) {
    row.put(C::ta, a >> 48), row.put(C::tb, b >> 48), row.put(C::ma, a >> 63), row.put(C::mb, b >> 63);
}

// The limbs that decide (h), and the difference (d), minus 1 if a is below b.
template <class C> DEVICE void compared(const Row<C> &row, u64 a, u64 b, bool is_signed, bool less) {
    i64 d = static_cast<i64>(high(b)) - static_cast<i64>(high(a));
    if (is_signed) d += (static_cast<i64>(a >> 63) - static_cast<i64>(b >> 63)) * (1ll << 32);
    const bool low_decides = d == 0;
    if (low_decides) d = static_cast<i64>(low(b)) - static_cast<i64>(low(a));
    row.put(C::h, low_decides);
    row.put_halves(C::d0, C::d1, static_cast<u64>(less ? d - 1 : (low_decides ? 0 : -1) - d));
}

template <class C> DEVICE void if_less(const Row<C> &row, const Branch &x, const ProgramRow &k) {
    row.branch_of_two(x, k);
    row.put(C::lt, k.k[0]);
    compared(row, x.a, x.b, false, k.k[0] == 1);
}

template <class C> DEVICE void if_less_signed(const Row<C> &row, const Branch &x, const ProgramRow &k) {
    row.branch_of_two(x, k);
    row.put(C::lt, k.k[0]);
    signs(row, x.a, x.b);
    compared(row, x.a, x.b, true, k.k[0] == 1);
}

// For a comparison with a constant, the register is x0 and b is 0.
template <class C> DEVICE u64 set_operands(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    row.binary(x, k), row.a(x.a), row.b(x.b);
    row.put(C::ilo, k.k[0]), row.put(C::ihi, k.k[1]), row.put(C::lt, x.result);
    return x.b + (k.k[0] | k.k[1] << 32);
}

template <class C> DEVICE void set_less(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    compared(row, x.a, set_operands(row, x, k), false, x.result == 1);
}

template <class C> DEVICE void set_less_signed(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    const u64 b = set_operands(row, x, k);
    signs(row, x.a, b);
    compared(row, x.a, b, true, x.result == 1);
}

template <class C> DEVICE void jump_target(const Row<C> &row, u64 a, const ProgramRow &k) {
    row.put(C::imm, k.k[0]), row.put(C::alo, a);
    row.put(C::lsb, (fp(a) + fp(k.k[0])).value & 1);
}

template <class C> DEVICE void jump_register(const Row<C> &row, const Branch &x, const ProgramRow &k) {
    row.header(x.cycle, k), row.rs1(k);
    row.put_time(C::pt0, x.cycle, x.previous1);
    jump_target(row, x.a, k);
}

template <class C> DEVICE void jump_register_link(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k);
    jump_target(row, x.a, k);
}
