// The parts of LogUp and counting that are the same for all tables.
#include "batch.cuh"
#include "divided.cuh"
#include "parts.cuh"

DEVICE Fp3 load_extension(const u64 *at, u64 stride) { return fp3(fp(at[0]), fp(at[stride]), fp(at[2 * stride])); }
DEVICE void store_extension(u64 *at, u64 stride, const Fp3 &a) {
    at[0] = a.a0.value, at[stride] = a.a1.value, at[2 * stride] = a.a2.value;
}

// N / D for each batch, and the total of each row. The auxiliary columns hold the numerators, three columns per
// batch, and receive the quotients; the last batch's columns are freed for the running sum. A coordinate of the
// inverses has next words, a coordinate of the totals `rows`. Only the inverse of zero is zero.
KERNEL(logup_divide, 128, const DividedRows *parts, u32 count, u64 next, u64 rows) {
    const DividedRows &own = part_of_block(parts, count);
    const u64 i = index_in_part(parts, own), each = own.count, batches = own.batches, stride = own.stride;
    if (i >= each) return;
    u64 *column = own.auxiliary + own.first + i, *totals = own.totals + own.first + i;
    const u64 *at = own.inverses + i;
    Fp3 total = fp3(fp(0));
    u32 zeros = 0;
    UNROLL_BY(4) for (u64 b = 0; b < batches; b++) {
        const Fp3 inverse = load_extension(at, next), h = load_extension(column, stride) * inverse;
        zeros += is_zero(inverse) ? 1 : 0;
        store_extension(column, stride, h);
        total = total + h;
        column += 3 * stride;
        at += each;
    }
    store_extension(totals, rows, total);
    if (zeros != 0) atomicAdd(own.result, static_cast<u64>(zeros));
}

// The running sum of row i is the sum of all rows before it minus i times the claimed sum over n, so that it is
// cyclic. It comes from the inclusive sums, one row down, minus the sums of the instances before. The claimed sum is
// the last inclusive sum.
KERNEL(logup_shift, 128, const DividedRows *parts, u32 count, u64 rows) {
    const DividedRows &own = part_of_block(parts, count);
    const u64 i = index_in_part(parts, own), n = own.n;
    if (i >= n) return;
    const u64 *inclusive = own.totals;
    Fp3 base = fp3(fp(0));
    if (own.behind != 0) base = load_extension(inclusive - 1, rows);
    const Fp3 all = load_extension(inclusive + n - 1, rows) - base;
    Fp3 before = fp3(fp(0));
    if (i > 0) before = load_extension(inclusive + i - 1, rows) - base;
    store_extension(own.auxiliary + 3 * (own.batches - 1) * own.stride + i, own.stride,
        before - all * (fp(i) * fp(own.inverse_n)));
    if (i + 1 == n) store_extension(own.result + 1, 1, all);
}

// Clears the count columns of a table, because entries fill only their own rows.
KERNEL(count_clear, 256, u64 *columns, u64 stride, u64 rows) {
    const u64 i = global_index();
    if (i < rows) columns[blockIdx.y * stride + i] = 0;
}

// A count is summed in halves of 32 bits, so that the sums are exact in any order: low + 2^32 high modulo p. Each
// lane has its own column. Only the indices of the entry have counts; those of other entries may be in the same
// column. No sum over all copies reaches 2^64.
KERNEL(count_fold, 256, u64 *columns, u64 stride, const u64 *counts, u64 copies, u64 copied, u64 rows, u64 places,
    u64 first, u64 length) {
    u64 i = first + global_index();
    if (i >= first + length) return;
    u64 low_half = counts[i];
    const u64 high_half = counts[places + i], *more = counts + 2 * places + i;
    if (i < copied) {
        NO_UNROLL for (u64 copy = 1; copy < copies; copy++, more += copied) low_half += *more;
    }
    columns[i / rows * stride + i % rows] = (canonical(low_half) + canonical(high_half) * fp(1ull << 32)).value;
}
