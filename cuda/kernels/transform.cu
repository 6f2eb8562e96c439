// Batched number-theoretic transforms over columns, decimation in frequency.
//
// A transform of 2^L points is split into passes of 4 to 8 levels, at most four. A pass of B levels over
// subtransforms of 2^S points takes rows r = 0 .. 2^B - 1 at distance 2^(S-B) for each of the 2^(S-B) values of j,
// transforms the rows, and multiplies coefficient k by w^(j k), w of order 2^S. What remains is 2^B contiguous
// subtransforms of 2^(S-B) points. In place, the result is in bit-reversed order.
//
// A block holds a tile: 2^B rows of some lanes, a lane being one (subtransform, j). Each thread has 16 points: a
// radix-16 step on the four high bits of r, an exchange through shared memory, and a step on the remaining bits. It
// keeps its 16 outer twiddles while it processes its columns.
//
// Sixteen lanes fill a line of memory. Before the last pass a tile has no more lanes, and thus one thread per row:
// fewer threads wait less for one another. In the last pass a lane is contiguous and belongs to one warp, which needs
// no barrier except for a store in natural order. For that store a block has 256 threads, so that a tile has at least
// sixteen lanes; with four levels it has 256. A pass of four levels is one step: no exchange and no inner twiddles.
//
// A low-degree extension to 2^E cosets is 2^E transforms of the same coefficients, the c-th over the coset of shift
// s_c = g w_n^c: in bit-reversed order of the whole extension, coset c is the contiguous part rev(c). So there is no
// padding to read. A launch may also compute a single coset, of any number modulo the order of w_n. The scaling by
// s_c^i, i = r 2^(S-B) + j, has three factors: the factor of the high four bits of r is multiplied in at the load,
// that of its low bits is part of the inner twiddles, that of j part of the outer ones.
//
// Sixteen more words in transit would not fit a thread's registers. If shared memory has space for a second tile, the
// next column's words are copied there asynchronously while this column is processed: a block then does not wait for
// loads.
//
// The inverse transform is the forward one with output k stored at -k, and 1/n among the inner twiddles, or the outer
// ones if there is one step.
#include "butterfly.cuh"
#include "transform_structs.cuh"

// root_power is w^e for w of order 2^order.
DEVICE u64 root_power(const Transform &t, u32 e, u32 order) { return root_residue(t.root, e, order); }

// coset_power is s_c^i.
DEVICE u64 coset_power(const Transform &t, u32 coset, u64 i) {
    u32 order = t.log_size + t.log_cosets;
    u32 e = static_cast<u32>((coset * i) & ((1ull << order) - 1));
    return multiply_residues(root_power(t, e, order), power_residue(t.shift, static_cast<u32>(i)));
}

template <u32 B, bool LAST> struct Tile {
    static constexpr u32 THREADS = LAST ? TILE_THREADS : B == 4 ? TILE_THREADS / 2 : 1u << B,
        POINTS = TILE / TILE_THREADS * THREADS, LANES = POINTS >> B, LOW = B - 4;
    static constexpr u32 WORDS = POINTS + (LAST ? POINTS / 8 : 0);  // with the padding
    // The index of a point in shared memory. In all but the last pass consecutive threads are consecutive lanes; in
    // the last they are consecutive rows, and the padding keeps both access patterns free of bank conflicts.
    DEVICE_MEMBER static constexpr u32 of_row(u32 row) { return LAST ? row + (row >> 4) : row * LANES; }
    DEVICE_MEMBER static constexpr u32 of_lane(u32 lane) { return LAST ? lane * ((1u << B) + (1u << LOW) + 1) : lane; }
    DEVICE_MEMBER static constexpr u32 place(u32 lane, u32 row) { return of_lane(lane) + of_row(row); }
    // The index of a thread's sixteen rows is the sum of a part that depends on the thread and a part that the
    // compiler knows. of_row is additive over them, because they share no bit. Before the exchange they are (q,
    // low_bits) with q the high four bits; after it (high, low_bits, low) with e = (high, low).
    DEVICE_MEMBER static constexpr u32 own_before(u32 low_bits) { return low_bits; }
    DEVICE_MEMBER static constexpr u32 known_before(u32 q) { return q << LOW; }
    DEVICE_MEMBER static constexpr u32 own_after(u32 low_bits) { return low_bits << LOW; }
    DEVICE_MEMBER static constexpr u32 known_after(u32 e) { return (e >> LOW << LOW << LOW) + (e & ((1u << LOW) - 1)); }
};

