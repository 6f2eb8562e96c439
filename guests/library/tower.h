/* Fp12 = Fp2[w]/(w^6 - xi). The including file must include fp2.h first, and define xi and, in frobenius, xi^(i (p -
 * 1)/6) for i from 1 on. */
#ifndef TOWER_H
#define TOWER_H

typedef struct { fp2 c[6]; } fp12; /* the sum of c[i] w^i */

static void fp12_one(fp12 *r) {
    memset(r, 0, sizeof *r);
    r->c[0] = fp2_one;
}

static int fp12_is_one(const fp12 *x) {
    fp12 one;
    fp12_one(&one);
    return memcmp(x, &one, sizeof one) == 0;
}

/* r += xi high w^0 ... for the coefficients of w^6 on. */
static inline void fp12_reduce(fp12 *r, const fp2 *high, int n) {
    for (int k = 0; k < n; k++) fp2_mul_add(&r->c[k], &high[k], &xi);
}

/* r = x y */
static void fp12_mul(fp12 *r, const fp12 *x, const fp12 *y) {
    fp2 high[5];
    memset(r, 0, sizeof *r);
    memset(high, 0, sizeof high);
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++)
#pragma GCC unroll 6
        for (int j = 0; j < 6; j++) fp2_mul_add(i + j < 6 ? &r->c[i + j] : &high[i + j - 6], &x->c[i], &y->c[j]);
    fp12_reduce(r, high, 5);
}

/* r = x^2: products of different coefficients count twice. */
static void fp12_square(fp12 *r, const fp12 *x) {
    fp2 high[5];
    memset(r, 0, sizeof *r);
    memset(high, 0, sizeof high);
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++)
#pragma GCC unroll 6
        for (int j = i + 1; j < 6; j++) fp2_mul_add(i + j < 6 ? &r->c[i + j] : &high[i + j - 6], &x->c[i], &x->c[j]);
    fp12_reduce(r, high, 4); /* w^10 has only a square */
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++) fp2_increase(&r->c[k], &r->c[k]);
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        fp2_mul_add(&r->c[2 * i], &x->c[i], &x->c[i]);
        fp2 square;
        fp2_mul(&square, &x->c[3 + i], &x->c[3 + i]);
        fp2_mul_add(&r->c[2 * i], &square, &xi);
    }
}

/* x becomes x^(p^6). */
static void fp12_conjugate(fp12 *x) {
    for (int i = 1; i < 6; i += 2) fp2_multiply(&x->c[i], &fp2_minus_one);
}

/* x becomes x^p. */
static void fp12_frobenius(fp12 *x) {
    for (int i = 0; i < 6; i++) {
        fp_negate(&x->c[i].b, &x->c[i].b);
        if (i) fp2_multiply(&x->c[i], &frobenius[i - 1]);
    }
}

/* Elements of Fp6 = Fp2[v]/(v^3 - xi), where v is w^2. */
typedef struct { fp2 c[3]; } fp6;

/* r += x y */
static void fp6_mul_add(fp6 *r, const fp6 *x, const fp6 *y) {
    fp2 high[2];
    memset(high, 0, sizeof high);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) fp2_mul_add(i + j < 3 ? &r->c[i + j] : &high[i + j - 3], &x->c[i], &y->c[j]);
    for (int k = 0; k < 2; k++) fp2_mul_add(&r->c[k], &high[k], &xi);
}

/* r = 1/x, for an x that is not 0. */
static void fp6_invert(fp6 *r, const fp6 *x) {
    const fp2 *a = &x->c[0], *b = &x->c[1], *c = &x->c[2];
    fp2 t, norm;
    fp6 s;
    memset(&s, 0, sizeof s);
    memset(&norm, 0, sizeof norm);
    fp2_mul_add(&s.c[0], b, c); /* a^2 - xi bc */
    fp2_negate(&t, &xi);
    fp2_multiply(&s.c[0], &t);
    fp2_mul_add(&s.c[0], a, a);
    fp2_negate(&t, b); /* xi c^2 - ab */
    fp2_mul_add(&s.c[1], c, c);
    fp2_multiply(&s.c[1], &xi);
    fp2_mul_add(&s.c[1], a, &t);
    fp2_negate(&t, a); /* b^2 - ac */
    fp2_mul_add(&s.c[2], b, b);
    fp2_mul_add(&s.c[2], c, &t);
    fp2_mul_add(&norm, c, &s.c[1]);
    fp2_mul_add(&norm, b, &s.c[2]);
    fp2_multiply(&norm, &xi);
    fp2_mul_add(&norm, a, &s.c[0]);
    fp2_invert(&t, &norm);
    for (int i = 0; i < 3; i++) fp2_mul(&r->c[i], &s.c[i], &t);
}

/* r = 1/x, for an x that is not 0: (a - bw)/(a^2 - v b^2), for even and odd coefficients a and b. */
static void fp12_invert(fp12 *r, const fp12 *x) {
    fp6 a, minus, square, norm;
    memset(&square, 0, sizeof square);
    for (int i = 0; i < 3; i++) {
        a.c[i] = x->c[2 * i];
        fp2_negate(&minus.c[i], &x->c[2 * i + 1]);
    }
    fp6_mul_add(&square, &minus, &minus);
    fp2_negate(&norm.c[1], &square.c[0]);
    fp2_negate(&norm.c[2], &square.c[1]);
    fp2_mul(&norm.c[0], &square.c[2], &xi);
    fp2_multiply(&norm.c[0], &fp2_minus_one);
    fp6_mul_add(&norm, &a, &a);
    fp6_invert(&square, &norm);
    fp6 even, odd;
    memset(&even, 0, sizeof even), memset(&odd, 0, sizeof odd);
    fp6_mul_add(&even, &a, &square);
    fp6_mul_add(&odd, &minus, &square);
    for (int i = 0; i < 3; i++) r->c[2 * i] = even.c[i], r->c[2 * i + 1] = odd.c[i];
}

/* The part of a cyclotomic square that comes from a + by with y^2 = xi in Fp4:
 * ra = 3 (a^2 + xi b^2) - 2x and rb = 6 factor a b + 2y. */
static inline void square_part(fp2 *ra, fp2 *rb, const fp2 *a, const fp2 *b, const fp2 *x, const fp2 *y, const fp2 *factor) {
    static const fp2 minus_two = {FP_MINUS_TWO, {{0}}};
    fp2 t;
    fp2_mul(ra, x, &minus_two);
    fp2_mul(&t, a, &fp2_three);
    fp2_mul_add(ra, &t, a);
    *rb = *y;
    if (factor) fp2_multiply(&t, factor);
    fp2_mul_add(rb, &t, b);
    fp2_increase(rb, rb);
    fp2_mul(&t, b, &three_xi);
    fp2_mul_add(ra, &t, b);
}

/* r = x^2 for an element with x^(p^4 - p^2 + 1) = 1 (Granger and Scott, 2010): three squares in Fp4. */
static void fp12_square_cyclotomic(fp12 *r, const fp12 *x) {
    const fp2 *c = x->c;
    square_part(&r->c[0], &r->c[3], &c[0], &c[3], &c[0], &c[3], 0);
    square_part(&r->c[4], &r->c[1], &c[2], &c[5], &c[4], &c[1], &xi);
    square_part(&r->c[2], &r->c[5], &c[1], &c[4], &c[2], &c[5], 0);
}

#endif
