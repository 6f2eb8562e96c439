/* Points of a sextic twist with affine coordinates, and Miller loops over them. Slopes need an inverse, which costs as
 * much as a few products with the accelerator.
 *
 * The line through points of the twist with slope s and y = s x + c has at a point (x, y) of G1 the value 1 - (s x/y) w
 * - (c/y) w^3 up to factors that the final exponentiation removes, if the twist is y^2 = x^3 + b/xi, and w^3 - (s x/y)
 * w^2 + (c'/y) with c' = -c if it is y^2 = x^3 + b xi. The including file must include tower.h first and define the
 * exponents of w: LINE_ONE of 1, LINE_SLOPE of the slope, LINE_CONSTANT of the constant. */
#ifndef MILLER_H
#define MILLER_H

typedef struct { fp2 x, y; } twist_point;

/* t = t + q, or 2t if q is null, with the slope of the line and s x - y for its points. Returns 0, with t unchanged, if
 * the line is vertical. */
static int twist_step(twist_point *t, const twist_point *q, fp2 *slope, fp2 *constant) {
    fp2 above, below, minus;
    if (q) {
        above = q->y, below = q->x;
        fp2_decrease(&above, &t->y);
        fp2_decrease(&below, &t->x);
    } else {
        fp2_mul(&minus, &t->x, &fp2_three);
        fp2_mul(&above, &minus, &t->x);
        fp2_mul(&below, &t->y, &fp2_two);
    }
    if (fp2_is_zero(&below)) return 0;
    fp2_invert(&minus, &below);
    fp2_mul(slope, &above, &minus);
    fp2_negate(constant, &t->y);
    fp2_mul_add(constant, slope, &t->x);
    fp2_negate(&minus, slope); /* -x = x1 + x2 - s^2, and y = s (x1 - x) - y1 */
    fp2_increase(&t->x, q ? &q->x : &t->x);
    fp2_mul_add(&t->x, slope, &minus);
    t->y = *constant;
    fp2_mul_add(&t->y, slope, &t->x);
    fp2_multiply(&t->x, &fp2_minus_one);
    return 1;
}

/* A pair of points, neither infinite. */
typedef struct {
    fp2 ratio, inverse; /* -x/y and 1/y of the point of G1 */
    twist_point q, t;
} pair;

/* r = f times the line with this slope and constant. */
static void times_line(fp12 *r, const fp12 *f, const pair *p, const fp2 *slope, const fp2 *constant) {
    fp2 a, b, a_xi, b_xi;
    fp2_mul(&a, slope, &p->ratio);
    fp2_mul(&b, constant, &p->inverse);
    fp2_mul(&a_xi, &a, &xi);
    if (LINE_CONSTANT) fp2_mul(&b_xi, &b, &xi);
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++) {
        if (k >= LINE_ONE) r->c[k] = f->c[k - LINE_ONE];
        else fp2_mul(&r->c[k], &f->c[k + 6 - LINE_ONE], &xi);
        fp2_mul_add(&r->c[k], &f->c[(k + 6 - LINE_SLOPE) % 6], k >= LINE_SLOPE ? &a : &a_xi);
        fp2_mul_add(&r->c[k], &f->c[(k + 6 - LINE_CONSTANT) % 6], k >= LINE_CONSTANT ? &b : &b_xi);
    }
}

/* A value that is computed alternately in two places. */
typedef struct {
    fp12 at[2];
    int now;
} product;

static inline fp12 *value_of(product *f) { return &f->at[f->now]; }

static void square_product(product *f) {
    fp12_square(&f->at[!f->now], value_of(f));
    f->now = !f->now;
}

/* A step of a pair: f gets the line, t the sum. Returns 0 if the line is vertical. */
static int pair_step(product *f, pair *p, const twist_point *q) {
    fp2 slope, constant;
    if (!twist_step(&p->t, q, &slope, &constant)) return 0;
    times_line(&f->at[!f->now], value_of(f), p, &slope, &constant);
    f->now = !f->now;
    return 1;
}

/* The image of a point under the Frobenius map, on the twist. */
static void twist_frobenius(twist_point *r, const twist_point *q) {
    fp2_conjugate(&r->x, &q->x);
    fp2_multiply(&r->x, &twist_x);
    fp2_conjugate(&r->y, &q->y);
    fp2_multiply(&r->y, &twist_y);
}

/* Reports whether y^2 = x^3 + b on the twist. */
static int on_twist(const twist_point *q) {
    fp2 left, right, square;
    fp2_mul(&left, &q->y, &q->y);
    fp2_mul(&square, &q->x, &q->x);
    right = twist_b;
    fp2_mul_add(&right, &square, &q->x);
    return fp2_equal(&left, &right);
}

/* f = x^((p^6 - 1) (p^2 + 1)), the easy part of the final exponentiation; x is not 0. */
static void easy_exponentiation(fp12 *f, const fp12 *x) {
    fp12 s, t = *x;
    fp12_invert(&s, x);
    fp12_conjugate(&t);
    fp12_mul(f, &t, &s);
    s = *f, t = *f;
    fp12_frobenius(&t);
    fp12_frobenius(&t);
    fp12_mul(f, &s, &t);
}

#endif
