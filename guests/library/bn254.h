/* The fields of BN254 (EIP-196, EIP-197): Fp, Fp2 = Fp[u]/(u^2 + 1), Fp6 = Fp2[v]/(v^3 - xi), Fp12 = Fp6[w]/(w^2 - v), with
 * xi = 9 + u. Fp2 is the accelerator's: a product costs no more than a sum, so products of sums are written out, without
 * Karatsuba's additions. Numbers are below p. */
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

typedef struct { number a, b; } fp2;      /* a + bu: eight words for the accelerator */
typedef struct { fp2 a, b, c; } fp6;      /* a + bv + cv^2 */
typedef struct { fp6 a, b; } fp12;        /* a + bw */

static inline void fp_mul(number *r, const number *x, const number *y) {
    number t = *x;
    zkvm_modmul(t.w, y->w, P.w);
    *r = t;
}

static inline void fp2_mul(fp2 *r, const fp2 *x, const fp2 *y) {
    if (r == y) y = x;
    else if (r != x) *r = *x;
    zkvm_fp2((uint64_t *)r, (const uint64_t *)y, ZKVM_FP2_MULTIPLY);
}

static inline void fp2_add(fp2 *r, const fp2 *x, const fp2 *y) {
    if (r == y) y = x;
    else if (r != x) *r = *x;
    zkvm_fp2((uint64_t *)r, (const uint64_t *)y, ZKVM_FP2_ADD);
}

static inline void fp2_sub(fp2 *r, const fp2 *x, const fp2 *y) {
    fp2 t;
    if (r == y && r != x) t = *y, y = &t;
    if (r != x) *r = *x;
    zkvm_fp2((uint64_t *)r, (const uint64_t *)y, ZKVM_FP2_SUBTRACT);
}

static inline void fp2_square(fp2 *r, const fp2 *x) { fp2_mul(r, x, x); }

static inline void fp2_scale(fp2 *r, const fp2 *x, const number *k) {
    const fp2 factor = {*k, {{0}}};
    fp2_mul(r, x, &factor);
}

static void fp2_conjugate(fp2 *r, const fp2 *x) {
    static const number zero;
    r->a = x->a;
    sub(&r->b, &zero, &x->b, &P);
}

static void fp2_negate(fp2 *r, const fp2 *x) {
    static const fp2 zero;
    fp2_sub(r, &zero, x);
}

/* r = x xi */
static inline void fp2_xi(fp2 *r, const fp2 *x) {
    static const fp2 xi = {{{9, 0, 0, 0}}, {{1, 0, 0, 0}}};
    fp2_mul(r, x, &xi);
}

static void fp2_invert(fp2 *r, const fp2 *x) {
    number norm, t;
    fp_mul(&norm, &x->a, &x->a);
    fp_mul(&t, &x->b, &x->b);
    add(&norm, &norm, &t, &P);
    invert(&norm, &norm, &P);
    fp2_conjugate(r, x);
    fp2_scale(r, r, &norm);
}

static int fp2_equal(const fp2 *x, const fp2 *y) { return is_equal(&x->a, &y->a) && is_equal(&x->b, &y->b); }
static int fp2_is_zero(const fp2 *x) { return is_zero(&x->a) && is_zero(&x->b); }

#endif
