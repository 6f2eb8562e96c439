// Kernels with one bug each, and next to each the same kernel without it.
#include "goldilocks.cuh"

// Reverses 256 words through shared memory, with or without the barrier between writing and reading.
DEVICE void reverse(u64 *out, const u64 *in, bool barrier) {
    SHARED(u64, tile, [256]);
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    if (barrier) __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
KERNEL(reverse_right, 256, u64 *out, const u64 *in) { reverse(out, in, true); }
KERNEL(reverse_without_barrier, 256, u64 *out, const u64 *in) { reverse(out, in, false); }

// Half of the block waits at another barrier than the rest, or has returned.
KERNEL(barrier_divergent, 256, u64 *out) {
    if (threadIdx.x < 128) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}
KERNEL(barrier_after_return, 256, u64 *out) {
    if (threadIdx.x == 77) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

// Counts threads, with or without an atomic.
KERNEL(count_right, 256, u64 *counter) { atomicAdd(counter, 1ull); }
KERNEL(count_without_atomic, 256, u64 *counter) { *counter += 1; }

// Every block writes its number to one word, or to its own.
KERNEL(blocks_right, 32, u64 *out) {
    if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}
KERNEL(blocks_one_word, 32, u64 *out) {
    if (threadIdx.x == 0) out[0] = blockIdx.x;
}

// One element past the end, read and written.
KERNEL(copy_elements, 32, u64 *out, const u64 *in, u64 from, u64 to) {
    for (u64 i = from + threadIdx.x; i < to; i += 32) out[i] = in[i];
}
KERNEL(sum_elements, 32, u64 *out, const u64 *in, u64 n) {
    if (threadIdx.x != 0) return;
    u64 sum = 0;
    for (u64 i = 0; i < n; i++) sum += in[i];
    *out = sum;
}

// One element past a shared array.
KERNEL(shared_overrun, 32, u64 *out, u32 at) {
    SHARED(u64, tile, [32]);
    tile[threadIdx.x + at] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// Reads a shared word that was never written.
KERNEL(shared_unwritten, 32, u64 *out) {
    SHARED(u64, tile, [32]);
    if (threadIdx.x != 5) tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// A warp exchanges through shared memory, with or without its own barrier.
DEVICE void warp_exchange(u64 *out, bool barrier) {
    SHARED(u32, tile, [64]);
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = threadIdx.x;
    if (barrier) __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
KERNEL(warp_right, 64, u64 *out) { warp_exchange(out, true); }
KERNEL(warp_without_barrier, 64, u64 *out) { warp_exchange(out, false); }

// A warp operation that half the warp does not reach.
KERNEL(shuffle_divergent, 32, u64 *out) {
    u32 value = threadIdx.x;
    if (threadIdx.x < 16) value = __shfl_xor_sync(FULL_WARP, value, 1);
    out[threadIdx.x] = value;
}

// A product of bytes that half the warp does not reach.
KERNEL(multiply_divergent, 32, u64 *out) {
    u32 sums[4] = {0, 0, 0, 0};
    if (threadIdx.x < 16) softgpu_multiply_bytes(sums, 1, 1, 1);
    out[threadIdx.x] = sums[0];
}

// A wild address, and infinite recursion.
KERNEL(wild, 32, u64 *out) { *reinterpret_cast<u64 *>(0x10 + reinterpret_cast<u64>(out) % 8) = 1; }
DEVICE_NOINLINE u64 deep(u64 n, volatile u64 *sink) {
    volatile u64 frame[64];
    frame[n % 64] = n;
    if (n == 0) return *sink;
    return deep(n - 1, sink) + frame[n % 64];
}
KERNEL(deep_stack, 32, u64 *out, u64 depth) { *out = deep(depth, out); }

// The results of built-in variables, votes, matches, shuffles, atomics and dynamic shared memory.
KERNEL(built_ins, 64, u64 *out) {
    DYNAMIC_SHARED(u64, tile);
    u32 x = threadIdx.x, lane = x % 32;
    u64 sum = x;
    UNROLL for (u32 step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(FULL_WARP, sum, step);
    u32 votes = __ballot_sync(FULL_WARP, lane % 3 == 0);
    u32 from_first = __shfl_sync(FULL_WARP, x, 0), above = __shfl_down_sync(FULL_WARP, x, 1),
        below = __shfl_up_sync(FULL_WARP, x, 1);
    bool any = __any_sync(FULL_WARP, lane == 9), all = __all_sync(FULL_WARP, lane < 31);
    u64 same = __match_any_sync(FULL_WARP, lane / 3 % 5);
    tile[x] = x;
    __syncthreads();
    u64 *mine = out + (static_cast<u64>(blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x * 4 + x * 4;
    mine[0] = sum;
    mine[1] = pack(votes, from_first);
    mine[2] = pack(above, below);
    mine[3] = same << 32 | (tile[63 - x] * 4 + any * 2 + all);
}
KERNEL(extremes, 64, u64 *out, const u64 *in, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) {
        atomicMin(out, in[i]);
        atomicMax(out + 1, in[i]);
        atomicAdd(out + 2, in[i]);
        atomicOr(out + 3, in[i]);
    }
}

CONSTANT_TABLE(u64, weights, [4]);
KERNEL(weighted, 32, u64 *out) {
    if (threadIdx.x < 4) out[threadIdx.x] = chiasmus_weights[threadIdx.x] * 3;
}
