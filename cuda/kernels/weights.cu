// The weights of openings: x / (x - z) for the points x of a height and a point z outside the base field.
#include "batch.cuh"
#include "conjugates.cuh"
#include "dot_structs.cuh"
#include "parts.cuh"

#define WEIGHTS_EACH (WEIGHTS_PER_BLOCK / WEIGHTS_THREADS)

// A block takes 1,024 points of a part and inverts one element.
KERNEL(dot_weights, WEIGHTS_THREADS, Dots dots) {
    SHARED(Fp, tree, [2 * WEIGHTS_THREADS]);
    const DotPart &part = part_of<&DotPart::first_weight_block>(dots.parts, dots.count, blockIdx.x);
    const u64 n = part.n,
        first = static_cast<u64>(blockIdx.x - part.first_weight_block) * WEIGHTS_PER_BLOCK + threadIdx.x;
    const Conjugates c = conjugates(part.point);
    const Fp3Array out = {dots.work + part.weights, n};
    Fp norm[WEIGHTS_EACH], before[WEIGHTS_EACH], product = fp(1);
    UNROLL for (u32 k = 0; k < WEIGHTS_EACH; k++) {
        u64 i = first + k * WEIGHTS_THREADS;
        norm[k] = i < n ? c.norm(fp(dots.points[i])) : fp(1);
        before[k] = product;
        product = product * norm[k];
    }
    Fp rest = invert_in_block<WEIGHTS_THREADS>(tree, product);
    UNROLL for (u32 k = WEIGHTS_EACH; k-- > 0;) {
        u64 i = first + k * WEIGHTS_THREADS;
        if (i < n) {
            Fp point = fp(dots.points[i]);
            put(out, i, c.numerator(point) * (rest * before[k] * point));
        }
        rest = rest * norm[k];
    }
}
