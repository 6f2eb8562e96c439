// The points of extension domains.
#include "array.cuh"
#include "powers.cuh"

// out[i] = shift w^rev(i), w of order 2^log_size. Bit k of i stands for the root of order 2^(k+1) for any size, so
// the points of a smaller domain are a prefix.
KERNEL(points, 256, u64 *out, Powers root, Fp shift, u32 log_size) {
    u64 n = 1ull << log_size;
    for (u64 i = global_index(); i < n; i += global_threads())
        out[i] = canonical(multiply_residues(shift.value,
            root_residue(root, reverse_bits(static_cast<u32>(i), log_size), log_size))).value;
}
