/* The pairing check of BN254 (EIP-197): the optimal ate pairing. The Miller loop runs over 6x + 2 with lines in
 * homogeneous coordinates; the final exponentiation follows Fuentes-Castaneda, Knapp and Rodriguez-Henriquez (2011). */
#include "bn254_tower.h"
#include "zkvm_accelerators.h"

#define X 0x44e992b44a6909f1ull

/* The signed binary digits of 6x + 2 below its highest bit 2^65: the positions of 1 and of -1. */
#define LOOP_TOP 65
static const uint64_t loop_plus[2] = {0x2002004200804028, 0}, loop_minus[2] = {0x82889008420a0480, 0};

/* The number of pairs whose Miller loops share their squarings. */
#define AT_ONCE 8

typedef struct { fp2 x, y; } twist_point;                /* on y^2 = x^3 + 3/xi */
typedef struct { fp2 x, y, z; } projective;              /* (x/z, y/z) */
typedef struct { fp2 constant, x, y; } line;             /* constant v w + x X w + y Y at (X, Y) */

static const fp2 twist_b = {{{0x3267e6dc24a138e5, 0xb5b4c5e559dbefa3, 0x81be18991be06ac3, 0x2b149d40ceb8aaae}},
                            {{0xe4a2bd0685c315d2, 0xa74fa084e52d1852, 0xcd2cafadeed8fdf4, 0x009713b03af0fed4}}};
static const number half = {{0x9e10460b6c3e7ea4, 0xcbc0b548b438e546, 0xdc2822db40c0ac2e, 0x183227397098d014}};
static const number three = {{3, 0, 0, 0}};

/* t = 2t, and the tangent at t. */
static void double_step(projective *t, line *l) {
    fp2 a, b, c, e, f, g, h;
    fp2_mul(&a, &t->x, &t->y);
    fp2_scale(&a, &a, &half);
    fp2_square(&b, &t->y);
    fp2_square(&c, &t->z);
    fp2_scale(&e, &c, &three);
    fp2_mul(&e, &e, &twist_b);
    fp2_scale(&f, &e, &three);
    fp2_add(&g, &b, &f);
    fp2_scale(&g, &g, &half);
    fp2_mul(&h, &t->y, &t->z);
    fp2_add(&h, &h, &h);
    fp2_square(&c, &t->x);
    fp2_scale(&l->x, &c, &three);
    fp2_negate(&l->y, &h);
    fp2_sub(&l->constant, &e, &b);
    fp2_sub(&b, &b, &f);
    fp2_mul(&t->x, &a, &b);
    fp2_square(&e, &e);
    fp2_scale(&e, &e, &three);
    fp2_square(&g, &g);
    fp2_sub(&t->y, &g, &e);
    fp2_add(&b, &b, &f);
    fp2_mul(&t->z, &b, &h);
}

/* t = t + q, and the line through both. If t is q or -q, t becomes a point with z = 0 and remains one. */
static void add_step(projective *t, const twist_point *q, line *l) {
    fp2 theta, lambda, c, d, e, f, g, h;
    fp2_mul(&c, &q->y, &t->z);
    fp2_sub(&theta, &t->y, &c);
    fp2_mul(&c, &q->x, &t->z);
    fp2_sub(&lambda, &t->x, &c);
    fp2_square(&c, &theta);
    fp2_square(&d, &lambda);
    fp2_mul(&e, &lambda, &d);
    fp2_mul(&f, &t->z, &c);
    fp2_mul(&g, &t->x, &d);
    fp2_add(&h, &e, &f);
    fp2_sub(&h, &h, &g);
    fp2_sub(&h, &h, &g);
    fp2_mul(&t->x, &lambda, &h);
    fp2_sub(&g, &g, &h);
    fp2_mul(&g, &g, &theta);
    fp2_mul(&h, &e, &t->y);
    fp2_sub(&t->y, &g, &h);
    fp2_mul(&t->z, &t->z, &e);
    fp2_mul(&c, &theta, &q->x);
    fp2_mul(&d, &lambda, &q->y);
    fp2_sub(&l->constant, &c, &d);
    l->y = lambda;
    fp2_negate(&l->x, &theta);
}

