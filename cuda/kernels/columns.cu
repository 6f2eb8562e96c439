// Copies of columns.
#include "goldilocks.cuh"

// Column k of out is column numbers[k] of in, or column k where numbers is null. A row of blocks a column; height words
// are copied.
KERNEL(copy_columns, 256, u64 *out, u64 out_stride, const u64 *in, u64 in_stride, const u64 *numbers, u64 height) {
    u64 row = global_index();
    if (row < height) {
        u64 from = numbers == nullptr ? blockIdx.y : numbers[blockIdx.y];
        out[blockIdx.y * out_stride + row] = in[from * in_stride + row];
    }
}