// The inner twiddles of a tile, for slot p and low row bits: w^(low rev(p)), w of order 2^B, and the low bits' scaling.
template <u32 B, bool LAST> DEVICE void fill_inner(const Transform &t, u64 *inner, u64 *high_scale, u32 coset) {
    constexpr u32 LOW = B - 4;
    const bool first = t.log_remaining == t.log_size;
    for (u32 x = threadIdx.x; LOW != 0 && x < (1u << B); x += blockDim.x) {
        u32 p = x >> LOW, low_bits = x & ((1u << LOW) - 1);
        u64 w = root_power(t, low_bits * reverse_bits(p, 4), B);
        // Both scalings belong to the first pass.
        if (first && (t.flags & SHIFT_INPUT))
            w = multiply_residues(w, coset_power(t, coset, static_cast<u64>(low_bits) << (t.log_remaining - B)));
        if (first && (t.flags & SCALE_INPUT)) w = multiply_residues(w, t.scale);
        inner[x] = w;
    }
    if (const u32 x = threadIdx.x; x < 16) {
        u64 w = first && (t.flags & SHIFT_INPUT) ? coset_power(t, coset, static_cast<u64>(x) << (t.log_remaining - 4))
            : 1;
        high_scale[x] = w;
    }
}

// word_behind is the word number steps after another, a step being a number of bytes: one wide multiply-add, where
// additions of 64-bit addresses would be two instructions each.
DEVICE const u64 *word_behind(const u64 *word, u32 step, u32 number) {
    return reinterpret_cast<const u64 *>(reinterpret_cast<const u8 *>(word) + ptx::mul_wide(step, number));
}
DEVICE u64 *word_behind(u64 *word, u32 step, u32 number) {
    return const_cast<u64 *>(word_behind(static_cast<const u64 *>(word), step, number));
}

DEVICE constexpr u32 reversed_four(u32 q) { return (q & 1) << 3 | (q & 2) << 1 | (q & 4) >> 1 | (q & 8) >> 3; }

// Source is the origin of a thread's sixteen words of a column in the first load of a pass. The four bits of q are
// separate from the other bits of a word's index, so word q is q steps after word 0, or rev(q) steps.
template <u32 B, bool LAST> struct Source {
    typedef Tile<B, LAST> shape;
    // In a last pass of four levels, whose lanes are in reversed order, the sixteen words of a thread are contiguous.
    // They go through shared memory, so that sixteen threads load a line.
    static constexpr bool STAGED = LAST && B == 4;
    u32 first, step;  // word 0, and the bytes of a step
    u32 there;  // the bits of q that the column has
    bool reversed;    // rev(q) steps

    DEVICE_MEMBER Source(const Transform &t, u32 block, u32 row_zero, u32 low_bits, u32 left) {
        const u32 end = (1u << t.log_size) - 1, place = (block * shape::POINTS + threadIdx.x) & end,
            row = row_zero + (shape::own_before(low_bits) << left);
        reversed = STAGED || (t.log_remaining == t.log_size && (t.flags & INPUT_REVERSED) != 0);
        first = STAGED ? (reverse_bits(place >> B, t.log_size - B) << B) + (place & 15)
            : reversed ? reverse_bits(row, t.log_size) : row;
        step = sizeof(u64) << (STAGED ? t.log_size - 8 : reversed ? 0 : left + shape::LOW);
        there = STAGED ? reversed_four(end >> 8) : 15;
    }
    DEVICE_MEMBER const u64 *word(const u64 *in, u32 q) const {
        return word_behind(in + first, step, (reversed ? reversed_four(q) : q) & there);
    }
    // Where word q waits: at an index of the thread's own, or in the tile's layout, for another thread.
    DEVICE_MEMBER static u64 *place(u64 *waiting, u32 q) {
        return STAGED
            ? waiting + shape::place(threadIdx.x >> B, threadIdx.x & 15) + shape::of_lane(q * (shape::THREADS >> B))
            : waiting + threadIdx.x + q * shape::THREADS;
    }
    DEVICE_MEMBER void copy(u64 *waiting, const u64 *in) const {
        UNROLL for (u32 q = 0; q < 16; q++) ptx::copy_async(place(waiting, q), word(in, q));
    }
};