/* f *= the line at (x, y) */
static void times_line(fp12 *f, const line *l, const number *x, const number *y) {
    fp2 lx, ly;
    fp6 t;
    fp12 r;
    fp2_scale(&lx, &l->x, x);
    fp2_scale(&ly, &l->y, y);
    fp6_mul_two(&t, &f->b, &lx, &l->constant);
    fp6_shift(&t, &t);
    fp6_scale(&r.a, &f->a, &ly);
    fp6_add(&r.a, &r.a, &t);
    fp6_mul_two(&t, &f->a, &lx, &l->constant);
    fp6_scale(&r.b, &f->b, &ly);
    fp6_add(&r.b, &r.b, &t);
    *f = r;
}

/* The image of a point under the Frobenius map, on the twist. */
static twist_point twist_frobenius(const twist_point *q) {
    twist_point r;
    fp2_conjugate(&r.x, &q->x);
    fp2_mul(&r.x, &r.x, &frobenius[1]);
    fp2_conjugate(&r.y, &q->y);
    fp2_mul(&r.y, &r.y, &frobenius[2]);
    return r;
}

static projective projective_of(const twist_point *q) {
    projective r = {q->x, q->y, {{{1, 0, 0, 0}}, {{0, 0, 0, 0}}}};
    return r;
}

/* Whether a point of the twist has the group's order. The Frobenius map F satisfies F^2 - tF + p = 0 with p + 1 - t the
 * order r of G1; so if F(q) = (t - 1)q, then rq = 0; and on the group of order r F is multiplication by p, which is t - 1
 * modulo r. t - 1 is 6x^2. No multiple of q below r is infinite or meets q again, so an impossible step shows that
 * the order is different. */
static int in_group(const twist_point *q) {
    static const uint64_t k[2] = {0xf83e9682e87cfd46, 0x6f4d8248eeb859fb}; /* 6x^2 */
    projective t = projective_of(q);
    line unused;
    for (int i = 125; i >= 0; i--) {
        double_step(&t, &unused);
        if (k[i / 64] >> (i % 64) & 1) add_step(&t, q, &unused);
    }
    if (fp2_is_zero(&t.z)) return 0;
    twist_point image = twist_frobenius(q);
    fp2_mul(&image.x, &image.x, &t.z);
    fp2_mul(&image.y, &image.y, &t.z);
    return fp2_equal(&image.x, &t.x) && fp2_equal(&image.y, &t.y);
}

static int on_twist(const twist_point *q) {
    fp2 left, right;
    fp2_square(&left, &q->y);
    fp2_square(&right, &q->x);
    fp2_mul(&right, &right, &q->x);
    fp2_add(&right, &right, &twist_b);
    return fp2_equal(&left, &right);
}

/* One pair of points, neither infinite. */
typedef struct {
    number x, y;
    twist_point q, minus;
    projective t;
} pair;

/* f *= the lines of the pairs, whose products are the Miller loops' values. */
static void miller_loop(fp12 *f, pair *pairs, size_t n) {
    fp12 r;
    memset(&r, 0, sizeof r);
    r.a.a.a.w[0] = 1;
    line l;
    for (size_t k = 0; k < n; k++) pairs[k].t = projective_of(&pairs[k].q);
    for (int i = LOOP_TOP - 1; i >= 0; i--) {
        fp12_square(&r, &r);
        int plus = loop_plus[i / 64] >> (i % 64) & 1, minus = loop_minus[i / 64] >> (i % 64) & 1;
        for (pair *p = pairs; p < pairs + n; p++) {
            double_step(&p->t, &l);
            times_line(&r, &l, &p->x, &p->y);
            if (!plus && !minus) continue;
            add_step(&p->t, plus ? &p->q : &p->minus, &l);
            times_line(&r, &l, &p->x, &p->y);
        }
    }
    for (pair *p = pairs; p < pairs + n; p++) { /* F(q) and -F^2(q) */
        twist_point image = twist_frobenius(&p->q);
        add_step(&p->t, &image, &l);
        times_line(&r, &l, &p->x, &p->y);
        image = twist_frobenius(&image);
        fp2_negate(&image.y, &image.y);
        add_step(&p->t, &image, &l);
        times_line(&r, &l, &p->x, &p->y);
    }
    fp12_mul(f, f, &r);
}

