// Prefix sums of extension elements: out[i] = in[0] + ... + in[i].
//
// There are three launches, and no block waits for another: the sum of each block's 2,048 elements; the prefix sums of
// those sums, in one block; and each block's own prefix sums plus the sum of the preceding blocks. The total is the
// last output.
#include "array.cuh"

#define SCAN_THREADS 256
#define SCAN_EACH 8
#define SCAN_BLOCK (SCAN_THREADS * SCAN_EACH)

// scan_threads returns to each thread the sum of the values of the threads before it, and sets total to the block's
// total.
DEVICE Fp3 scan_threads(Fp3 *sums, const Fp3 &value, Fp3 &total) {
    const u32 x = threadIdx.x;
    Fp3 inclusive = value;
    sums[x] = inclusive;
    NO_UNROLL for (u32 distance = 1; distance < SCAN_THREADS; distance *= 2) {
        __syncthreads();
        Fp3 before = fp3(fp(0));
        if (x >= distance) before = sums[x - distance];
        __syncthreads();
        inclusive = inclusive + before;
        sums[x] = inclusive;
    }
    __syncthreads();
    total = sums[SCAN_THREADS - 1];
    Fp3 exclusive = fp3(fp(0));
    if (x > 0) exclusive = sums[x - 1];
    __syncthreads();
    return exclusive;
}

// The order within a sum does not matter here, so adjacent threads take adjacent elements.
KERNEL(scan_sums, SCAN_THREADS, Fp3Array sums, Fp3Array in, u64 n) {
    SHARED(Fp3, shared, [SCAN_THREADS]);
    const u64 first = static_cast<u64>(blockIdx.x) * SCAN_BLOCK;
    Fp3 sum = fp3(fp(0)), total;
    for (u32 k = 0; k < SCAN_EACH; k++) {
        u64 i = first + k * SCAN_THREADS + threadIdx.x;
        if (i < n) sum = sum + get(in, i);
    }
    scan_threads(shared, sum, total);
    if (threadIdx.x == 0) put(sums, blockIdx.x, total);
}

// One block: sums[b] becomes the sum of all blocks before b.
KERNEL(scan_blocks, SCAN_THREADS, Fp3Array sums, u64 blocks) {
    SHARED(Fp3, shared, [SCAN_THREADS]);
    Fp3 before = fp3(fp(0));
    for (u64 start = 0; start < blocks; start += SCAN_THREADS) {
        u64 i = start + threadIdx.x;
        Fp3 value = fp3(fp(0)), total;
        if (i < blocks) value = get(sums, i);
        Fp3 exclusive = scan_threads(shared, value, total);
        if (i < blocks) put(sums, i, before + exclusive);
        before = before + total;
    }
}

KERNEL(scan_apply, SCAN_THREADS, Fp3Array out, Fp3Array in, Fp3Array sums, u64 n) {
    SHARED(Fp3, shared, [SCAN_THREADS]);
    const u64 first = static_cast<u64>(blockIdx.x) * SCAN_BLOCK;
    Fp3 before = get(sums, blockIdx.x);
    NO_UNROLL for (u32 k = 0; k < SCAN_EACH; k++) {
        u64 i = first + k * SCAN_THREADS + threadIdx.x;
        Fp3 value = fp3(fp(0)), total;
        if (i < n) value = get(in, i);
        Fp3 exclusive = scan_threads(shared, value, total);
        if (i < n) put(out, i, before + exclusive + value);
        before = before + total;
    }
}
