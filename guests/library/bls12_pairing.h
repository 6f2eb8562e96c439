/* The pairing check of BLS12-381: the ate pairing. The Miller loop runs over U, the final exponentiation over
 * 3 (p^4 - p^2 + 1)/r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3 with x = -U (Hayashida, Hayasaka and Teruya, 2020). */
#ifndef BLS12_PAIRING_H
#define BLS12_PAIRING_H

#include "bls12_g2.h"

/* Makes a pair with this point of G1. */
static void pair_of(pair *p, const fp *x, const fp *y, const twist_point *q) {
    memset(p, 0, sizeof *p);
    p->q = *q;
    p->inverse.a = *y;
    fp_invert(&p->inverse.a);
    fp_negate(&p->ratio.a, x);
    fp_multiply(&p->ratio.a, &p->inverse.a);
}

/* Runs the Miller loops of the pairs. Returns 0 unless the points of the twist, which the loop multiplies by U, are in
 * G2: a point of that order never meets a vertical line. */
static int miller_loop(product *f, pair *pairs, size_t n) {
    f->now = 0;
    fp12_one(value_of(f));
    for (pair *p = pairs; p < pairs + n; p++) p->t = p->q;
    for (int i = 62; i >= 0; i--) {
        if (i < 62) square_product(f);
        for (pair *p = pairs; p < pairs + n; p++)
            if (!pair_step(f, p, 0) || ((U >> i & 1) && !pair_step(f, p, &p->q))) return 0;
    }
    for (pair *p = pairs; p < pairs + n; p++)
        if (!is_minus_frobenius(&p->t, &p->q)) return 0;
    return 1;
}

/* r = y^x for an element of the cyclotomic subgroup, where the inverse is the conjugate. */
static void power_x(fp12 *r, const fp12 *y) {
    fp12 s[2];
    int now = 0;
    s[0] = *y;
    for (int i = 62; i >= 0; i--) {
        fp12_square_cyclotomic(&s[!now], &s[now]), now = !now;
        if (U >> i & 1) fp12_mul(&s[!now], &s[now], y), now = !now;
    }
    *r = s[now];
    fp12_conjugate(r);
}

/* Reports whether f^((p^12 - 1)/r) is 1, by its cube, which is 1 if and only if the power is 1. */
static int is_one_finally(const fp12 *f) {
    fp12 r, s, t, u;
    easy_exponentiation(&r, f);
    s = r;
    for (int i = 0; i < 2; i++) { /* s = s^(x - 1) */
        power_x(&t, &s);
        fp12_conjugate(&s);
        fp12_mul(&u, &t, &s);
        s = u;
    }
    power_x(&t, &s); /* ^(x + p) */
    fp12_frobenius(&s);
    fp12_mul(&u, &t, &s);
    power_x(&t, &u); /* ^(x^2 + p^2 - 1) */
    power_x(&s, &t);
    t = u;
    fp12_frobenius(&t);
    fp12_frobenius(&t);
    fp12_conjugate(&u);
    fp12 v;
    fp12_mul(&v, &s, &t);
    fp12_mul(&s, &v, &u);
    fp12_square_cyclotomic(&t, &r); /* r^3 */
    fp12_mul(&u, &t, &r);
    fp12_mul(&t, &s, &u);
    return fp12_is_one(&t);
}

#endif
