// The table of the fib machine: rows (a, b), (b, a + b) and so on. Records are a and b of row 0.
//
// 2^k rows on, (a, b) has become (F(2^k - 1) a + F(2^k) b, F(2^k) a + F(2^k + 1) b). A thread jumps to its first row by the
// bits of its number and then goes on by the number of threads, a power of two, so that neighbouring threads write neighbouring
// rows. Four multiplications a row.
#include "goldilocks.cuh"

#define JUMPS 29

struct Jumps {
    Fp before[JUMPS], at[JUMPS];  // F(2^k - 1) and F(2^k)
};

DEVICE_BODY void jump(Fp &a, Fp &b, Fp before, Fp at) {
    Fp moved = before * a + at * b;
    b = at * a + (before + at) * b;
    a = moved;
}

KERNEL(trace_fib, 256, u64 *columns, u64 stride, const u64 *records, Jumps jumps, u32 log_threads, u64 rows) {
    u64 row = global_index();
    if (row >= rows) return;
    Fp a = fp(records[0]), b = fp(records[1]);
    for (u32 k = 0; k < log_threads; k++) {
        if (row >> k & 1) jump(a, b, jumps.before[k], jumps.at[k]);
    }
    const Fp before = jumps.before[log_threads], at = jumps.at[log_threads];
    for (; row < rows; row += 1ull << log_threads) {
        columns[row] = a.value;
        columns[stride + row] = b.value;
        jump(a, b, before, at);
    }
}
