// Sums of products of words and extension elements: dot products, down many columns with the same weights, and
// combinations, across columns with one coefficient each.
//
// Both read every column once, so they are bound by memory, and nearly by arithmetic: a word takes three products of
// 5.5 instructions (Sum). A thread copies the words that it uses to shared memory in advance, two at a time: pending
// copies need no registers, and no thread waits for another.
//
// For dot products, a warp takes three columns over a chunk of the rows, and a lane two of every 64 rows: a weight,
// three words, is read once for three columns. The warps of a block take adjacent columns over the same rows, so the
// weights that they read are in the first-level cache. The weights are copied to shared memory too: reading them
// directly took 0.7 ms longer, in a kernel of 2.5 ms.
#include "combine_structs.cuh"
#include "dot_structs.cuh"
#include "parts.cuh"

struct alignas(16) TwoWords {
    u64 first, second;
};

#ifdef __CUDACC__

// An asynchronous copy of sixteen bytes, bypassing the first-level cache, or through it if other warps read them too.
DEVICE void copy_ahead(TwoWords *to, const u64 *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(to))),
        "l"(__cvta_generic_to_global(from)) : "memory");
}
DEVICE void copy_ahead_cached(TwoWords *to, const u64 *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(to))),
        "l"(__cvta_generic_to_global(from)) : "memory");
}

#else

DEVICE void copy_ahead(TwoWords *to, const u64 *from) { to->first = from[0], to->second = from[1]; }
DEVICE void copy_ahead_cached(TwoWords *to, const u64 *from) { copy_ahead(to, from); }

#endif

// The sum over a warp's lanes, returned to each lane.
DEVICE Fp warp_sum(Fp a) {
    NO_UNROLL for (u32 distance = 16; distance > 0; distance /= 2)
        a = a + fp(__shfl_xor_sync(FULL_WARP, a.value, distance));
    return a;
}

#define DOT_STAGES 3  // tiles of 64 rows in shared memory: one being read, the others being copied

// A warp's columns and weights in a tile: a lane's two rows of each.
typedef TwoWords DotTile[DOT_COLUMNS + 3][32];

DEVICE void add_products(Sum (&sum)[3], u64 word, u64 factor0, u64 factor1, u64 factor2) {
    add_product(sum[0], fp(word), fp(factor0)), add_product(sum[1], fp(word), fp(factor1)),
        add_product(sum[2], fp(word), fp(factor2));
}

// The products of count times 64 rows of columns with weights. The pointers point to a lane's first pair of words.
DEVICE void add_tiles(Sum (&sum)[DOT_COLUMNS][3], const u64 *const (&from)[DOT_COLUMNS], const u64 *weights, u32 n,
    u32 count, DotTile *tiles) {
    const u32 lane = threadIdx.x & 31;
    u32 asked = 0;
    auto ask = [&](u32 into) {
        if (asked < count) {
            UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) copy_ahead(&tiles[into][j][lane], from[j] + 64 * asked);
            UNROLL for (u32 k = 0; k < 3; k++)
                copy_ahead_cached(&tiles[into][DOT_COLUMNS + k][lane], weights + static_cast<u64>(k) * n + 64 * asked);
        }
        ptx::close_group();
        asked++;
    };
    UNROLL for (u32 s = 0; s + 1 < DOT_STAGES; s++) ask(s);
    NO_UNROLL for (u32 t = 0; t < count; t += DOT_STAGES) UNROLL for (u32 s = 0; s < DOT_STAGES; s++) {
        if (t + s >= count) break;
        ptx::wait_for_groups<DOT_STAGES - 2>();
        ask((s + DOT_STAGES - 1) % DOT_STAGES);  // to the tile read in the previous iteration
        const DotTile &tile = tiles[s];
        TwoWords factor[3];
        UNROLL for (u32 k = 0; k < 3; k++) factor[k] = tile[DOT_COLUMNS + k][lane];
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) {
            const TwoWords word = tile[j][lane];
            add_products(sum[j], word.first, factor[0].first, factor[1].first, factor[2].first);
            add_products(sum[j], word.second, factor[0].second, factor[1].second, factor[2].second);
        }
    }
}

// The unit of a warp in a launch over all parts: a group of columns in a chunk of a part's rows. Warps take a chunk's
// groups and then the next chunk's.
struct DotUnit {
    const DotPart *part;
    u32 chunk, first;  // the first column
    DEVICE_MEMBER bool any() const { return chunk < part->chunks; }
};

DEVICE DotUnit dot_unit(const Dots &dots, u32 block) {
    const DotPart &part = part_of<&DotPart::first_block>(dots.parts, dots.count, block);
    const u32 number = (block - part.first_block) * DOT_WARPS + threadIdx.x / 32;
    DotUnit unit;
    unit.part = &part, unit.chunk = number / part.groups, unit.first = number % part.groups * DOT_COLUMNS;
    return unit;
}

