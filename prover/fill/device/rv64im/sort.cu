// A stable radix sort of the accesses to words. Keys are word << 32 | number, and the words are the digits. A block
// ranks a tile of keys, each warp a stretch of the tile, 32 keys at a time.
#include "words.cuh"

#define SORT_THREADS 256
#define SORT_WARPS (SORT_THREADS / 32)
#define DIGITS 256

// a is the set with the state of memory.
KERNEL(sort_keys, SORT_THREADS, Sets sets, u64 a, u64 b) {
    const u64 i = global_index();
    if (faulty(sets) || i >= all_words(sets)) return;
    set_of<u64>(sets, SET_KEYS)[i] =
        static_cast<u64>(word_access(sets, static_cast<u32>(a), static_cast<u32>(i))->word) << 32 | i;
}

DEVICE u32 digit_of(u64 key, u32 shift) { return key >> shift & (DIGITS - 1); }
DEVICE u64 key_of(u32 k) {
    return (static_cast<u64>(blockIdx.x) * SORT_WARPS + threadIdx.x / 32) * 32 * SORT_EACH + 32 * k + threadIdx.x % 32;
}

// The number of occurrences of each digit in a block's tile. a is the set of keys, b the digit's position. Counts are
// ordered by digit, then by block.
KERNEL(sort_count, SORT_THREADS, Sets sets, u64 a, u64 b) {
    SHARED(u32, counts, [DIGITS]);
    counts[threadIdx.x] = 0;
    __syncthreads();
    const u64 n = faulty(sets) ? 0 : all_words(sets), *keys = set_of<const u64>(sets, a);
    for (u32 k = 0; k < SORT_EACH; k++) {
        const u64 i = key_of(k);
        if (i < n) atomicAdd(&counts[digit_of(keys[i], b)], 1u);
    }
    __syncthreads();
    set_of<u64>(sets, SET_DIGITS)[static_cast<u64>(threadIdx.x) * gridDim.x + blockIdx.x] = counts[threadIdx.x];
}

// The lanes of the warp whose keys have the same digit; none for a lane without a key.
DEVICE u32 peers_of(u32 digit, bool live) {
    u32 peers = __ballot_sync(FULL_WARP, live);
    UNROLL for (u32 bit = 1; bit < DIGITS; bit *= 2) {
        const u32 set = __ballot_sync(FULL_WARP, (digit & bit) != 0);
        peers &= (digit & bit) != 0 ? set : ~set;
    }
    return live ? peers : 0;
}

// Puts the keys of set a into set b >> 8, in the order of the digit at b & 255.
KERNEL(sort_scatter, SORT_THREADS, Sets sets, u64 a, u64 b) {
    SHARED(u32, places, [SORT_WARPS * DIGITS]);
    const u32 lane = threadIdx.x % 32, shift = b & 255, below = (1u << lane) - 1;
    u32 *own = places + threadIdx.x / 32 * DIGITS;
    for (u32 w = 0; w < SORT_WARPS; w++) places[w * DIGITS + threadIdx.x] = 0;
    __syncthreads();
    const u64 n = faulty(sets) ? 0 : all_words(sets), *keys = set_of<const u64>(sets, a);
    NO_UNROLL for (u32 k = 0; k < SORT_EACH; k++) {
        const bool live = key_of(k) < n;
        const u32 digit = live ? digit_of(keys[key_of(k)], shift) : 0, peers = peers_of(digit, live);
        if (live && (peers & below) == 0) own[digit] += __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    u32 place = static_cast<u32>(set_of<const u64>(sets,
        SET_DIGITS)[static_cast<u64>(threadIdx.x) * gridDim.x + blockIdx.x]);
    for (u32 w = 0; w < SORT_WARPS; w++) {
        const u32 count = places[w * DIGITS + threadIdx.x];
        places[w * DIGITS + threadIdx.x] = place;
        place += count;
    }
    __syncthreads();
    u64 *to = set_of<u64>(sets, b >> 8);
    NO_UNROLL for (u32 k = 0; k < SORT_EACH; k++) {
        const bool live = key_of(k) < n;
        const u64 key = live ? keys[key_of(k)] : 0;
        const u32 digit = digit_of(key, shift), peers = peers_of(digit, live);
        if (live) to[own[digit] + __popc(peers & below)] = key;
        __syncwarp();
        if (live && (peers & below) == 0) own[digit] += __popc(peers);
        __syncwarp();
    }
}
