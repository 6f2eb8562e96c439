// One bug for each tool of compute-sanitizer, to show that the tool is active.
#include "goldilocks.cuh"

// memcheck: writes the word at out[n], past the end if out has n words.
KERNEL(planted_overrun, 32, u64 *out, u64 n) { out[n] = n + threadIdx.x; }

// racecheck: reads what other warps write to shared memory, with no barrier between.
KERNEL(planted_race, 256, u64 *out, u64 n) {
    SHARED(u64, tile, [256]);
    tile[threadIdx.x] = n + threadIdx.x;
    out[threadIdx.x] = tile[255 - threadIdx.x];
}

// initcheck: reads words that nothing has written.
KERNEL(planted_unwritten, 256, u64 *out, const u64 *in, u64 n) {
    if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] + 1;
}
