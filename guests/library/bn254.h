/* The fields of BN254 (EIP-196, EIP-197): Fp, Fp2 = Fp[u]/(u^2 + 1), Fp6 = Fp2[v]/(v^3 - xi), Fp12 = Fp6[w]/(w^2 - v), with
 * xi = 9 + u. The accelerator's products modulo p cost less than the instructions of a sum, so products of sums
 * are written out, without Karatsuba's additions. Numbers are below p. */
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

typedef struct { number a, b; } fp2;      /* a + bu */
typedef struct { fp2 a, b, c; } fp6;      /* a + bv + cv^2 */
typedef struct { fp6 a, b; } fp12;        /* a + bw */

/* a + b with a carry in and out. */
static inline uint64_t word_sum(uint64_t a, uint64_t b, uint64_t *carry) {
    uint64_t sum = a + b, with = sum + *carry;
    *carry = (sum < a) | (with < sum);
    return with;
}

static inline uint64_t word_difference(uint64_t a, uint64_t b, uint64_t *borrow) {
    uint64_t difference = a - b, with = difference - *borrow;
    *borrow = (a < b) | (difference < *borrow);
    return with;
}

/* Without loops: p has two unused bits, so a sum has no carry. */
static inline void fp_add(number *r, const number *x, const number *y) {
    uint64_t carry = 0;
    uint64_t a = word_sum(x->w[0], y->w[0], &carry), b = word_sum(x->w[1], y->w[1], &carry),
             c = word_sum(x->w[2], y->w[2], &carry), d = x->w[3] + y->w[3] + carry;
    number sum = {{a, b, c, d}};
    if (d >= P.w[3] && !is_less(&sum, &P)) {
        uint64_t borrow = 0;
        sum.w[0] = word_difference(a, P.w[0], &borrow), sum.w[1] = word_difference(b, P.w[1], &borrow);
        sum.w[2] = word_difference(c, P.w[2], &borrow), sum.w[3] = d - P.w[3] - borrow;
    }
    *r = sum;
}

static inline void fp_sub(number *r, const number *x, const number *y) {
    uint64_t borrow = 0;
    uint64_t a = word_difference(x->w[0], y->w[0], &borrow), b = word_difference(x->w[1], y->w[1], &borrow),
             c = word_difference(x->w[2], y->w[2], &borrow), d = word_difference(x->w[3], y->w[3], &borrow);
    if (borrow) {
        uint64_t carry = 0;
        a = word_sum(a, P.w[0], &carry), b = word_sum(b, P.w[1], &carry);
        c = word_sum(c, P.w[2], &carry), d += P.w[3] + carry;
    }
    *r = (number){{a, b, c, d}};
}

static inline void fp_mul(number *r, const number *x, const number *y) {
    number t = *x;
    zkvm_modmul(t.w, y->w, P.w);
    *r = t;
}

static void fp2_add(fp2 *r, const fp2 *x, const fp2 *y) { fp_add(&r->a, &x->a, &y->a), fp_add(&r->b, &x->b, &y->b); }
static void fp2_sub(fp2 *r, const fp2 *x, const fp2 *y) { fp_sub(&r->a, &x->a, &y->a), fp_sub(&r->b, &x->b, &y->b); }

static void fp2_scale(fp2 *r, const fp2 *x, const number *k) { fp_mul(&r->a, &x->a, k), fp_mul(&r->b, &x->b, k); }

static void fp2_conjugate(fp2 *r, const fp2 *x) {
    static const number zero;
    r->a = x->a;
    fp_sub(&r->b, &zero, &x->b);
}

static void fp2_negate(fp2 *r, const fp2 *x) {
    static const fp2 zero;
    fp2_sub(r, &zero, x);
}

static void fp2_mul(fp2 *r, const fp2 *x, const fp2 *y) {
    number aa, bb, ab, ba;
    fp_mul(&aa, &x->a, &y->a);
    fp_mul(&bb, &x->b, &y->b);
    fp_mul(&ab, &x->a, &y->b);
    fp_mul(&ba, &x->b, &y->a);
    fp_sub(&r->a, &aa, &bb);
    fp_add(&r->b, &ab, &ba);
}

/* (a + b)(a - b) + 2ab u */
static void fp2_square(fp2 *r, const fp2 *x) {
    number sum, difference, ab;
    fp_add(&sum, &x->a, &x->b);
    fp_sub(&difference, &x->a, &x->b);
    fp_mul(&ab, &x->a, &x->b);
    fp_mul(&r->a, &sum, &difference);
    fp_add(&r->b, &ab, &ab);
}

/* r = x xi = 9a - b + (a + 9b)u */
static void fp2_xi(fp2 *r, const fp2 *x) {
    static const number nine = {{9, 0, 0, 0}};
    number a, b;
    fp_mul(&a, &x->a, &nine);
    fp_mul(&b, &x->b, &nine);
    fp_sub(&a, &a, &x->b);
    fp_add(&r->b, &b, &x->a);
    r->a = a;
}

static void fp2_invert(fp2 *r, const fp2 *x) {
    number norm, t;
    fp_mul(&norm, &x->a, &x->a);
    fp_mul(&t, &x->b, &x->b);
    fp_add(&norm, &norm, &t);
    invert(&norm, &norm, &P);
    fp2_conjugate(r, x);
    fp2_scale(r, r, &norm);
}

static int fp2_equal(const fp2 *x, const fp2 *y) { return is_equal(&x->a, &y->a) && is_equal(&x->b, &y->b); }
static int fp2_is_zero(const fp2 *x) { return is_zero(&x->a) && is_zero(&x->b); }

#endif
