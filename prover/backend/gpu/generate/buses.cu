// What LogUp and counting need beside a table's own messages: the same for all tables.
#include "goldilocks.cuh"

DEVICE Fp3 load_extension(const u64 *at, u64 stride) { return fp3(fp(at[0]), fp(at[stride]), fp(at[2 * stride])); }
DEVICE void store_extension(u64 *at, u64 stride, const Fp3 &a) { at[0] = a.a0.value, at[stride] = a.a1.value, at[2 * stride] = a.a2.value; }

// N / D for each batch, and the total of each row. The auxiliary columns hold the numerators, three columns a batch, and
// get the quotients; the last batch's make room for the running sum. Inverses are those of the rows from first on, count of them, batch after batch; totals have n words a coordinate.
KERNEL(logup_divide, 128, u64 *auxiliary, u64 stride, const u64 *inverses, u64 batches, u64 first, u64 count, u64 *totals, u64 n) {
    u64 i = global_index();
    if (i >= count) return;
    u64 *column = auxiliary + first + i;
    const u64 *inverse = inverses + i;
    Fp3 total = fp3(fp(0));
    UNROLL_BY(4) for (u64 b = 0; b < batches; b++) {
        Fp3 h = load_extension(column, stride) * load_extension(inverse, batches * count);
        store_extension(column, stride, h);
        total = total + h;
        column += 3 * stride;
        inverse += count;
    }
    store_extension(totals + first + i, n, total);
}

// The running sum of row i is the sum of all rows before it less i times the claimed sum over n, so that it comes round:
// from the inclusive sums, one row down. The claimed sum is the last of them.
KERNEL(logup_shift, 256, u64 *sum, u64 stride, const u64 *inclusive, u64 n, u64 inverse_n, u64 *claimed) {
    u64 i = global_index();
    if (i >= n) return;
    const Fp3 all = load_extension(inclusive + n - 1, n);
    Fp3 before = fp3(fp(0));
    if (i > 0) before = load_extension(inclusive + i - 1, n);
    store_extension(sum + i, stride, before - all * (fp(i) * fp(inverse_n)));
    if (i + 1 == n) store_extension(claimed, 1, all);
}

// A count was added up in halves of 32 bits, so that the sums are exact whatever the order: low + 2^32 high modulo p.
// A lane has a column of its own. Only the places of the entry have counts; those of other entries may stand in the same column.
KERNEL(count_fold, 256, u64 *columns, u64 stride, const u64 *counts, u64 rows, u64 places, u64 first, u64 length) {
    u64 i = first + global_index();
    if (i >= first + length) return;
    columns[i / rows * stride + i % rows] = (canonical(counts[i]) + canonical(counts[places + i]) * fp(1ull << 32)).value;
}