template <u32 LOW> DEVICE void low_transforms(Lazy *v) {
    if constexpr (LOW == 4) positive_transform<16, 0>(v);
    if constexpr (LOW == 3) positive_transform<8, 0>(v), positive_transform<8, 8>(v);
    if constexpr (LOW == 2)
        positive_transform<4, 0>(v), positive_transform<4, 4>(v), positive_transform<4, 8>(v),
            positive_transform<4, 12>(v);
    if constexpr (LOW == 1) {
        positive_transform<2, 0>(v), positive_transform<2, 2>(v), positive_transform<2, 4>(v),
            positive_transform<2, 6>(v);
        positive_transform<2, 8>(v), positive_transform<2, 10>(v), positive_transform<2, 12>(v),
            positive_transform<2, 14>(v);
    }
}

// store_reversed writes a warp's part of the tile, which is contiguous in out.
template <u32 B> DEVICE void store_reversed(const Transform &t, const u64 *tile, u64 *out, u64 first_lane) {
    typedef Tile<B, true> shape;
    constexpr u32 ROWS = 1u << B;
    const u32 words = static_cast<u32>((1ull << t.log_size) - (first_lane << B));
    const u32 own = (threadIdx.x & ~31u) * 16 + (threadIdx.x & 31);
    const u64 *from = tile + shape::place(own >> B, own & (ROWS - 1));
    u64 *to = out + (first_lane << B) + own;
    UNROLL for (u32 e = 0; e < 16; e++) {
        u64 word = canonical(from[shape::place(e * 32 >> B, e * 32 & (ROWS - 1))]).value;
        if (own + e * 32 < words) to[e * 32] = word;
    }
}

// store_natural writes row r of a lane at rev(r) lanes from it, or at minus that. Bits of e are the high bits of the
// row, so the low bits of rev(r): the words are in steps from the lowest index on, in either direction, except that
// minus zero is zero.
template <u32 B> DEVICE void store_natural(const Transform &t, const u64 *tile, u64 *out, u64 first_lane, u32 lanes) {
    typedef Tile<B, true> shape;
    const u32 lane = threadIdx.x % shape::LANES, row = threadIdx.x / shape::LANES;
    const u32 end = 1u << t.log_size, step = 1u << (t.log_size - B);
    if (first_lane + lane >= lanes) return;
    const bool negated = (t.flags & OUTPUT_NEGATED) != 0;
    u32 lowest = static_cast<u32>(first_lane) + lane + (reverse_bits(row, B) << (t.log_size - B));
    const bool zero = lowest == 0;
    if (negated) lowest = end - lowest - 15 * step;
    const u64 *from = tile + shape::place(lane, row);
    UNROLL_BY(4) for (u32 e = 0; e < 16; e++) {  // more of them at once would spill
        const u32 r = reversed_four(e), number = negated ? 15 - r : r;
        u64 word = from[shape::of_row(shape::known_before(e))];
        if (t.flags & SHIFT_OUTPUT)
            word = multiply_residues(word, power_residue(t.shift, (lowest + number * step) & (end - 1)));
        *(e == 0 && zero ? out : word_behind(out + lowest, sizeof(u64) * step, number)) = canonical(word).value;
    }
}

// loads_ahead reports whether blocks copy ahead (Transforms.LoadAhead). On a GPU the architecture decides at compile
// time.
DEVICE bool loads_ahead(const Transform &t) {
#ifndef __CUDA_ARCH__
    return (t.flags & LOAD_AHEAD) != 0;
#else
    return __CUDA_ARCH__ == 900;
#endif
}

// sync_tile waits for the threads that share a lane's exchange: in a last pass they are in one warp.
template <bool LAST> DEVICE void sync_tile() {
    if constexpr (LAST) __syncwarp();
    else __syncthreads();
}

