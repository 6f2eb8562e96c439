// The tables of the tour machine: recorded rows, and repeated cubes of two.
#include "goldilocks.cuh"
#include "columns.cuh"

// Rows after the recorded ones are zero.
KERNEL(trace_rows, 64, u64 *columns, u64 stride, u64 rows, u64 first, u64 *work, const u64 *record, u64 words) {
    const u64 row = global_index();
    if (row >= rows) return;
    const u64 at = (first + row) * COLUMNS;
    for (u32 c = 0; c < COLUMNS; c++) columns[c * stride + row] = at + c < words ? record[at + c] : 0;
}

KERNEL(trace_cubes, 64, u64 *columns, u64 stride, u64 rows, u64 first, u64 *work) {
    const u64 row = global_index();
    if (row >= rows) return;
    Fp c = fp(2);
    for (u64 i = 0; i < row; i++) c = c * c * c;
    columns[row] = c.value;
}
