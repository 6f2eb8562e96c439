// Arithmetic in registers only, for the rates that kernels are compared with. Each thread works on SLOTS values that
// depend on its index, and writes them at the end, so that the compiler can omit nothing and a test can check every
// value.
#include "butterfly.cuh"

#define SLOTS 16

DEVICE u64 start_value(u64 i, u32 slot) { return canonical((SLOTS * i + slot + 1) * 0x9e3779b97f4a7c15ull).value; }

DEVICE void write_values(u64 *out, u64 i, const u64 *x) {
    UNROLL for (u32 k = 0; k < SLOTS; k++) out[SLOTS * i + k] = canonical(x[k]).value;
}

// Pairs (a, b) become (ab, ab b) each round: two multiplications of residues, both operands of which change.
KERNEL(limit_multiplications, 256, u64 *out, u32 rounds) {
    u64 i = global_index(), x[SLOTS];
    UNROLL for (u32 k = 0; k < SLOTS; k++) x[k] = start_value(i, k);
    NO_UNROLL for (u32 round = 0; round < rounds; round++) {
        UNROLL for (u32 k = 0; k < SLOTS; k += 2) x[k] = multiply_residues(x[k], x[k + 1]);
        UNROLL for (u32 k = 0; k < SLOTS; k += 2) x[k + 1] = multiply_residues(x[k], x[k + 1]);
    }
    write_values(out, i, x);
}

// Pairs (a, b) become (a + b, a + 2b), canonical.
KERNEL(limit_additions, 256, u64 *out, u32 rounds) {
    u64 i = global_index(), x[SLOTS];
    UNROLL for (u32 k = 0; k < SLOTS; k++) x[k] = start_value(i, k);
    UNROLL_BY(4) for (u32 round = 0; round < rounds; round++) {
        UNROLL for (u32 k = 0; k < SLOTS; k += 2) x[k] = add_words(x[k], x[k + 1]);
        UNROLL for (u32 k = 0; k < SLOTS; k += 2) x[k + 1] = add_words(x[k], x[k + 1]);
    }
    write_values(out, i, x);
}

// Each round adds four products to each of four sums, one for each of the four factors at 0 to 3: factor j times the
// factor at 4 + (j + s) mod 4 goes to sum s. The sums end in slots 0 to 3, and the other slots do not change.
KERNEL(limit_products, 256, u64 *out, u32 rounds) {
    u64 i = global_index(), x[SLOTS];
    UNROLL for (u32 k = 0; k < SLOTS; k++) x[k] = start_value(i, k);
    Sum sums[4];
    UNROLL for (u32 s = 0; s < 4; s++) sums[s] = sum_zero();
    NO_UNROLL for (u32 round = 0; round < rounds; round++) {
        UNROLL for (u32 j = 0; j < 4; j++) {
            UNROLL for (u32 s = 0; s < 4; s++) add_product(sums[s], fp(x[j]), fp(x[4 + (j + s) % 4]));
        }
    }
    UNROLL for (u32 s = 0; s < 4; s++) x[s] = total(sums[s]).value;
    write_values(out, i, x);
}

// A transform of 16 points with shifts for twiddles, then each point times the thread's multiplier, as in four levels
// of a large transform. 64 point-levels a round.
KERNEL(limit_transforms, 256, u64 *out, u32 rounds) {
    u64 i = global_index(), x[SLOTS], factor = start_value(i, SLOTS);
    UNROLL for (u32 k = 0; k < SLOTS; k++) x[k] = start_value(i, k);
    NO_UNROLL for (u32 round = 0; round < rounds; round++) {
        Lazy y[SLOTS];
        UNROLL for (u32 k = 0; k < SLOTS; k++) y[k] = lazy(x[k]);
        positive_transform<SLOTS, 0>(y);
        UNROLL for (u32 k = 0; k < SLOTS; k++) x[k] = multiply_residues(positive_residue(y[k]), factor);
    }
    write_values(out, i, x);
}
