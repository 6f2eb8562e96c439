// Loads and stores that are not naturally aligned, of one word or of two.
#pragma once
#include "access.cuh"

DEVICE u32 width_of(const ProgramRow &k) {
    switch (k.table) {
    case TABLE_LD: case TABLE_SD: return 8;
    case TABLE_LW: case TABLE_SW: return 4;
    default: return 2;
    }
}

// The words of the access, and their new values: a store replaces the bytes from the offset on.
struct Words {
    u64 before[2], after[2];
};

DEVICE void access_words(Words &w, const Load &x, bool is_load, u32 width, u64 offset, const Accesses &words) {
    const bool crosses = offset + width > 8;
    w.before[0] = words.old[x.access], w.before[1] = crosses ? words.old[x.access + 1] : 0;
    const u64 ones = width == 8 ? ~0ull : (1ull << (8 * width)) - 1;
    w.after[0] = is_load ? w.before[0] : stored(w.before[0], x.result, ones, offset);
    // Offsets are 1 to 7, so at least one byte of the value is in the first word.
    const u64 shift = 64 - 8 * offset;
    w.after[1] = is_load || !crosses ? w.before[1] : (w.before[1] & ~(ones >> shift)) | (x.result & ones) >> shift;
}

template <class C> DEVICE void unaligned_flags(const Row<C> &row, bool is_load, u32 width, u64 offset) {
    row.put(C::ld, is_load), row.put(C::g2, width == 2), row.put(C::g4, width == 4);
    row.put(C::f1, offset == 1), row.put(C::f2, offset == 2), row.put(C::f3, offset == 3);
    row.put(C::f4, offset == 4), row.put(C::f5, offset == 5), row.put(C::f6, offset == 6);
    row.put(C::c, offset + width > 8);
}

template <class C> DEVICE void unaligned(const Row<C> &row, const Load &x, const ProgramRow &k, const Accesses &words) {
    const bool is_load = k.table <= TABLE_LBH;
    const u32 width = width_of(k);
    const u64 offset = address_offset(x.base, k);
    row.header(x.cycle, k), row.rd(k), row.rs1(k), row.rs2(k);
    row.put(C::imm, k.k[0]), row.put(C::sg, k.k[1]), row.put(C::a, x.base);
    unaligned_flags(row, is_load, width, offset);
    Words w;
    access_words(w, x, is_load, width, offset, words);
    row.put_bytes(C::x0, w.before[0], 8), row.put_bytes(C::x8, w.before[1], 8);
    row.put_limbs(C::N0, C::N1, w.after[0]), row.put_limbs(C::N2, C::N3, w.after[1]);
    u64 value = x.result;  // a store's value is its whole register
    if (is_load) {
        value = w.before[0] >> (8 * offset) | w.before[1] << (64 - 8 * offset);
        if (width < 8) value &= (1ull << (8 * width)) - 1;
    }
    row.put_bytes(C::v0, value, 8);
    const u64 time = 4ull * x.cycle + SLOT_MEMORY;
    memory_gap(row, C::mp0, C::y0, time, words.previous[x.access]);
    if (offset + width > 8)
        memory_gap(row, C::mp1, C::y1, time, words.previous[x.access + 1]);
    else
        row.put(C::mp1, 0), row.put(C::y1, 0);
    row.put_time(C::pts1, x.cycle, x.previous1), row.put_time(C::pts2, x.cycle, x.previous_d);
    row.put_limbs(C::o0, C::o1, x.old), row.put_limbs(C::r0, C::r1, x.result);
    const u64 z = width == 2 ? value & HALF : width == 4 ? value >> 16 & HALF : 0;
    row.put(C::z, z), row.put(C::e, k.k[1] * (z >> 15));
}
