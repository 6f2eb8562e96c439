// Protocol 3's Merkle trees and proof of work: single compressions of BLAKE3.
//
// A leaf is a chain of compressions over its row: eight field elements a block, or two elements of the cubic extension.
// A node is one compression of its children; where rows join, a second compression takes their digest.
#include "blake3.cuh"
#include "levels.cuh"

DEVICE void load_chaining(u32 (&cv)[8], const Digest &from) {
    UNROLL for (int i = 0; i < 4; i++) cv[2 * i] = low(from.lanes[i]), cv[2 * i + 1] = high(from.lanes[i]);
}
DEVICE void store_chaining(Digest &to, const u32 (&cv)[8]) {
    UNROLL for (int i = 0; i < 4; i++) to.lanes[i] = pack(cv[2 * i], cv[2 * i + 1]);
}

// RowWords is how far a row is read: the next word, in one of the segments.
struct RowWords {
    const u64 *next;
    u32 stride, left;  // of the segment: words from column to column, columns that are not read
    u32 opened;        // segments so far
};

DEVICE void open_segment(RowWords &words, const Rows &rows, u64 row) {
    const Segment &own = rows.segments[words.opened++];
    words.next = own.base + row * own.row_stride;
    words.stride = low(own.stride), words.left = low(own.count);
}

// chain_rows sets digests[row] to the chain over the row's `width` words in all segments, padded with zeros to a
// whole block. One thread per row: adjacent rows are adjacent words, so each load of a warp is contiguous, and the
// loads of a block overlap. In rows of the extension, each element is followed by a zero.
//
// Most blocks lie in one segment, and are read with 20 instructions. Testing for the segment's end before each word
// takes some 12 more a word, in the pipe that limits compressions (blake3.cuh).
//
// A row may come in parts: a chain that has `begun` continues from digests[row], and does not end while there is
// `more`. Every part but the last has whole blocks.
template <bool EXTENSION>
DEVICE_BODY void chain_row(Digest &digest, const Rows &rows, u64 row, u32 width, u32 begun, u32 more) {
    const u32 whole = EXTENSION ? 6 : 8;
    u32 cv[8];
    if (begun) load_chaining(cv, digest);
    else blake3_iv(cv);
    u32 remaining = width, flags = begun ? 0 : BLAKE3_START;
    RowWords words = {nullptr, 0, 0, 0};
    NO_UNROLL while (remaining != 0) {
        u32 m[16];
        if (words.left >= whole) {
            UNROLL for (int i = 0; i < 8; i++) {
                const u32 column = EXTENSION ? i - i / 4 : i;
                u64 word = EXTENSION && i % 4 == 3 ? 0 : words.next[static_cast<u64>(words.stride) * column];
                m[2 * i] = low(word), m[2 * i + 1] = high(word);
            }
            words.next += static_cast<u64>(words.stride) * whole;
            words.left -= whole, remaining -= whole;
        } else {
            UNROLL for (int i = 0; i < 8; i++) {
                u64 word = 0;
                if (remaining != 0 && !(EXTENSION && i % 4 == 3)) {
                    NO_UNROLL while (words.left == 0) open_segment(words, rows, row);
                    word = *words.next;
                    words.next += words.stride, words.left--, remaining--;
                }
                m[2 * i] = low(word), m[2 * i + 1] = high(word);
            }
        }
        if (remaining == 0 && !more) flags |= BLAKE3_END | BLAKE3_ROOT;
        blake3_compress(cv, m, EXTENSION, 0, 64, flags);
        flags = 0;
    }
    store_chaining(digest, cv);
}

KERNEL(chain_rows, 128, Digest *digests, Rows rows, u32 width, u64 height, u32 begun, u32 more) {
    for (u64 row = global_index(); row < height; row += global_threads())
        chain_row<false>(digests[row], rows, row, width, begun, more);
}

KERNEL(chain_extension_rows, 128, Digest *digests, Rows rows, u32 width, u64 height, u32 begun, u32 more) {
    for (u64 row = global_index(); row < height; row += global_threads())
        chain_row<true>(digests[row], rows, row, width, begun, more);
}

// compress_node hashes two children and, unless null, the digest of the rows that join there.
DEVICE_BODY void compress_node(Digest &out, const Digest &left, const Digest &right, const Digest *joining) {
    u32 cv[8], m[16];
    blake3_iv(cv);
    UNROLL for (int i = 0; i < 4; i++) {
        m[2 * i] = low(left.lanes[i]), m[2 * i + 1] = high(left.lanes[i]);
        m[2 * i + 8] = low(right.lanes[i]), m[2 * i + 9] = high(right.lanes[i]);
    }
    blake3_compress(cv, m, 0, 0, 64, BLAKE3_PARENT);
    if (joining != nullptr) {
        UNROLL for (int i = 0; i < 4; i++) {
            m[2 * i] = low(joining->lanes[i]), m[2 * i + 1] = high(joining->lanes[i]);
            m[2 * i + 8] = 0, m[2 * i + 9] = 0;
        }
        blake3_compress(cv, m, 0, 0, 32, BLAKE3_PARENT | BLAKE3_ROOT);
    }
    store_chaining(out, cv);
}

KERNEL(compress_levels, LEVEL_THREADS, Digest *tree, INDEXED Joining joining, u64 parents, u32 levels) {
    SHARED(Digest, made, [LEVEL_THREADS]);
    compute_levels<compress_node>(made, tree, joining, parents, levels);
}

// compress_nonces searches for the smallest nonce whose message leaves a state with zeros in the bits of `mask`.
// `best` is the smallest nonce found so far, all ones before the search. A warp stops when all of its remaining
// nonces are larger.
KERNEL(compress_nonces, 128, u64 *best, Digest state, u32 tag, u32 mask, u64 start, u64 count) {
    const u32 lane = threadIdx.x & 31;
    NO_UNROLL for (u64 first = global_index() - lane; first < count; first += global_threads()) {
        // An atomic read: a plain load might not see what other blocks have written. The minimum with all ones
        // changes nothing.
        if (__shfl_sync(FULL_WARP, lane == 0 ? atomicMin(best, ~0ull) : 0, 0) < start + first) break;
        const u64 i = first + lane;
        u32 cv[8], m[16];
        load_chaining(cv, state);
        UNROLL for (int k = 2; k < 16; k++) m[k] = 0;
        m[0] = low(start + i), m[1] = high(start + i);
        blake3_compress(cv, m, 0, tag, 32, 48);
        if (i < count && (cv[0] & mask) == 0) atomicMin(best, start + i);
    }
}