// The sums of a warp's lanes. A column past the last one repeats the last and is not summed.
DEVICE void add_rows_of(Sum (&sum)[DOT_COLUMNS][3], const Dots &dots, const DotUnit &unit, DotTile *tiles) {
    const DotPart &part = *unit.part;
    const u32 lane = threadIdx.x & 31;
    const u64 n = part.n, start = unit.chunk * part.chunk_rows;
    const u64 *from[DOT_COLUMNS], *weights = dots.work + part.weights;
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++)
        from[j] = at_offset(dots.base,
            dots.offsets[part.first_column + (unit.first + j < part.columns ? unit.first + j : part.columns - 1)]);
    if (n % 64 == 0) {
        UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) from[j] += start + 2 * lane;
        const u64 rows = start + part.chunk_rows < n ? part.chunk_rows : n - start;
        add_tiles(sum, from, weights + start + 2 * lane, static_cast<u32>(n), static_cast<u32>(rows / 64),
            tiles + threadIdx.x / 32 * DOT_STAGES);
    } else {
        NO_UNROLL for (u64 row = lane; row < n; row += 32)
            UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++)
                add_products(sum[j], from[j][row], weights[row], weights[n + row], weights[2 * n + row]);
    }
}

// The sums of all parts over their chunks.
KERNEL_OCCUPANCY(dot_sums, 32 * DOT_WARPS, 2, Dots dots) {
    DYNAMIC_SHARED(DotTile, tiles);
    u32 block = blockIdx.x;
    if (!dot_unit(dots, block).any()) return;
    Sum sum[DOT_COLUMNS][3];
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) sum[j][k] = sum_zero();
    add_rows_of(sum, dots, dot_unit(dots, block), tiles);
    asm volatile("" : "+r"(block));  // so that the unit is computed again below, and takes no registers until then
    const DotUnit unit = dot_unit(dots, block);
    const DotPart &part = *unit.part;
    u64 *partial = dots.work + part.partial + unit.chunk;
    UNROLL for (u32 j = 0; j < DOT_COLUMNS; j++) UNROLL for (u32 k = 0; k < 3; k++) {
        Fp whole = warp_sum(total(sum[j][k]));
        if ((threadIdx.x & 31) == 0 && unit.first + j < part.columns)
            partial[(3 * static_cast<u64>(unit.first + j) + k) * part.chunks] = whole.value;
    }
}

// out[3 c + k] = coordinate k of the scaled sum of column c's chunks. One warp per column.
KERNEL(dot_totals, DOT_TOTALS_THREADS, Dots dots) {
    const u32 lane = threadIdx.x & 31, column = static_cast<u32>(global_index() / 32);
    if (column >= dots.columns) return;
    const DotPart &part = part_of<&DotPart::first_column>(dots.parts, dots.count, column);
    const u64 *partial = dots.work + part.partial + 3 * static_cast<u64>(column - part.first_column) * part.chunks;
    Fp sum[3];
    UNROLL for (u32 k = 0; k < 3; k++) {
        Fp own = fp(0);
        for (u32 i = lane; i < part.chunks; i += 32) own = own + fp(partial[k * part.chunks + i]);
        sum[k] = part.chunks > 1 ? warp_sum(own) : own;  // the first lane has the only chunk's sum
    }
    const Fp3 scaled = fp3(sum[0], sum[1], sum[2]) * part.scale;
    if (lane == 0) {
        u64 *out = dots.out + 3 * static_cast<u64>(column);
        out[0] = scaled.a0.value, out[1] = scaled.a1.value, out[2] = scaled.a2.value;
    }
}

#define COMBINE_TERMS 8  // terms that a thread processes while it copies as many more

DEVICE Fp3 totals(const Sum *s) { return fp3(total(s[0]), total(s[1]), total(s[2])); }

// A thread's words of some terms; row is a row of its first slice.
struct Slice {
    const u64 *base;
    const Term *terms;
    u32 count;
};

// slice_of is the part of some terms that a slice of a block's threads takes.
DEVICE Slice slice_of(const u64 *base, const Term *terms, u32 count, u32 slice, u32 slices) {
    const u32 share = (count + slices - 1) / slices, before = slice * share;
    Slice s;
    s.base = base, s.terms = terms + before,
        s.count = before < count ? (share < count - before ? share : count - before) : 0;
    return s;
}

