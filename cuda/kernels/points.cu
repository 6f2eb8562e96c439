// The points of extension domains, and inverses of their distances to a point.
#include "array.cuh"
#include "batch.cuh"
#include "conjugates.cuh"
#include "powers.cuh"

// out[i] = shift w^rev(i), w of order 2^log_size. Bit k of i stands for the root of order 2^(k+1) whatever the size, so the
// points of a smaller domain are a prefix.
KERNEL(points, 256, u64 *out, Powers root, Fp shift, u32 log_size) {
    u64 n = 1ull << log_size;
    for (u64 i = global_index(); i < n; i += global_threads())
        out[i] = canonical(multiply_residues(shift.value, root_residue(root, reverse_bits(static_cast<u32>(i), log_size), log_size))).value;
}

#define DISTANCE_THREADS 128
#define DISTANCE_EACH 8

// out[i] = 1 / (x[i] - z), or x[i] / (x[i] - z), for z outside the base field. A block of 128 threads takes 1,024 points and
// inverts one element.
KERNEL(inverse_distances, DISTANCE_THREADS, Fp3Array out, const u64 *x, Fp3 z, u64 n, u32 times_point) {
    SHARED(Fp, tree, [2 * DISTANCE_THREADS]);
    const Conjugates c = conjugates(z);
    const u64 first = static_cast<u64>(blockIdx.x) * (DISTANCE_THREADS * DISTANCE_EACH) + threadIdx.x;
    Fp norm[DISTANCE_EACH], before[DISTANCE_EACH], product = fp(1);
    UNROLL for (u32 k = 0; k < DISTANCE_EACH; k++) {
        u64 i = first + k * DISTANCE_THREADS;
        norm[k] = i < n ? c.norm(fp(x[i])) : fp(1);
        before[k] = product;
        product = product * norm[k];
    }
    Fp rest = invert_in_block<DISTANCE_THREADS>(tree, product);
    UNROLL for (u32 k = DISTANCE_EACH; k-- > 0;) {
        u64 i = first + k * DISTANCE_THREADS;
        if (i < n) {
            Fp point = fp(x[i]), scale = rest * before[k];
            if (times_point != 0) scale = scale * point;
            put(out, i, c.numerator(point) * scale);
        }
        rest = rest * norm[k];
    }
}
