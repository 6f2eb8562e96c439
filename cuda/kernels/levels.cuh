// Several layers of a Merkle tree per launch, for any hash function.
#pragma once
#include "merkle_structs.cuh"

// compute_levels computes `levels` layers of the heap, from the layer of `parents` nodes down to that of parents >>
// (levels - 1). A block takes 256 parents and keeps the digests in shared memory for the next level. NODE hashes two
// children and, unless null, the digest of the rows that join there.
template <void (*NODE)(Digest &, const Digest &, const Digest &, const Digest *)>
DEVICE_BODY void compute_levels(Digest *made, Digest *tree, const Joining &joining, u64 parents, u32 levels) {
    u32 x = threadIdx.x;
    u64 first = static_cast<u64>(blockIdx.x) * LEVEL_THREADS;
    u64 here = parents - first < LEVEL_THREADS ? parents - first : LEVEL_THREADS;
    if (x < here) {
        u64 i = first + x;
        const Digest *children = tree + 2 * parents + 2 * i;
        Digest digest;
        NODE(digest, children[0], children[1], joining.levels[0] == nullptr ? nullptr : joining.levels[0] + i);
        tree[parents + i] = digest;
        made[x] = digest;
    }
    NO_UNROLL for (u32 level = 1; level < levels; level++) {
        __syncthreads();
        here >>= 1, first >>= 1, parents >>= 1;
        Digest left, right;
        if (x < here) left = made[2 * x], right = made[2 * x + 1];
        __syncthreads();
        if (x < here) {
            u64 i = first + x;
            Digest digest;
            NODE(digest, left, right, joining.levels[level] == nullptr ? nullptr : joining.levels[level] + i);
            tree[parents + i] = digest;
            made[x] = digest;
        }
    }
}
