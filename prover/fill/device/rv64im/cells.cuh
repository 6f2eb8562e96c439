// One row of a table and its destination in the columns. Columns have the names of the table's declaration: a filler
// takes the struct of the table's columns (columns.cuh) as its parameter, so it follows a column that moved and does
// not compile without a column. A group of columns has the same names in all tables that contain it.
#pragma once
#include "goldilocks.cuh"
#include "columns.cuh"
#include "records.cuh"

#define LIMB 0xffffffffull  // the largest limb
#define HALF 0xffffull

template <class C> struct Row {
    u64 *cells;  // of the first column
    u64 stride;

    DEVICE_MEMBER void put(u32 column, u64 value) const { cells[column * stride] = value; }
    DEVICE_MEMBER void put_inverse(u32 column, Fp value) const { put(column, inverse_words(value.value)); }
    // Both limbs of a value, both halves of a limb, the bytes of a value, in consecutive columns.
    DEVICE_MEMBER void put_limbs(u32 lower, u32 upper, u64 value) const {
        put(lower, low(value)), put(upper, high(value));
    }
    DEVICE_MEMBER void put_halves(u32 lower, u32 upper, u64 limb) const {
        put(lower, limb & HALF), put(upper, limb >> 16);
    }
    DEVICE_MEMBER void put_bytes(u32 first, u64 value, u32 count) const {
        UNROLL for (u32 i = 0; i < count; i++) put(first + i, value >> (8 * i) & 0xff);
    }

    DEVICE_MEMBER void header(u32 cycle, const ProgramRow &k) const {
        put(C::m, 1), put(C::ts, 4ull * cycle), put(C::pc, k.pc);
    }
    DEVICE_MEMBER void rd(const ProgramRow &k) const { put(C::rd, k.rd); }
    DEVICE_MEMBER void rs1(const ProgramRow &k) const { put(C::rs1, k.rs1); }
    DEVICE_MEMBER void rs2(const ProgramRow &k) const { put(C::rs2, k.rs2); }

    DEVICE_MEMBER void a(u64 value) const { put_limbs(C::alo, C::ahi, value); }
    DEVICE_MEMBER void b(u64 value) const { put_limbs(C::blo, C::bhi, value); }

    // The time of an access up to 2^20 before one in a cycle, of which a record has the low 32 bits.
    DEVICE_MEMBER void put_time(u32 column, u32 cycle, u32 lower) const {
        const u64 last = 4ull * cycle + 3;
        put(column, last - (low(last) - lower));
    }
    // The destination register: the time of its previous access, and what it held.
    DEVICE_MEMBER void destination(u32 cycle, u32 previous, u64 old) const {
        put_time(C::pt3, cycle, previous), put_limbs(C::old_lo, C::old_hi, old);
    }

    // The columns that all rows of a shape share.
    DEVICE_MEMBER void unary(const Unary &x, const ProgramRow &k) const {
        header(x.cycle, k), rd(k), rs1(k);
        put_time(C::pt0, x.cycle, x.previous1), destination(x.cycle, x.previous_d, x.old);
    }
    DEVICE_MEMBER void binary(const Binary &x, const ProgramRow &k) const {
        header(x.cycle, k), rd(k), rs1(k), rs2(k);
        put_time(C::pt0, x.cycle, x.previous1), put_time(C::pt1, x.cycle, x.previous2);
        destination(x.cycle, x.previous_d, x.old);
    }
    DEVICE_MEMBER void branch(const Branch &x, const ProgramRow &k) const {
        header(x.cycle, k), rs1(k);
        put(C::npc, k.k[1]), put_time(C::pt0, x.cycle, x.previous1), a(x.a);
    }
    DEVICE_MEMBER void branch_of_two(const Branch &x, const ProgramRow &k) const {
        branch(x, k), rs2(k);
        put_time(C::pt1, x.cycle, x.previous2), b(x.b);
    }
};

// v - M: not 0 exactly if a limb is not M = 2^32 - 1.
DEVICE Fp less_limb(u64 v) { return fp(v) - fp(LIMB); }
