/* Fp6 and Fp12 of BN254. */
#ifndef BN254_TOWER_H
#define BN254_TOWER_H

#include "bn254.h"

static void fp6_add(fp6 *r, const fp6 *x, const fp6 *y) {
    fp2_add(&r->a, &x->a, &y->a), fp2_add(&r->b, &x->b, &y->b), fp2_add(&r->c, &x->c, &y->c);
}

static void fp6_sub(fp6 *r, const fp6 *x, const fp6 *y) {
    fp2_sub(&r->a, &x->a, &y->a), fp2_sub(&r->b, &x->b, &y->b), fp2_sub(&r->c, &x->c, &y->c);
}

static void fp6_negate(fp6 *r, const fp6 *x) {
    static const fp6 zero;
    fp6_sub(r, &zero, x);
}

/* r = x v */
static void fp6_shift(fp6 *r, const fp6 *x) {
    fp2 c = x->c;
    r->c = x->b, r->b = x->a;
    fp2_xi(&r->a, &c);
}

/* r += x y */
static void fp2_mul_add(fp2 *r, const fp2 *x, const fp2 *y) {
    fp2 t;
    fp2_mul(&t, x, y);
    fp2_add(r, r, &t);
}

static void fp6_mul(fp6 *r, const fp6 *x, const fp6 *y) {
    fp6 s;
    fp2_mul(&s.a, &x->b, &y->c);
    fp2_mul_add(&s.a, &x->c, &y->b);
    fp2_xi(&s.a, &s.a);
    fp2_mul_add(&s.a, &x->a, &y->a);
    fp2_mul(&s.b, &x->c, &y->c);
    fp2_xi(&s.b, &s.b);
    fp2_mul_add(&s.b, &x->a, &y->b);
    fp2_mul_add(&s.b, &x->b, &y->a);
    fp2_mul(&s.c, &x->a, &y->c);
    fp2_mul_add(&s.c, &x->b, &y->b);
    fp2_mul_add(&s.c, &x->c, &y->a);
    *r = s;
}

/* r = x (a + bv) */
static void fp6_mul_two(fp6 *r, const fp6 *x, const fp2 *a, const fp2 *b) {
    fp6 s;
    fp2_mul(&s.a, &x->c, b);
    fp2_xi(&s.a, &s.a);
    fp2_mul_add(&s.a, &x->a, a);
    fp2_mul(&s.b, &x->a, b);
    fp2_mul_add(&s.b, &x->b, a);
    fp2_mul(&s.c, &x->b, b);
    fp2_mul_add(&s.c, &x->c, a);
    *r = s;
}

static void fp6_scale(fp6 *r, const fp6 *x, const fp2 *k) {
    fp2_mul(&r->a, &x->a, k), fp2_mul(&r->b, &x->b, k), fp2_mul(&r->c, &x->c, k);
}

static void fp6_invert(fp6 *r, const fp6 *x) {
    fp6 s;
    fp2 t;
    fp2_mul(&t, &x->b, &x->c);
    fp2_xi(&t, &t);
    fp2_square(&s.a, &x->a);
    fp2_sub(&s.a, &s.a, &t); /* a^2 - xi bc */
    fp2_square(&s.b, &x->c);
    fp2_xi(&s.b, &s.b);
    fp2_mul(&t, &x->a, &x->b);
    fp2_sub(&s.b, &s.b, &t); /* xi c^2 - ab */
    fp2_square(&s.c, &x->b);
    fp2_mul(&t, &x->a, &x->c);
    fp2_sub(&s.c, &s.c, &t); /* b^2 - ac */
    fp2 norm;
    fp2_mul(&norm, &x->c, &s.b);
    fp2_mul_add(&norm, &x->b, &s.c);
    fp2_xi(&norm, &norm);
    fp2_mul_add(&norm, &x->a, &s.a);
    fp2_invert(&norm, &norm);
    fp6_scale(r, &s, &norm);
}

/* (a + bw)(c + dw) = ac + v bd + ((a + b)(c + d) - ac - bd)w */
static void fp12_mul(fp12 *r, const fp12 *x, const fp12 *y) {
    fp6 aa, bb, s, t;
    fp6_mul(&aa, &x->a, &y->a);
    fp6_mul(&bb, &x->b, &y->b);
    fp6_add(&s, &x->a, &x->b);
    fp6_add(&t, &y->a, &y->b);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &aa);
    fp6_sub(&r->b, &s, &bb);
    fp6_shift(&bb, &bb);
    fp6_add(&r->a, &aa, &bb);
}

/* (a + b)(a + v b) - ab - v ab + 2ab w */
static void fp12_square(fp12 *r, const fp12 *x) {
    fp6 ab, s, t;
    fp6_mul(&ab, &x->a, &x->b);
    fp6_add(&s, &x->a, &x->b);
    fp6_shift(&t, &x->b);
    fp6_add(&t, &t, &x->a);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &ab);
    fp6_shift(&t, &ab);
    fp6_sub(&r->a, &s, &t);
    fp6_add(&r->b, &ab, &ab);
}