template <u32 B, bool LAST> DEVICE void transform_pass(const Transform &t) {
    typedef Tile<B, LAST> shape;
    constexpr u32 LANES = shape::LANES, LOW = shape::LOW;
    SHARED(u64, tile, [!LAST && LOW == 0 ? 1 : shape::WORDS]);
    SHARED(u64, inner, [1 << B]);
    SHARED(u64, high_scale, [16]);
    DYNAMIC_SHARED(u64, waiting);
    const bool first = t.log_remaining == t.log_size;
    // In a first pass the cosets read the same words, so their blocks are adjacent.
    const u32 block = first ? blockIdx.x >> t.log_done : blockIdx.x,
        done = first ? blockIdx.x & ((1u << t.log_done) - 1) : blockIdx.z;
    const u32 x = threadIdx.x, coset = t.first_coset + done;
    const u32 lane = LAST ? x >> LOW : x % LANES, low_bits = LAST ? x & ((1u << LOW) - 1) : x / LANES;
    const u32 lanes = 1u << (t.log_size - B), left = t.log_remaining - B;
    const u64 first_lane = static_cast<u64>(block) * LANES;
    // The lane's number, in the order of the output. In a last pass there may be lanes past the end: they repeat the
    // first lane and store nothing, and a barrier or their warp orders their loads before that lane's stores.
    const bool active = first_lane + lane < lanes;
    const u32 named = active ? static_cast<u32>(first_lane + lane) : 0;
    const u32 number = LAST && (t.flags & OUTPUT_NATURAL) ? reverse_bits(named, t.log_size - B) : named;
    const u32 j = number & ((1u << left) - 1);
    const u32 base = ((number >> left) << t.log_remaining) + j;  // of row 0
    const bool scaled = first && (t.flags & SHIFT_INPUT);
    const u64 part = static_cast<u64>(reverse_bits(done, t.log_done)) << t.log_size;
    u64 *const before = tile + shape::of_lane(lane) + shape::of_row(shape::own_before(low_bits));
    u64 *const after = tile + shape::of_lane(lane) + shape::of_row(shape::own_after(low_bits));

    fill_inner<B, LAST>(t, inner, high_scale, coset);
    u64 outer[16];
    if (!LAST) {
        const u64 lane_scale = scaled ? coset_power(t, coset, j)
            : LOW == 0 && first && (t.flags & SCALE_INPUT) ? t.scale : 1;
        UNROLL for (u32 e = 0; e < 16; e++) {
            u32 row = shape::own_after(low_bits) + shape::known_after(e);
            outer[e] = multiply_residues(root_power(t, j * reverse_bits(row, B), t.log_remaining), lane_scale);
        }
    }
    __syncthreads();

    const u32 first_column = blockIdx.y * t.columns_per_block;
    const u32 end_column = first_column + t.columns_per_block < t.columns ? first_column + t.columns_per_block
        : t.columns;
    const Source<B, LAST> source(t, block, base, low_bits, left);
    const u64 *in = t.in + first_column * t.in_stride + (first ? 0 : part);
    const bool ahead = loads_ahead(t);
    if (ahead) source.copy(waiting, in);
    NO_UNROLL for (u32 column = first_column; column < end_column; column++) {
        u64 *out = t.out + column * t.out_stride + part;
        const u64 *next = in + t.in_stride;
        Lazy v[16];
        if (ahead) ptx::copy_async_wait();
        if (source.STAGED) {
            u64 *staged = ahead ? waiting : tile;
            if (!ahead) {
                UNROLL for (u32 q = 0; q < 16; q++) *source.place(staged, q) = *source.word(in, q);
            }
            __syncthreads();
            UNROLL for (u32 q = 0; q < 16; q++)
                v[q] = lazy(staged[shape::of_lane(lane) + shape::of_row(shape::known_before(q))]);
        } else if (ahead) {
            UNROLL for (u32 q = 0; q < 16; q++) v[q] = lazy(*source.place(waiting, q));
            if (column + 1 < end_column) source.copy(waiting, next);
        } else {
            UNROLL for (u32 q = 0; q < 16; q++) v[q] = lazy(*source.word(in, q));
        }
        in = next;
        if (scaled) {
            // Word 0 is multiplied by 1.
            UNROLL for (u32 q = 1; q < 16; q++) v[q] = lazy(multiply_residues(pack(v[q].w0, v[q].w1), high_scale[q]));
        }
        positive_transform<16, 0>(v);
        if constexpr (LOW != 0) {
            UNROLL for (u32 p = 0; p < 16; p++)
                before[shape::of_row(shape::known_before(p))] =
                    multiply_residues(positive_residue(v[p]), inner[shape::known_before(p) + low_bits]);
            sync_tile<LAST>();
            // Step on the low bits: small transforms of 2^LOW points.
            UNROLL for (u32 e = 0; e < 16; e++) v[e] = lazy(after[shape::of_row(shape::known_after(e))]);
            low_transforms<LOW>(v);
        }
        if constexpr (!LAST) {
            u64 *own = out + base + (shape::own_after(low_bits) << left);
            UNROLL for (u32 e = 0; e < 16; e++)
                *word_behind(own, sizeof(u64) << left, shape::known_after(e)) =
                    multiply_residues(positive_residue(v[e]), outer[e]);
            if (LOW != 0) __syncthreads();
            continue;
        }
        if (source.STAGED) {
            __syncthreads();
            if (ahead && column + 1 < end_column) source.copy(waiting, next);
        }
        UNROLL for (u32 e = 0; e < 16; e++) after[shape::of_row(shape::known_after(e))] = positive_residue(v[e]);
        if (source.STAGED || (t.flags & OUTPUT_NATURAL)) {
            __syncthreads();
            store_natural<B>(t, tile, out, first_lane, lanes);
            __syncthreads();
        } else {
            __syncwarp();
            store_reversed<B>(t, tile, out, first_lane);
            __syncwarp();
        }
    }
}