// The sums of two adjacent rows with one set of the terms' coefficients. In shared memory, a thread's consecutive words
// are COMBINE_THREADS apart.
template <bool SECOND> DEVICE void add_rows(Sum (&sum)[2][3], const Slice &own, u64 row, TwoWords *places) {
    const u32 whole = own.count / COMBINE_TERMS * COMBINE_TERMS;
    auto ask = [&](u32 t, u32 half) {
        UNROLL for (u32 j = 0; j < COMBINE_TERMS; j++)
            copy_ahead(places + (half * COMBINE_TERMS + j) * COMBINE_THREADS,
                at_offset(own.base, own.terms[t + j].offset) + row);
    };
    auto add = [&](const Term &term, const TwoWords &word) {
        // The offset, the first coefficient, the second one.
        const TwoWords *words = reinterpret_cast<const TwoWords *>(&term);
        const TwoWords one = words[SECOND ? 2 : 0], other = words[SECOND ? 3 : 1];
        const u64 factor[3] =
            {SECOND ? one.first : one.second, SECOND ? one.second : other.first, SECOND ? other.first : other.second};
        add_products(sum[0], word.first, factor[0], factor[1], factor[2]);
        add_products(sum[1], word.second, factor[0], factor[1], factor[2]);
    };
    UNROLL for (u32 r = 0; r < 2; r++) UNROLL for (u32 k = 0; k < 3; k++) sum[r][k] = sum_zero();
    if (whole != 0) ask(0, 0);
    u32 half = 0;
    NO_UNROLL for (u32 t = 0; t < whole; t += COMBINE_TERMS) {
        ptx::copy_async_wait();
        if (t + COMBINE_TERMS < whole) ask(t + COMBINE_TERMS, half ^ 1);
        UNROLL for (u32 j = 0; j < COMBINE_TERMS; j++)
            add(own.terms[t + j], places[(half * COMBINE_TERMS + j) * COMBINE_THREADS]);
        half ^= 1;
    }
    NO_UNROLL for (u32 t = whole; t < own.count; t++)
        add(own.terms[t], *reinterpret_cast<const TwoWords *>(at_offset(own.base, own.terms[t].offset) + row));
}

// A thread's share of a launch over all parts: two rows of a part's n, which is even, with a slice of its terms. If
// there are few rows, a block's slices share the terms.
struct CombineRows {
    const CombinePart *part;
    u32 own, slice;  // the number of threads in a slice, and this thread's slice
    u64 row;         // the first of two

    DEVICE_MEMBER bool live() const { return row < part->n; }
};

DEVICE CombineRows combine_rows(const Combinations &all, u32 block) {
    const CombinePart &part = part_of<&CombinePart::first_block>(all.parts, all.count, block);
    CombineRows rows;
    rows.part = &part, rows.own = COMBINE_THREADS / part.slices, rows.slice = threadIdx.x / rows.own;
    rows.row = 2 * (static_cast<u64>(block - part.first_block) * rows.own + threadIdx.x % rows.own);
    return rows;
}

// Adds the sums of a thread's rows over all slices of the terms, and stores them, in the first slice.
DEVICE void store_combination(const Fp3Array &out, const Sum (&sum)[2][3], const CombineRows &rows, TwoWords *words) {
    Fp3 total[2] = {totals(sum[0]), totals(sum[1])};
    if (rows.part->slices > 1) {
        Fp3 *all = reinterpret_cast<Fp3 *>(words);
        __syncthreads();  // all words have been read
        all[2 * threadIdx.x] = total[0], all[2 * threadIdx.x + 1] = total[1];
        __syncthreads();
        if (rows.slice == 0) {
            NO_UNROLL for (u32 other = threadIdx.x + rows.own; other < COMBINE_THREADS; other += rows.own) {
                total[0] = total[0] + all[2 * other];
                total[1] = total[1] + all[2 * other + 1];
            }
        }
        __syncthreads();
    }
    if (rows.slice == 0 && rows.live()) UNROLL for (u32 r = 0; r < 2; r++) put(out, rows.row + r, total[r]);
}

// The combination with one set of coefficients, over the terms that have them. A thread past the end works on the
// first rows and stores nothing.
template <bool SECOND> DEVICE void combine(const Combinations &all, TwoWords *words) {
    u32 block = blockIdx.x;
    Sum sum[2][3];
    {
        const CombineRows rows = combine_rows(all, block);
        const CombinePart &part = *rows.part;
        if (SECOND && part.both == 0) return;
        add_rows<SECOND>(sum,
            slice_of(all.base, all.terms + part.first_term, SECOND ? part.both : part.count, rows.slice, part.slices),
            rows.live() ? rows.row : 0, words + threadIdx.x);
    }
    asm volatile("" : "+r"(block));  // so that the rows are computed again below, and take no registers until then
    const CombineRows rows = combine_rows(all, block);
    store_combination(Fp3Array{all.out + (SECOND ? rows.part->second : rows.part->first), rows.part->n}, sum, rows,
        words);
}

// first[i] = the sum over all of a part's terms of coefficient times entry i of the column; second[i] = the same with
// the second coefficients, which only the first `both` terms have. Those terms are read again: reading them once, for
// both sums of a row at a time, was measured to be slower.
KERNEL_OCCUPANCY(combine_columns, COMBINE_THREADS, 4, Combinations all) {
    SHARED(TwoWords, words, [2 * COMBINE_TERMS * COMBINE_THREADS]);
    combine<false>(all, words);
    combine<true>(all, words);
}
