// Exclusive prefix sums and maxima of a set's words, in place, by three kernels: the totals of blocks, their prefix
// sums in one block, and the prefix sums of all words. a is the set's number, and b the number of words.
#include "sets.cuh"

#define SCAN_THREADS 256

template <bool MAXIMUM> DEVICE u64 combine(u64 a, u64 b) { return MAXIMUM ? (a < b ? b : a) : a + b; }

// The sum of the values before each thread's, and the total: log steps over shared memory.
template <bool MAXIMUM> DEVICE u64 scan_threads(u64 *shared, u64 value, u64 &total) {
    const u32 t = threadIdx.x;
    shared[t] = value;
    __syncthreads();
    NO_UNROLL for (u32 distance = 1; distance < SCAN_THREADS; distance *= 2) {
        const u64 before = t >= distance ? shared[t - distance] : 0;
        __syncthreads();
        shared[t] = combine<MAXIMUM>(before, shared[t]);
        __syncthreads();
    }
    const u64 before = t == 0 ? 0 : shared[t - 1];
    total = shared[SCAN_THREADS - 1];
    __syncthreads();
    return before;
}

// A thread's values are consecutive.
template <bool MAXIMUM> DEVICE u64 scan_own(const u64 *list, u64 first, u64 n) {
    u64 own = 0;
    for (u64 i = first; i < first + SCAN_EACH && i < n; i++) own = combine<MAXIMUM>(own, list[i]);
    return own;
}

template <bool MAXIMUM> DEVICE void totals_of_blocks(u64 *shared, const u64 *list, u64 n, u64 *totals) {
    u64 total;
    scan_threads<MAXIMUM>(shared, scan_own<MAXIMUM>(list, global_index() * SCAN_EACH, n), total);
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// One block, tile after tile.
template <bool MAXIMUM> DEVICE void scan_totals(u64 *shared, u64 *totals, u64 blocks) {
    u64 before = 0;
    NO_UNROLL for (u64 first = 0; first < blocks; first += SCAN_THREADS) {
        const u64 i = first + threadIdx.x;
        u64 total;
        const u64 own = scan_threads<MAXIMUM>(shared, i < blocks ? totals[i] : 0, total);
        if (i < blocks) totals[i] = combine<MAXIMUM>(before, own);
        before = combine<MAXIMUM>(before, total);
    }
}

template <bool MAXIMUM> DEVICE void apply_totals(u64 *shared, u64 *list, u64 n, const u64 *totals) {
    const u64 first = global_index() * SCAN_EACH;
    u64 total;
    u64 before = combine<MAXIMUM>(totals[blockIdx.x],
        scan_threads<MAXIMUM>(shared, scan_own<MAXIMUM>(list, first, n), total));
    for (u64 i = first; i < first + SCAN_EACH && i < n; i++) {
        const u64 own = list[i];
        list[i] = before;
        before = combine<MAXIMUM>(before, own);
    }
}

#define SCAN(NAME, MAXIMUM)                                                                                   \
    KERNEL(scan_##NAME##_blocks, SCAN_THREADS, Sets sets, u64 a, u64 b) {                                     \
        SHARED(u64, shared, [SCAN_THREADS]);                                                                  \
        totals_of_blocks<MAXIMUM>(shared, set_of<const u64>(sets, a), b, set_of<u64>(sets, SET_TOTALS));      \
    }                                                                                                         \
    KERNEL(scan_##NAME##_totals, SCAN_THREADS, Sets sets, u64 a, u64 b) {                                     \
        SHARED(u64, shared, [SCAN_THREADS]);                                                                  \
        scan_totals<MAXIMUM>(shared, set_of<u64>(sets, SET_TOTALS), b);                                       \
    }                                                                                                         \
    KERNEL(scan_##NAME##_apply, SCAN_THREADS, Sets sets, u64 a, u64 b) {                                      \
        SHARED(u64, shared, [SCAN_THREADS]);                                                                  \
        apply_totals<MAXIMUM>(shared, set_of<u64>(sets, a), b, set_of<const u64>(sets, SET_TOTALS));          \
    }

SCAN(sum, false)
SCAN(maximum, true)
