// Sums of products of words and elements of the extension: down many columns with the same weights, dot products, and across
// them with a coefficient each, combinations.
//
// Both read every column once, so memory bounds them, and arithmetic nearly does: a word takes three products of 5.5
// instructions (Sum). A thread copies its words to shared memory ahead, two at a time, and reads them there itself: what is
// under way takes no registers, and no thread waits for another.
//
// For dot products a warp takes three columns and a chunk of the rows, a lane two rows of 64: a weight, three words, serves
// three products of three. The warps of a block take neighbouring columns over the same rows, so the weights they read are in
// the first-level cache. They come by shared memory too: read where they are needed, they took 0.7 ms more of 2.5.
#include "combine_structs.cuh"
#include "dot_structs.cuh"

struct alignas(16) TwoWords {
    u64 first, second;
};

#ifdef __CUDACC__

// Sixteen bytes that come by themselves: past the first-level cache, or by it where other warps read them too. A group is
// what a thread has asked for since it closed the last one.
DEVICE void copy_ahead(TwoWords *to, const u64 *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(to))), "l"(__cvta_generic_to_global(from)) : "memory");
}
DEVICE void copy_ahead_cached(TwoWords *to, const u64 *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(to))), "l"(__cvta_generic_to_global(from)) : "memory");
}
DEVICE void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Waits until at most so many groups are under way.
template <u32 GROUPS> DEVICE void wait_for_groups() { asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory"); }

#else

DEVICE void copy_ahead(TwoWords *to, const u64 *from) { to->first = from[0], to->second = from[1]; }
DEVICE void copy_ahead_cached(TwoWords *to, const u64 *from) { copy_ahead(to, from); }
DEVICE void close_group() {}
template <u32 GROUPS> DEVICE void wait_for_groups() {}

#endif

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

#define DOT_CHUNK_THREADS 256
#define DOT_STAGES 3  // tiles of 64 rows in shared memory, all but one of them under way

// A warp's columns and weights in a tile: a lane's two rows of each.
typedef TwoWords DotTile[DOT_COLUMNS + 3][32];

// Block (g, chunk) takes the g-th group of columns. The rows and those of a chunk are multiples of 64. A warp past the last
// column works on that and stores nothing.
KERNEL_OCCUPANCY(dot_chunks, DOT_CHUNK_THREADS, 2, Dot dot) {
    DYNAMIC_SHARED(DotTile, tiles);
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x & 31, first = (blockIdx.x * (blockDim.x / 32) + warp) * DOT_COLUMNS;
    const u64 start = blockIdx.y * dot.chunk_rows;
    const u32 count = static_cast<u32>(start + dot.chunk_rows < dot.n ? dot.chunk_rows : dot.n - start) / 64;
    const u64 *from[DOT_COLUMNS + 3];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) from[j] = at_offset(dot.base, dot.offsets[first + j < dot.columns ? first + j : dot.columns - 1]);
    UNROLL for (u32 k = 0; k < 3; k++) from[DOT_COLUMNS + k] = dot.weights.words + k * dot.weights.stride;
    UNROLL for (u32 j = 0; j < DOT_COLUMNS + 3; j++) from[j] += start + 2 * lane;
    Sum sum[DOT_COLUMNS][3];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) sum[j][k] = sum_zero();
    tiles += warp * DOT_STAGES;
    u32 asked = 0, into = 0;  // tiles asked for, and where the next goes
    auto ask = [&]() {
        if (asked < count) {
            UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) copy_ahead(&tiles[into][j][lane], from[j] + 64 * asked);
            UNROLL for (u32 j = DOT_COLUMNS; j < DOT_COLUMNS + 3; j++) copy_ahead_cached(&tiles[into][j][lane], from[j] + 64 * asked);
        }
        close_group();
        asked++;
        into = into + 1 == DOT_STAGES ? 0 : into + 1;
    };
    UNROLL for (u32 s = 0; s + 1 < DOT_STAGES; s++) ask();
    u32 stage = 0;
    NO_UNROLL for (u32 t = 0; t < count; t++) {
        wait_for_groups<DOT_STAGES - 2>();
        ask();  // to the place that was read the turn before
        const DotTile &tile = tiles[stage];
        TwoWords factor[3];
        UNROLL for (u32 k = 0; k < 3; k++) factor[k] = tile[DOT_COLUMNS + k][lane];
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) {
            const TwoWords word = tile[j][lane];
            UNROLL for (u32 k = 0; k < 3; k++) add_product(sum[j][k], fp(word.first), fp(factor[k].first));
            UNROLL for (u32 k = 0; k < 3; k++) add_product(sum[j][k], fp(word.second), fp(factor[k].second));
        }
        stage = stage + 1 == DOT_STAGES ? 0 : stage + 1;
    }
    store_sums(dot, sum, first);
}

