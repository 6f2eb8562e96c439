// Quotients of combinations of columns (dot.cu) by the distance to a point.
#include "batch.cuh"
#include "combine_structs.cuh"
#include "conjugates.cuh"
#include "parts.cuh"

// sum[i] = the sum over one or two quotients of (combination[i] - value) / (x[i] - point), overwriting the first
// combination. The distances of all points are inverted together.
template <u32 QUOTIENTS> DEVICE void sum_quotients(const QuotientPart &part, u64 *sums, const u64 *x, Fp *tree) {
    constexpr u32 ROWS = 8 / QUOTIENTS;
    const u64 n = part.n,
        first = static_cast<u64>(blockIdx.x - part.first_block) * (QUOTIENT_THREADS * ROWS) + threadIdx.x;
    Conjugates c[QUOTIENTS];
    UNROLL for (u32 q = 0; q < QUOTIENTS; q++) c[q] = conjugates(part.points[q].point);
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
                Fp3 above = get(Fp3Array{sums + part.points[q].combination, n}, i) - part.points[q].value;
                sum = sum + above * (c[q].numerator(fp(x[i])) * (rest * before[r][q]));
            }
            rest = rest * norm[r][q];
        }
        if (i < n) put(Fp3Array{sums + part.points[0].combination, n}, i, sum);
    }
}

// The sums of all parts.
KERNEL(sum_quotients, QUOTIENT_THREADS, const QuotientPart *parts, u32 count, u64 *sums, const u64 *x) {
    SHARED(Fp, tree, [2 * QUOTIENT_THREADS]);
    const QuotientPart &part = part_of<&QuotientPart::first_block>(parts, count, blockIdx.x);
    if (part.count == 1) sum_quotients<1>(part, sums, x, tree);
    else sum_quotients<2>(part, sums, x, tree);
}
