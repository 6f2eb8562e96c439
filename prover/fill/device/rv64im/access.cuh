// Loads and stores that are naturally aligned.
#pragma once
#include "cells.cuh"

// Accesses to words, by their numbers in the order of time.
struct Accesses {
    const u64 *old;  // the word's previous value
    const u64 *previous;  // the time of the previous access
};

// The address modulo 8.
DEVICE u64 address_offset(u32 base, const ProgramRow &k) { return (fp(base) + fp(k.k[0])).value & 7; }

// The time of a word's previous access, and y: the gap is 1 + r + 2^14 y with r below 2^20.
template <class C>
DEVICE void memory_gap(const Row<C> &row, u32 previous_column, u32 gap_column, u64 time, u64 previous) {
    const u64 y = (time - previous - 1) >> LOG_GAP;
    row.put(previous_column, previous), row.put(gap_column, y < 0xfffff ? y : 0xfffff);
}

template <class C> DEVICE u64 load(const Row<C> &row, const Load &x, const ProgramRow &k, const Accesses &words) {
    const u64 v = words.old[x.access];
    row.header(x.cycle, k), row.rd(k), row.rs1(k);
    row.put(C::imm, k.k[0]), row.put(C::a, x.base), row.put_limbs(C::v0, C::v1, v);
    memory_gap(row, C::mp, C::y, 4ull * x.cycle + SLOT_MEMORY, words.previous[x.access]);
    row.put_time(C::pts1, x.cycle, x.previous1), row.put_time(C::ptsd, x.cycle, x.previous_d),
        row.put_limbs(C::o0, C::o1, x.old);
    return v;
}

template <class C> DEVICE u64 store(const Row<C> &row, const Store &x, const ProgramRow &k, const Accesses &words) {
    const u64 old = words.old[x.access];
    row.header(x.cycle, k), row.rs1(k), row.rs2(k);
    row.put(C::imm, k.k[0]), row.put(C::a, x.base), row.put_limbs(C::v0, C::v1, x.b);
    memory_gap(row, C::mp, C::y, 4ull * x.cycle + SLOT_MEMORY, words.previous[x.access]);
    row.put_limbs(C::m0, C::m1, old), row.put_time(C::pts1, x.cycle, x.previous1),
        row.put_time(C::pts2, x.cycle, x.previous2);
    return old;
}

template <class C>
DEVICE void load_double(const Row<C> &row, const Load &x, const ProgramRow &k, const Accesses &words) {
    load(row, x, k, words);
}

template <class C> DEVICE void load_word(const Row<C> &row, const Load &x, const ProgramRow &k, const Accesses &words) {
    const u64 s = address_offset(x.base, k) >> 2, v = load(row, x, k, words), limb = s == 1 ? high(v) : low(v);
    row.put(C::sg, k.k[1]), row.put(C::s, s), row.put(C::x, limb), row.put(C::xh, limb >> 16),
        row.put(C::e, k.k[1] * (limb >> 31));
}

// The half that the offset selects, the other half of its limb, and the selected half's high byte.
template <class C> DEVICE u64 half_of(const Row<C> &row, u64 offset, u64 v) {
    const u64 limb = offset >> 2 ? high(v) : low(v);
    const bool upper = (offset >> 1 & 1) != 0;
    const u64 h = upper ? limb >> 16 : limb & HALF;
    row.put(C::q2, offset >> 2), row.put(C::q1, upper), row.put(C::q0, offset & 1);
    row.put(C::h, h), row.put(C::g, upper ? limb & HALF : limb >> 16), row.put(C::hh, h >> 8);
    return h;
}

template <class C>
DEVICE void load_small(const Row<C> &row, const Load &x, const ProgramRow &k, const Accesses &words) {
    const u64 offset = address_offset(x.base, k), h = half_of(row, offset, load(row, x, k, words));
    const u64 z = k.k[2] == 1 ? (h >> (8 * (offset & 1)) & 0xff) << 8 : h;
    row.put(C::sg, k.k[1]), row.put(C::fb, k.k[2]), row.put(C::z, z), row.put(C::e, k.k[1] * (z >> 15)),
        row.put(C::res, low(x.result));
}

template <class C>
DEVICE void store_double(const Row<C> &row, const Store &x, const ProgramRow &k, const Accesses &words) {
    store(row, x, k, words);
}

// The value of a word after bits of a value are written at an offset; ones is the mask of the lowest width bits.
DEVICE u64 stored(u64 old, u64 value, u64 ones, u64 offset) {
    const u64 mask = ones << (8 * offset);
    return (old & ~mask) | (value << (8 * offset) & mask);
}

template <class C>
DEVICE void store_word(const Row<C> &row, const Store &x, const ProgramRow &k, const Accesses &words) {
    const u64 offset = address_offset(x.base, k), old = store(row, x, k, words);
    row.put(C::s, offset >> 2), row.put_limbs(C::n0, C::n1, stored(old, x.b, LIMB, offset));
}

template <class C>
DEVICE void store_small(const Row<C> &row, const Store &x, const ProgramRow &k, const Accesses &words) {
    const u64 offset = address_offset(x.base, k), old = store(row, x, k, words);
    const u64 value = stored(old, x.b, k.k[2] == 1 ? 0xff : HALF, offset);
    half_of(row, offset, old);
    row.put(C::fb, k.k[2]), row.put(C::u1, low(x.b) >> 16), row.put(C::b1, x.b >> 8 & 0xff);
    row.put(C::n, value >> (16 * (offset >> 1)) & HALF), row.put_limbs(C::n0, C::n1, value);
}
