// Quotients of combinations of columns (dot.cu) by the distance to a point.
#include "batch.cuh"
#include "combine_structs.cuh"
#include "conjugates.cuh"

#define QUOTIENT_THREADS 128

// out[i] = the sum over one or two quotients of (combination[i] - value) / (x[i] - point). The distances of all points are
// inverted together.
template <u32 QUOTIENTS> DEVICE void sum_quotients(const Fp3Array &out, const Quotient *quotients, const u64 *x, u64 n) {
    constexpr u32 ROWS = 8 / QUOTIENTS;
    SHARED(Fp, tree, [2 * QUOTIENT_THREADS]);
    const u64 first = static_cast<u64>(blockIdx.x) * (QUOTIENT_THREADS * ROWS) + threadIdx.x;
    Conjugates c[QUOTIENTS];
    UNROLL for (u32 q = 0; q < QUOTIENTS; q++) c[q] = conjugates(quotients[q].point);
    Fp norm[ROWS][QUOTIENTS], before[ROWS][QUOTIENTS], product = fp(1);
    UNROLL for (u32 r = 0; r < ROWS; r++) UNROLL for (u32 q = 0; q < QUOTIENTS; q++) {
        u64 i = first + r * QUOTIENT_THREADS;
        norm[r][q] = i < n ? c[q].norm(fp(x[i])) : fp(1);
        before[r][q] = product;
        product = product * norm[r][q];
    }
    Fp rest = invert_in_block<QUOTIENT_THREADS>(tree, product);
    UNROLL for (u32 r = ROWS; r-- > 0;) {
        u64 i = first + r * QUOTIENT_THREADS;
        Fp3 sum = fp3(fp(0));
        UNROLL for (u32 q = QUOTIENTS; q-- > 0;) {
            if (i < n) {
                Fp3 above = get(quotients[q].combination, i) - quotients[q].value;
                sum = sum + above * (c[q].numerator(fp(x[i])) * (rest * before[r][q]));
            }
            rest = rest * norm[r][q];
        }
        if (i < n) put(out, i, sum);
    }
}

KERNEL(quotient_of_combination, QUOTIENT_THREADS, Fp3Array out, Quotient quotient, const u64 *x, u64 n) {
    sum_quotients<1>(out, &quotient, x, n);
}

KERNEL(quotients_of_combinations, QUOTIENT_THREADS, Fp3Array out, Quotient first, Quotient second, const u64 *x, u64 n) {
    const Quotient quotients[2] = {first, second};
    sum_quotients<2>(out, quotients, x, n);
}
