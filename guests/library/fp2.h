/* Fields Fp2 = Fp[u]/(u^2 + 1) with the accelerators. The including file must define fp, whose words are a number below
 * the prime, fp_negate, fp_invert and fp_is_zero, and the calls FP2_OPERATION and FP2_SUM.
 *
 * A sum of products costs little more than a product, so formulas are written as sums of products, without Karatsuba's
 * additions. If a function writes r, r is none of its other arguments; if it changes r, r may be another argument. */
#ifndef FP2_H
#define FP2_H

typedef struct { fp a, b; } fp2; /* a + bu */

#define WORDS_OF(x) ((uint64_t *)(x))
#define CONSTANT_WORDS(x) ((const uint64_t *)(x))

/* r += x y */
static inline void fp2_mul_add(fp2 *r, const fp2 *x, const fp2 *y) {
    FP2_SUM(WORDS_OF(r), CONSTANT_WORDS(x), CONSTANT_WORDS(y));
}

static inline void fp2_increase(fp2 *r, const fp2 *x) { FP2_OPERATION(WORDS_OF(r), CONSTANT_WORDS(x), ZKVM_FP2_ADD); }
static inline void fp2_decrease(fp2 *r, const fp2 *x) { FP2_OPERATION(WORDS_OF(r), CONSTANT_WORDS(x), ZKVM_FP2_SUBTRACT); }
static inline void fp2_multiply(fp2 *r, const fp2 *x) { FP2_OPERATION(WORDS_OF(r), CONSTANT_WORDS(x), ZKVM_FP2_MULTIPLY); }

static inline void fp2_zero(fp2 *r) {
    for (unsigned i = 0; i < sizeof *r / sizeof(uint64_t); i++) WORDS_OF(r)[i] = 0;
}

/* r = x y */
static inline void fp2_mul(fp2 *r, const fp2 *x, const fp2 *y) {
    fp2_zero(r);
    fp2_mul_add(r, x, y);
}

static const fp2 fp2_minus_one = {FP_MINUS_ONE, {{0}}}, fp2_one = {{{1}}, {{0}}}, fp2_two = {{{2}}, {{0}}},
                 fp2_three = {{{3}}, {{0}}};

/* r = -x */
static inline void fp2_negate(fp2 *r, const fp2 *x) { fp2_mul(r, x, &fp2_minus_one); }

static inline void fp2_conjugate(fp2 *r, const fp2 *x) {
    r->a = x->a;
    fp_negate(&r->b, &x->b);
}

static inline int fp2_is_zero(const fp2 *x) { return fp_is_zero(&x->a) && fp_is_zero(&x->b); }
static inline int fp2_equal(const fp2 *x, const fp2 *y) { return memcmp(x, y, sizeof *x) == 0; }

/* r = 1/x for an x that is not 0. */
static inline void fp2_invert(fp2 *r, const fp2 *x) {
    fp2 conjugate, norm;
    fp2_conjugate(&conjugate, x);
    fp2_mul(&norm, x, &conjugate);
    fp_invert(&norm.a);
    fp2_mul(r, &conjugate, &norm);
}

#endif