/* r = x^(p^6) */
static void fp12_conjugate(fp12 *r, const fp12 *x) {
    r->a = x->a;
    fp6_negate(&r->b, &x->b);
}

static void fp12_invert(fp12 *r, const fp12 *x) {
    fp6 s, t;
    fp6_mul(&s, &x->a, &x->a);
    fp6_mul(&t, &x->b, &x->b);
    fp6_shift(&t, &t);
    fp6_sub(&s, &s, &t);
    fp6_invert(&s, &s);
    fp6_mul(&t, &x->b, &s);
    fp6_negate(&r->b, &t);
    fp6_mul(&r->a, &x->a, &s);
}

/* xi^(i (p - 1)/6), for i from 1 on */
static const fp2 frobenius[5] = {
    {{{0xd60b35dadcc9e470, 0x5c521e08292f2176, 0xe8b99fdd76e68b60, 0x1284b71c2865a7df}},
     {{0xca5cf05f80f362ac, 0x747992778eeec7e5, 0xa6327cfe12150b8e, 0x246996f3b4fae7e6}}},
    {{{0x99e39557176f553d, 0xb78cc310c2c3330c, 0x4c0bec3cf559b143, 0x2fb347984f7911f7}},
     {{0x1665d51c640fcba2, 0x32ae2a1d0b7c9dce, 0x4ba4cc8bd75a0794, 0x16c9e55061ebae20}}},
    {{{0xdc54014671a0135a, 0xdbaae0eda9c95998, 0xdc5ec698b6e2f9b9, 0x063cf305489af5dc}},
     {{0x82d37f632623b0e3, 0x21807dc98fa25bd2, 0x0704b5a7ec796f2b, 0x07c03cbcac41049a}}},
    {{{0x848a1f55921ea762, 0xd33365f7be94ec72, 0x80f3c0b75a181e84, 0x05b54f5e64eea801}},
     {{0xc13b4711cd2b8126, 0x3685d2ea1bdec763, 0x9f3a80b03b0b1c92, 0x2c145edbe7fd8aee}}},
    {{{0x2ea2c810eab7692f, 0x425c459b55aa1bd3, 0xe93a3661a4353ff4, 0x0183c1e74f798649}},
     {{0x24c6b8ee6e0c2c4b, 0xb080cb99678e2ac0, 0xa27fb246c7729f7d, 0x12acf2ca76fd0675}}},
};

/* r = x^p. The element is a sum over powers of w; v is w^2. */
static void fp12_frobenius(fp12 *r, const fp12 *x) {
    fp2 *to[6] = {&r->a.a, &r->b.a, &r->a.b, &r->b.b, &r->a.c, &r->b.c};
    const fp2 *from[6] = {&x->a.a, &x->b.a, &x->a.b, &x->b.b, &x->a.c, &x->b.c};
    for (int i = 0; i < 6; i++) {
        fp2_conjugate(to[i], from[i]);
        if (i) fp2_mul(to[i], to[i], &frobenius[i - 1]);
    }
}

/* The square of a + b y in Fp4 = Fp2[y]/(y^2 - xi). */
static void fp4_square(fp2 *ra, fp2 *rb, const fp2 *a, const fp2 *b) {
    fp2 aa, bb, ab;
    fp2_square(&aa, a);
    fp2_square(&bb, b);
    fp2_mul(&ab, a, b);
    fp2_xi(&bb, &bb);
    fp2_add(ra, &aa, &bb);
    fp2_add(rb, &ab, &ab);
}

/* r = 3t - 2x or 3t + 2x */
static void fp2_three_minus(fp2 *r, const fp2 *t, const fp2 *x) {
    fp2 s;
    fp2_sub(&s, t, x);
    fp2_add(&s, &s, &s);
    fp2_add(r, &s, t);
}

static void fp2_three_plus(fp2 *r, const fp2 *t, const fp2 *x) {
    fp2 s;
    fp2_add(&s, t, x);
    fp2_add(&s, &s, &s);
    fp2_add(r, &s, t);
}

/* The square of an element whose (p^4 - p^2 + 1)-th power is 1 (Granger and Scott, 2010): three squares in Fp4. */
static void fp12_square_cyclotomic(fp12 *r, const fp12 *x) {
    fp2 a, b, c, d, e, f;
    fp4_square(&a, &b, &x->a.a, &x->b.b);
    fp4_square(&c, &d, &x->b.a, &x->a.c);
    fp4_square(&e, &f, &x->a.b, &x->b.c);
    fp2_xi(&f, &f);
    fp2_three_minus(&r->a.a, &a, &x->a.a);
    fp2_three_plus(&r->b.b, &b, &x->b.b);
    fp2_three_plus(&r->b.a, &f, &x->b.a);
    fp2_three_minus(&r->a.c, &e, &x->a.c);
    fp2_three_minus(&r->a.b, &c, &x->a.b);
    fp2_three_plus(&r->b.c, &d, &x->b.c);
}

#endif
