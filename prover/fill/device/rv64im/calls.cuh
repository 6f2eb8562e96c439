// Calls of accelerators, and notes: the instruction, and the row in which a call's words are.
#pragma once
#include "access.cuh"

template <class C> DEVICE void call(const Row<C> &row, const Call &x, const ProgramRow &k) {
    row.header(x.cycle, k);
    row.put(C::code, x.code), row.put(C::a0, x.arguments[0]), row.put(C::a1, x.arguments[1]),
        row.put(C::a2, x.arguments[2]);
    row.put_time(C::pts0, x.cycle, x.previous[0]), row.put_time(C::pts1, x.cycle, x.previous[1]),
        row.put_time(C::pts2, x.cycle, x.previous[2]), row.put_time(C::pts3, x.cycle, x.previous[3]),
        row.put(C::note, x.code == CODE_NOTE);
}

// All columns of an accelerator's row except the written values. read receives what was read: numbers, then words.
template <u32 NUMBER, u32 NUMBERS, u32 WORDS, class C>
DEVICE void called(const Row<C> &row, const Call &x, const Accesses &words, u64 (&read)[NUMBERS + WORDS]) {
    row.put(C::m, 1), row.put(C::ts, 4ull * x.cycle);
    for (u32 i = 0; i < call_arguments[NUMBER]; i++) {
        const u32 argument = static_cast<u32>(call_argument[NUMBER * ARGUMENTS + i]), v = x.arguments[argument];
        row.put(C::word + argument, i < NUMBERS ? v : v / 8);
        if (i < NUMBERS) read[i] = v;
    }
    UNROLL for (u32 i = 0; i < WORDS; i++) {
        const u64 old = words.old[x.access + i];
        read[NUMBERS + i] = old;
        row.put_limbs(C::read + 2 * i, C::read + 2 * i + 1, old);
        const u64 time = 4ull * x.cycle + static_cast<u32>(word_slot[NUMBER * MAX_WORDS + i]);
        memory_gap(row, C::previous + i, C::gap + i, time, words.previous[x.access + i]);
    }
}

template <u32 WRITTEN, class C> DEVICE void put_written(const Row<C> &row, const u64 (&written)[WRITTEN]) {
    UNROLL for (u32 i = 0; i < WRITTEN; i++) row.put_limbs(C::written + 2 * i, C::written + 2 * i + 1, written[i]);
}
