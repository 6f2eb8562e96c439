/* The fields of BN254 (EIP-196, EIP-197): Fp, Fp2 = Fp[u]/(u^2 + 1), and xi = 9 + u, which defines Fp12. */
#ifndef BN254_H
#define BN254_H

#include "curve.h"

static const curve bn254 = {
    {{0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}},
    {{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}},
    {{0, 0, 0, 0}},
    {{3, 0, 0, 0}},
    {{1, 0, 0, 0}},
    {{2, 0, 0, 0}},
    ZKVM_BN254,
};

#define P (bn254.p)

typedef number fp;
#define FP_MINUS_ONE {{0x3c208c16d87cfd46, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}}
#define FP_MINUS_TWO {{0x3c208c16d87cfd45, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}}
#define FP2_OPERATION zkvm_fp2
#define FP2_SUM zkvm_fp2_sum

static inline int fp_is_zero(const fp *x) { return is_zero(x); }
static inline void fp_invert(fp *x) { invert(x, x, &P); }

static inline void fp_negate(fp *r, const fp *x) {
    if (is_zero(x)) *r = *x;
    else sub_words(r, &P, x);
}

#include "fp2.h"

static const fp2 xi = {{{9}}, {{1}}}, three_xi = {{{27}}, {{3}}};

#endif
