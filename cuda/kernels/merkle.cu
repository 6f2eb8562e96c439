// Keccak-256 Merkle trees over the rows of column-major matrices.
//
// A tree of 2^L leaves is stored as a heap: node i of the layer of 2^l nodes is at 2^l + i. A row is hashed as its
// words in column order, little-endian; a node as its two children and, if matrices of that height join, the digest
// of their row.
#include "levels.cuh"

// digests[row] = Keccak-256 of the row's `width` words in all segments. One thread per row: adjacent rows are
// adjacent words, so each load of a warp is contiguous, and the 17 loads of a block overlap.
//
// A row may come in parts. A sponge that is not `begun` is empty, others are read from `sponges` and written back
// there while there is `more`; every part but the last has whole blocks of 17 words. Lane i of a row's sponge is at i
// * height + row.
//
// Six blocks per multiprocessor leave 80 registers a thread, so that three of them fit next to one block of a
// transform. From sm_100 on, 80 registers would spill, and the compiler chooses the number of blocks.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
#define HASH_ROWS(...) KERNEL_OCCUPANCY(hash_rows, 128, 6, __VA_ARGS__)
#else
#define HASH_ROWS(...) KERNEL(hash_rows, 128, __VA_ARGS__)
#endif
HASH_ROWS(Digest *digests, u64 *sponges, Rows rows, u32 width, u64 height, u32 begun, u32 more) {
    for (u64 row = global_index(); row < height; row += global_threads()) {
        u64 a[25];
        u64 *lane = sponges + row;
        UNROLL for (int i = 0; i < 25; i++, lane += height) a[i] = begun ? *lane : 0;
        u32 segment = 0, remaining = width;
        u64 in_segment = rows.segments[0].count, stride = rows.segments[0].stride;
        const u64 *p = rows.segments[0].base + row * rows.segments[0].row_stride;
        bool padded = more;
        NO_UNROLL while (!padded || remaining != 0) {
            UNROLL for (int i = 0; i < KECCAK_RATE_LANES; i++) {
                if (remaining != 0) {
                    a[i] ^= *p;
                    p += stride;
                    remaining--;
                    if (--in_segment == 0 && remaining != 0) {
                        segment++;
                        in_segment = rows.segments[segment].count;
                        stride = rows.segments[segment].stride;
                        p = rows.segments[segment].base + row * rows.segments[segment].row_stride;
                    }
                } else if (!padded) {
                    padded = true;
                    a[i] ^= 1;
                    a[KECCAK_RATE_LANES - 1] ^= 0x8000000000000000ull;
                }
            }
            keccak_f1600(a);
        }
        if (more) {
            lane = sponges + row;
            UNROLL for (int i = 0; i < 25; i++, lane += height) *lane = a[i];
            continue;
        }
        u64 *out = digests[row].lanes;
        UNROLL for (int i = 0; i < 4; i++) out[i] = a[i];
    }
}

// hash_node hashes two children and, unless null, the digest of the rows that join there.
DEVICE_BODY void hash_node(Digest &out, const Digest &left, const Digest &right, const Digest *joining) {
    u64 a[25];
    UNROLL for (int i = 0; i < 4; i++) {
        a[i] = left.lanes[i];
        a[i + 4] = right.lanes[i];
        a[i + 8] = joining != nullptr ? joining->lanes[i] : 0;
    }
    UNROLL for (int i = 12; i < 25; i++) a[i] = 0;
    if (joining != nullptr) a[12] = 1;
    else a[8] = 1;
    a[KECCAK_RATE_LANES - 1] ^= 0x8000000000000000ull;
    keccak_f1600(a);
    UNROLL for (int i = 0; i < 4; i++) out.lanes[i] = a[i];
}

KERNEL(hash_levels, LEVEL_THREADS, Digest *tree, INDEXED Joining joining, u64 parents, u32 levels) {
    SHARED(Digest, made, [LEVEL_THREADS]);
    compute_levels<hash_node>(made, tree, joining, parents, levels);
}