// The same for any number of rows, all in one chunk: for small matrices.
KERNEL_OCCUPANCY(dot_rows, DOT_THREADS, 1, Dot dot) {
    const u32 first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * DOT_COLUMNS;
    const u64 *column[DOT_COLUMNS];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) column[j] = at_offset(dot.base, dot.offsets[first + j < dot.columns ? first + j : dot.columns - 1]);
    Sum sum[DOT_COLUMNS][3];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) sum[j][k] = sum_zero();
    NO_UNROLL for (u64 row = threadIdx.x & 31; row < dot.n; row += 32) {
        const Fp3 weight = get(dot.weights, row);
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) {
            const Fp word = fp(column[j][row]);
            add_product(sum[j][0], word, weight.a0), add_product(sum[j][1], word, weight.a1), add_product(sum[j][2], word, weight.a2);
        }
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

#define COMBINE_THREADS 128
#define COMBINE_TERMS 8  // of which a thread's words are under way while it works on as many

DEVICE Fp3 totals(const Sum *s) { return fp3(total(s[0]), total(s[1]), total(s[2])); }

// The sums of two neighbouring rows, by one set of the terms' coefficients.
template <bool SECOND> struct Combination {
    Sum sum[2][3];

    DEVICE_MEMBER void add(const Term &term, const TwoWords &word) {
        const TwoWords *words = reinterpret_cast<const TwoWords *>(&term);  // the offset, the first coefficient, the second one
        const TwoWords one = words[SECOND ? 2 : 0], other = words[SECOND ? 3 : 1];
        const Fp factor[3] = {fp(SECOND ? one.first : one.second), fp(SECOND ? one.second : other.first), fp(SECOND ? other.first : other.second)};
        UNROLL for (u32 k = 0; k < 3; k++) {
            add_product(sum[0][k], fp(word.first), factor[k]);
            add_product(sum[1][k], fp(word.second), factor[k]);
        }
    }
    // own is the thread's first place in shared memory, places those from one of its places to the next.
    DEVICE_MEMBER void add_all(const u64 *base, const Term *terms, u32 count, u64 row, TwoWords *own, u32 places) {
        UNROLL for (u32 k = 0; k < 3; k++) sum[0][k] = sum[1][k] = sum_zero();
        const u32 whole = count / COMBINE_TERMS * COMBINE_TERMS;
        auto ask = [&](u32 t, u32 half) {
            UNROLL for (u32 j = 0; j < COMBINE_TERMS; j++) copy_ahead(own + (half * COMBINE_TERMS + j) * places, at_offset(base, terms[t + j].offset) + row);
        };
        if (whole != 0) ask(0, 0);
        u32 half = 0;
        NO_UNROLL for (u32 t = 0; t < whole; t += COMBINE_TERMS) {
            ptx::copy_async_wait();
            if (t + COMBINE_TERMS < whole) ask(t + COMBINE_TERMS, half ^ 1);
            UNROLL for (u32 j = 0; j < COMBINE_TERMS; j++) add(terms[t + j], own[(half * COMBINE_TERMS + j) * places]);
            half ^= 1;
        }
        NO_UNROLL for (u32 t = whole; t < count; t++) add(terms[t], *reinterpret_cast<const TwoWords *>(at_offset(base, terms[t].offset) + row));
    }
};

// The sums of a thread's rows, from those of all slices of the terms, in the first slice.
template <bool SECOND> DEVICE void store_combination(const Fp3Array &out, const u64 *base, const Term *terms, u32 count, u64 row, bool live, u32 slices, TwoWords *words) {
    const u32 own = blockDim.x / slices, share = (count + slices - 1) / slices, slice = threadIdx.x / own, before = slice * share;
    Combination<SECOND> sums;
    sums.add_all(base, terms + before, before < count ? (share < count - before ? share : count - before) : 0, row, words + threadIdx.x, blockDim.x);
    Fp3 total[2] = {totals(sums.sum[0]), totals(sums.sum[1])};
    if (slices > 1) {
        Fp3 *all = reinterpret_cast<Fp3 *>(words);
        __syncthreads();  // the words have been read
        all[2 * threadIdx.x] = total[0], all[2 * threadIdx.x + 1] = total[1];
        __syncthreads();
        if (slice == 0) {
            NO_UNROLL for (u32 other = threadIdx.x + own; other < blockDim.x; other += own) {
                total[0] = total[0] + all[2 * other];
                total[1] = total[1] + all[2 * other + 1];
            }
        }
        __syncthreads();
    }
    if (slice == 0 && live) {
        put(out, row, total[0]);
        put(out, row + 1, total[1]);
    }
}

// first[i] = sum over all terms of coefficient times entry i of the column; second[i] = the same with the second coefficients,
// over the first `both` terms, which alone have one and are read again for it. A thread has two rows of n, which is even. Where
// rows are few, slices of a block take a share of the terms each.
KERNEL_OCCUPANCY(combine_columns, COMBINE_THREADS, 4, Fp3Array out_first, Fp3Array out_second, const u64 *base, const Term *terms, u32 both, u32 count, u64 n, u32 slices) {
    SHARED(TwoWords, words, [2 * COMBINE_TERMS * COMBINE_THREADS]);
    const u32 own = blockDim.x / slices;
    const u64 row = 2 * (static_cast<u64>(blockIdx.x) * own + threadIdx.x % own);
    const bool live = row < n;  // a thread past the end works on the first rows and stores nothing
    store_combination<false>(out_first, base, terms, count, live ? row : 0, live, slices, words);
    if (both != 0) store_combination<true>(out_second, base, terms, both, live ? row : 0, live, slices, words);
}