/* r = y^-x for an element of the cyclotomic subgroup, where the inverse is the conjugate. */
static void power_minus_x(fp12 *r, const fp12 *y) {
    fp12 s = *y;
    for (int i = 61; i >= 0; i--) {
        fp12_square_cyclotomic(&s, &s);
        if (X >> i & 1) fp12_mul(&s, &s, y);
    }
    fp12_conjugate(r, &s);
}

/* Whether f^((p^12 - 1)/r) is 1. */
static int is_one_finally(const fp12 *f) {
    fp12 r, s, t, y0, y1, y3, y4, y6;
    fp12_invert(&s, f);
    fp12_conjugate(&r, f);
    fp12_mul(&r, &r, &s); /* f^(p^6 - 1) */
    fp12_frobenius(&t, &r);
    fp12_frobenius(&t, &t);
    fp12_mul(&r, &r, &t); /* ^(p^2 + 1) */

    power_minus_x(&y0, &r);
    fp12_square_cyclotomic(&y1, &y0);
    fp12_square_cyclotomic(&y3, &y1);
    fp12_mul(&y3, &y3, &y1);
    power_minus_x(&y4, &y3);
    fp12_square_cyclotomic(&t, &y4);
    power_minus_x(&y6, &t);
    fp12_conjugate(&y3, &y3);
    fp12_conjugate(&y6, &y6);
    fp12_mul(&t, &y6, &y4);
    fp12_mul(&s, &t, &y3);   /* y8 */
    fp12_mul(&y1, &s, &y1);  /* y9 */
    fp12_mul(&t, &s, &y4);
    fp12_mul(&t, &t, &r);    /* y11 */
    fp12_frobenius(&y0, &y1);
    fp12_mul(&t, &y0, &t);   /* y13 */
    fp12_frobenius(&s, &s);
    fp12_frobenius(&s, &s);
    fp12_mul(&t, &s, &t);    /* y14 */
    fp12_conjugate(&r, &r);
    fp12_mul(&r, &r, &y1);
    for (int i = 0; i < 3; i++) fp12_frobenius(&r, &r);
    fp12_mul(&r, &r, &t);

    fp12 one;
    memset(&one, 0, sizeof one);
    one.a.a.a.w[0] = 1;
    return memcmp(&r, &one, sizeof r) == 0;
}

/* Decodes a pair. Returns -1 unless both points are in the groups, and 0 if one is infinite. */
static int read_pair(pair *p, const zkvm_bn254_pairing_pair *from) {
    p->x = from_bytes(from->g1.data), p->y = from_bytes(from->g1.data + 32);
    number *q[4] = {&p->q.x.b, &p->q.x.a, &p->q.y.b, &p->q.y.a};
    for (int i = 0; i < 4; i++) {
        *q[i] = from_bytes(from->g2.data + 32 * i);
        if (!is_less(q[i], &P)) return -1;
    }
    int infinite = is_zero(&p->x) && is_zero(&p->y);
    if (!infinite && !on_curve(&p->x, &p->y, &bn254)) return -1;
    if (fp2_is_zero(&p->q.x) && fp2_is_zero(&p->q.y)) return 0;
    if (!on_twist(&p->q) || !in_group(&p->q)) return -1;
    p->minus.x = p->q.x;
    fp2_negate(&p->minus.y, &p->q.y);
    return !infinite;
}

zkvm_status zkvm_bn254_pairing(const zkvm_bn254_pairing_pair *pairs, size_t num_pairs, bool *verified) {
    pair some[AT_ONCE];
    size_t n = 0;
    fp12 f;
    memset(&f, 0, sizeof f);
    f.a.a.a.w[0] = 1;
    *verified = false;
    for (size_t i = 0; i < num_pairs; i++) {
        int finite = read_pair(&some[n], &pairs[i]);
        if (finite < 0) return ZKVM_EFAIL;
        n += (size_t)finite;
        if (n < AT_ONCE) continue;
        miller_loop(&f, some, n);
        n = 0;
    }
    if (n) miller_loop(&f, some, n);
    *verified = is_one_finally(&f);
    return ZKVM_EOK;
}
