// What a device can do at most, measured: every thread keeps independent chains of one operation, in registers, so that
// neither memory nor latency bounds it.
#include "keccak.cuh"

// Products of residues: 8 chains a thread, out[i] is the sum over the chains (8 i + k + 1) factor^rounds.
KERNEL(limit_products, 256, u64 *out, u64 factor, u32 rounds) {
    u64 id = global_index(), v[8];
    UNROLL for (u32 k = 0; k < 8; k++) v[k] = id * 8 + k + 1;
    NO_UNROLL for (u32 i = 0; i < rounds; i += 8) {
        UNROLL for (u32 j = 0; j < 8; j++) {
            UNROLL for (u32 k = 0; k < 8; k++) v[k] = multiply_residues(v[k], factor);
        }
    }
    Fp sum = fp(0);
    UNROLL for (u32 k = 0; k < 8; k++) sum = sum + canonical(v[k]);
    out[id] = sum.value;
}

// Products summed without reduction: 4 sums a thread, out[i] is the sum over them of (x + k) y for x = 0 .. rounds - 1,
// y = i + 1.
KERNEL(limit_summed_products, 256, u64 *out, u32 rounds) {
    u64 id = global_index();
    Sum s[4];
    UNROLL for (u32 k = 0; k < 4; k++) s[k] = sum_zero();
    NO_UNROLL for (u32 i = 0; i < rounds; i += 8) {
        UNROLL for (u32 j = 0; j < 8; j++) {
            UNROLL for (u32 k = 0; k < 4; k++) add_product(s[k], fp(static_cast<u64>(i + j + k)), fp(id + 1));
        }
    }
    Fp sum = fp(0);
    UNROLL for (u32 k = 0; k < 4; k++) sum = sum + total(s[k]);
    out[id] = sum.value;
}

// Additions of canonical elements: 8 chains a thread, out[i] is the sum over them of 8 i + k + 1 + rounds term.
KERNEL(limit_additions, 256, u64 *out, u64 term, u32 rounds) {
    u64 id = global_index();
    Fp v[8];
    UNROLL for (u32 k = 0; k < 8; k++) v[k] = fp(id * 8 + k + 1);
    NO_UNROLL for (u32 i = 0; i < rounds; i += 8) {
        UNROLL for (u32 j = 0; j < 8; j++) {
            UNROLL for (u32 k = 0; k < 8; k++) v[k] = v[k] + fp(term);
        }
    }
    Fp sum = fp(0);
    UNROLL for (u32 k = 0; k < 8; k++) sum = sum + v[k];
    out[id] = sum.value;
}

// Keccak-f[1600] of the state whose first lane is i, again and again; out[i] is the first lane at the end.
KERNEL(limit_permutations, 128, u64 *out, u32 rounds) {
    u64 a[25];
    UNROLL for (u32 lane = 0; lane < 25; lane++) a[lane] = 0;
    a[0] = global_index();
    NO_UNROLL for (u32 i = 0; i < rounds; i++) keccak_f1600(a);
    out[global_index()] = a[0];
}
