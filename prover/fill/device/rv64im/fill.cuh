// What the kernels that fill tables from records have in common: one thread per row. A row reads its record, and writes
// its cells. A warp reads consecutive records, and writes consecutive words of each column. Rows after the last record
// are padding.
#pragma once
#include "instances.cuh"
#include "cells.cuh"

// is_padding reports whether a row is after the last record, and if so clears the row's cells.
template <class C> DEVICE bool is_padding(const Row<C> &row, u64 number, u64 records) {
    if (number < records) return false;
    NO_UNROLL for (u32 c = 0; c < C::COLUMN_COUNT; c++) row.put(c, 0);
    return true;
}

// The start of every kernel: it returns if the thread has nothing to do, and declares row and the record x.
#define ROW_OF_RECORD(NAME, RECORD)                                                     \
    const u64 number = global_index();                                                  \
    Row<Columns##NAME> row;                                                             \
    if (!place_row(instances, number, row.cells, row.stride)) return;                   \
    if (is_padding(row, number, words / (sizeof(RECORD) / sizeof(u64)))) return;        \
    const RECORD x = reinterpret_cast<const RECORD *>(records)[number];
