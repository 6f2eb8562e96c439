// The tables that begin and end the chains of tokens, and those that extend them.
#pragma once
#include "cells.cuh"

template <class C> DEVICE void halt(const Row<C> &row, const Halt &x, const ProgramRow &k) {
    row.header(x.cycle, k);
    row.put_limbs(C::e0, C::e1, x.exit), row.put_time(C::pts1, x.cycle, x.previous1),
        row.put_time(C::pts2, x.cycle, x.previous2);
}

template <class C> DEVICE void refresh(const Row<C> &row, const Refresh &x) {
    row.put(C::m, 1), row.put(C::idx, x.index), row.put_limbs(C::lo, C::hi, x.value), row.put(C::pts, x.previous);
}

template <class C> DEVICE void final_token(const Row<C> &row, const Final &x) {
    row.put(C::fts, x.last), row.put_limbs(C::lo, C::hi, x.value);
}

// The first position in an ordered list of words whose word is not below, or count if there is none.
DEVICE u64 first_not_below(const Touched *list, u64 count, u32 word) {
    u64 lo = 0, hi = count;
    while (lo < hi) {
        const u64 middle = (lo + hi) / 2;
        if (list[middle].word < word)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

// A boundary of some height: the rows that its order needs, which begin with the word before memory, and enough of
// the lowest other words to fill it. Before entry j there are (word of entry j) - (first word) - j such words. When
// that reaches the number of spare rows, the fillers are used up: rows from dense on are entries again.
struct BoundaryRows {
    const Touched *must;
    u64 count, spare, dense;
};

DEVICE void boundary_rows(BoundaryRows &b, const Touched *must, u64 count, u64 rows) {
    b.must = must, b.count = count, b.spare = rows - count;
    u64 lo = 0, hi = count;
    while (lo < hi) {
        const u64 middle = (lo + hi) / 2;
        if (must[middle].word - must[0].word - middle < b.spare)
            lo = middle + 1;
        else
            hi = middle;
    }
    b.dense = lo + b.spare;
}

DEVICE void boundary_row(Touched &t, const BoundaryRows &b, u64 row) {
    if (row >= b.dense) {
        t = b.must[row - b.spare];
        return;
    }
    const u32 word = b.must[0].word + static_cast<u32>(row);
    const u64 at = first_not_below(b.must, b.count, word);
    t.word = word, t.last = 0, t.value = 0;
    if (at < b.count && b.must[at].word == word) t = b.must[at];
}
