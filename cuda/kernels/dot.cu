// Dot products of many columns with the same weights in the extension.
//
// A warp takes three columns and a chunk of the rows, a lane every 32nd row: a weight, three words, serves three products of
// three. The warps of a block take neighbouring columns over the same rows, so the weights they read are in the first-level
// cache. What a column word costs is three products of 5.5 instructions (Sum), about what reading it from memory does.
#include "dot_structs.cuh"

// A lane's words of two rows, 32 apart.
struct DotWords {
    u64 word[2][DOT_COLUMNS];
};

// Where a thread is in its weights and columns.
struct DotCursor {
    const u64 *weight[3], *column[DOT_COLUMNS];

    // A warp past the last column works on that and stores nothing.
    DEVICE_MEMBER DotCursor(const u64 *base, const u64 *offsets, u32 first, u32 columns, const Fp3Array &weights, u64 row) {
        UNROLL for (u32 k = 0; k < 3; k++) weight[k] = weights.words + k * weights.stride + row;
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) column[j] = at_offset(base, offsets[first + j < columns ? first + j : columns - 1]) + row;
    }
    DEVICE_MEMBER void load(DotWords &w) const {
        UNROLL for (u32 r = 0; r < 2; r++) UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) w.word[r][j] = column[j][32 * r];
    }
    // Adds up the products of two rows from weights that stand `rows` before those of the cursor.
    template <i32 ROWS> DEVICE_MEMBER void add(Sum (*sum)[3], const DotWords &w) const {
        UNROLL for (i32 r = 0; r < 2; r++) {
            Fp factor[3];
            UNROLL for (u32 k = 0; k < 3; k++) factor[k] = fp(weight[k][32 * r - ROWS]);
            UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) add_product(sum[j][k], fp(w.word[r][j]), factor[k]);
        }
    }
    DEVICE_MEMBER void advance(u32 rows) {
        UNROLL for (u32 k = 0; k < 3; k++) weight[k] += rows;
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) column[j] += rows;
    }
};

// The sum over a warp's lanes, in all of them.
DEVICE Fp warp_sum(Fp a) {
    NO_UNROLL for (u32 distance = 16; distance > 0; distance /= 2) a = a + fp(__shfl_xor_sync(FULL_WARP, a.value, distance));
    return a;
}

DEVICE void store_sums(const Dot &dot, Sum (*sum)[3], u32 first) {
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) {
        Fp whole = warp_sum(total(sum[j][k]));
        if ((threadIdx.x & 31) == 0 && first + j < dot.columns) dot.partial[(3 * static_cast<u64>(first + j) + k) * dot.chunks + blockIdx.y] = whole.value;
    }
}

// Block (g, chunk) takes the g-th group of columns. The rows and those of a chunk are multiples of 128.
KERNEL_OCCUPANCY(dot_chunks, DOT_THREADS, 1, Dot dot) {
    const u32 first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * DOT_COLUMNS;
    const u64 start = blockIdx.y * dot.chunk_rows;
    u32 rows = static_cast<u32>(start + dot.chunk_rows < dot.n ? dot.chunk_rows : dot.n - start);
    DotCursor at(dot.base, dot.offsets, first, dot.columns, dot.weights, start + (threadIdx.x & 31));
    Sum sum[DOT_COLUMNS][3];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) sum[j][k] = sum_zero();
    // Words come two pairs of rows in turn: one is in flight while the other is multiplied. After the last one the cursor
    // stays, and what is read once more is not used.
    DotWords even, odd;
    at.load(even);
    NO_UNROLL while (rows != 0) {
        at.advance(64);
        at.load(odd);
        at.add<64>(sum, even);
        rows -= 128;
        const u32 ahead = rows != 0 ? 64 : 0;
        at.advance(ahead);
        at.load(even);
        at.advance(64 - ahead);
        at.add<64>(sum, odd);
    }
    store_sums(dot, sum, first);
}

// The same for any number of rows, all in one chunk: for small matrices.
KERNEL_OCCUPANCY(dot_rows, DOT_THREADS, 1, Dot dot) {
    const u32 first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * DOT_COLUMNS;
    DotCursor at(dot.base, dot.offsets, first, dot.columns, dot.weights, threadIdx.x & 31);
    Sum sum[DOT_COLUMNS][3];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) sum[j][k] = sum_zero();
    NO_UNROLL for (u64 row = threadIdx.x & 31; row < dot.n; row += 32) {
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) add_product(sum[j][k], fp(*at.column[j]), fp(*at.weight[k]));
        at.advance(32);
    }
    store_sums(dot, sum, first);
}

// out[3 c + k] = coordinate k of scale times the sum of column c's chunks. A warp a column.
KERNEL(dot_totals, 128, u64 *out, const u64 *partial, u32 columns, u32 chunks, Fp3 scale) {
    const u32 lane = threadIdx.x & 31;
    const u64 column = global_index() / 32;
    Fp sum[3];
    UNROLL for (u32 k = 0; k < 3; k++) {
        Fp own = fp(0);
        if (column < columns)
            for (u32 i = lane; i < chunks; i += 32) own = own + fp(partial[(3 * column + k) * chunks + i]);
        sum[k] = chunks > 1 ? warp_sum(own) : own;  // the first lane has the only chunk's
    }
    Fp3 scaled = fp3(sum[0], sum[1], sum[2]) * scale;
    if (lane == 0 && column < columns) {
        out[3 * column] = scaled.a0.value;
        out[3 * column + 1] = scaled.a1.value;
        out[3 * column + 2] = scaled.a2.value;
    }
}
