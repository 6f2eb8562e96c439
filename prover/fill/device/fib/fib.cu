// The table of the fib machine: rows (a, b), (b, a + b) and so on. The record set is a and b of row 0.
//
// After 2^k rows, (a, b) has become (F(2^k - 1) a + F(2^k) b, F(2^k) a + F(2^k + 1) b). A thread jumps to its first
// row by the bits of its number and then advances by the number of threads, a power of two, so that adjacent threads
// write adjacent rows. That is four multiplications per row.
#include "goldilocks.cuh"
#include "columns.cuh"
#include "jumps.cuh"

DEVICE_BODY void jump(Fp &a, Fp &b, Fp before, Fp at) {
    Fp moved = before * a + at * b;
    b = at * a + (before + at) * b;
    a = moved;
}

KERNEL(trace_fib, 256, u64 *columns, u64 stride, u64 rows, u64 first, u64 *work, const u64 *start, u64 words) {
    u64 row = global_index();
    u32 log_threads = 0;
    while (log_threads < LOG_THREADS && 1ull << log_threads < rows) log_threads++;
    if (row >> log_threads) return;
    Fp a = fp(start[0]), b = fp(start[1]);
    for (u32 k = 0; k < log_threads; k++) {
        if (row >> k & 1) jump(a, b, fp(jump_before[k]), fp(jump_at[k]));
    }
    const Fp before = fp(jump_before[log_threads]), at = fp(jump_at[log_threads]);
    for (; row < rows; row += 1ull << log_threads) {
        columns[COLUMN_A * stride + row] = a.value;
        columns[COLUMN_B * stride + row] = b.value;
        jump(a, b, before, at);
    }
}
