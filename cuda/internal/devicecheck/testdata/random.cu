// Random field elements for benchmarks, generated on the device: splitmix64 of the index, reduced.
#include "goldilocks.cuh"

KERNEL(random_elements, 256, u64 *out, u64 seed, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) {
        u64 z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        out[i] = canonical(z ^ (z >> 31)).value;
    }
}
