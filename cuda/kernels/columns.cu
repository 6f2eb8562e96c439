// Copies of columns, and of selected rows.
#include "goldilocks.cuh"

// Column k of out is column numbers[k] of in, or column k if numbers is null. One row of blocks per column; height
// words are copied.
KERNEL(copy_columns, 256, u64 *out, u64 out_stride, const u64 *in, u64 in_stride, const u64 *numbers, u64 height) {
    u64 row = global_index();
    if (row < height) {
        u64 from = numbers == nullptr ? blockIdx.y : numbers[blockIdx.y];
        out[blockIdx.y * out_stride + row] = in[from * in_stride + row];
    }
}

// Entry k of each column of out is entry rows[k] of the same column of in. One row of blocks per column.
KERNEL(pick_rows, 256, u64 *out, u64 out_stride, const u64 *in, u64 in_stride, const u64 *rows, u64 count) {
    u64 k = global_index();
    if (k < count) out[blockIdx.y * out_stride + k] = in[blockIdx.y * in_stride + rows[k]];
}