// 512 threads on a multiprocessor have 128 registers each.
#define PASS(levels)                                                                                                   \
    KERNEL_OCCUPANCY(transform_pass_##levels, (Tile<levels, false>::THREADS),                                          \
        512 / (Tile<levels, false>::THREADS), Transform t) { transform_pass<levels, false>(t); }
#define LAST(levels)                                                                                                   \
    KERNEL_OCCUPANCY(transform_last_##levels, TILE_THREADS, 512 / TILE_THREADS, Transform t) {                         \
        transform_pass<levels, true>(t);                                                                               \
    }
PASS(4)
PASS(5)
PASS(6)
PASS(7)
PASS(8)
LAST(4)
LAST(5)
LAST(6)
LAST(7)
LAST(8)

// swap_reversed permutes a column into bit-reversed order, in place.
DEVICE void swap_reversed(u64 *column, u32 log_size) {
    for (u32 i = 0; i < (1u << log_size); i++) {
        u32 other = reverse_bits(i, log_size);
        if (i >= other) continue;
        u64 word = column[i];
        column[i] = column[other], column[other] = word;
    }
}

// For few points: one thread per column and coset, in place, by halving (decimation in frequency). On hardware a tile
// of transform_pass is faster from 32 points on, however little of it is used.
KERNEL(transform_small, 128, Transform t) {
    const u32 size = 1u << t.log_size;
    const u64 total_columns = static_cast<u64>(t.columns) << t.log_done;
    for (u64 i = global_index(); i < total_columns; i += global_threads()) {
        const u32 done = static_cast<u32>(i) & ((1u << t.log_done) - 1), coset = t.first_coset + done;
        const u64 column = i >> t.log_done;
        const u64 *in = t.in + column * t.in_stride;
        u64 *out = t.out + column * t.out_stride + (static_cast<u64>(reverse_bits(done, t.log_done)) << t.log_size);
        for (u32 n = 0; n < size; n++) {
            u64 word = in[n];
            if (t.flags & SHIFT_INPUT) word = multiply_residues(word, coset_power(t, coset, n));
            if (t.flags & SCALE_INPUT) word = multiply_residues(word, t.scale);
            out[n] = canonical(word).value;
        }
        if (t.flags & INPUT_REVERSED) swap_reversed(out, t.log_size);
        for (u32 level = t.log_size; level > 0; level--) {
            const u32 half = 1u << (level - 1);
            for (u32 j = 0; j < half; j++) {
                const u64 w = root_power(t, j, level);
                for (u32 k = j; k < size; k += 2 * half) {
                    const Fp a = fp(out[k]), b = fp(out[k + half]);
                    out[k] = (a + b).value, out[k + half] = canonical(multiply_residues((a - b).value, w)).value;
                }
            }
        }
        if (t.flags & OUTPUT_NATURAL) swap_reversed(out, t.log_size);
        if (t.flags & OUTPUT_NEGATED) {
            for (u32 k = 1; k < size / 2; k++) {
                u64 word = out[k];
                out[k] = out[size - k], out[size - k] = word;
            }
        }
        if (t.flags & SHIFT_OUTPUT) {
            for (u32 k = 0; k < size; k++)
                out[k] = canonical(multiply_residues(out[k], power_residue(t.shift, k))).value;
        }
    }
}

// The two tables of a base: low[i] = base^i, high[i] = base^(2^13 i).
KERNEL(power_tables, 256, u64 *low_table, u64 *high_table, Fp base) {
    for (u64 i = global_index(); i < (1u << POWER_LOG); i += global_threads()) {
        low_table[i] = power(base, i).value;
        high_table[i] = power(base, i << POWER_LOG).value;
    }
}
