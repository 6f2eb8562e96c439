// Proof of work: the smallest nonce whose hash with the seed begins with zero bits.
#include "keccak.cuh"

// The hash is Keccak-256 of the four words of the seed and the nonce; its first lane must be below the bound. `best`
// is the smallest nonce found so far, all ones before the search. A warp stops when all of its remaining nonces are
// larger.
KERNEL(grind, 128, u64 *best, Digest seed, u64 bound, u64 start, u64 count) {
    const u32 lane = threadIdx.x & 31;
    NO_UNROLL for (u64 first = global_index() - lane; first < count; first += global_threads()) {
        // An atomic read: a plain load might not see what other blocks have written. The minimum with all ones
        // changes nothing.
        if (__shfl_sync(FULL_WARP, lane == 0 ? atomicMin(best, ~0ull) : 0, 0) < start + first) break;
        const u64 i = first + lane;
        u64 a[25];
        UNROLL for (int k = 0; k < 4; k++) a[k] = seed.lanes[k];
        a[4] = start + i;
        a[5] = 1;
        UNROLL for (int k = 6; k < 25; k++) a[k] = 0;
        a[KECCAK_RATE_LANES - 1] = 0x8000000000000000ull;
        keccak_f1600(a);
        if (i < count && a[0] < bound) atomicMin(best, start + i);
    }
}
