// The preprocessed columns of the xor4 table: row a + 16 b is (a, b, a xor b).
#include "dialect.cuh"

KERNEL(preprocess_xor4, 256, u64 *columns, u64 stride, u64 rows) {
    u64 row = global_index();
    if (row >= rows) return;
    u64 a = row & 15, b = row >> 4;
    columns[row] = a;
    columns[stride + row] = b;
    columns[2 * stride + row] = a ^ b;
}
