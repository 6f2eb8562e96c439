/* Curves y^2 = x^3 + ax + b over a prime of 256 bits or less, and sums of points with the accelerators for 256 bits.
 *
 * Points are affine, with coordinates below the prime. The order of each curve is odd, so no point has y = 0. */
#ifndef CURVE_H
#define CURVE_H

#include "number.h"

typedef struct {
    union {
        struct { number x, y; };
        uint64_t words[8];
    };
    uint64_t infinite; /* then x and y have no meaning */
} point;

typedef struct {
    number p, n;    /* the field's prime, the group's order */
    number a, b;    /* y^2 = x^3 + ax + b */
    number gx, gy;  /* the generator */
    long of;        /* its number in the accelerators */
} curve;

static inline void double_point(point *r, const curve *c) {
    if (!r->infinite) zkvm_ec256_double(r->words, c->of);
}

/* r += q */
static inline void add_point(point *r, const point *q, const curve *c) {
    if (r->infinite) {
        *r = *q;
    } else if (!q->infinite) {
        if (r->x.w[0] != q->x.w[0] || !is_equal(&r->x, &q->x)) zkvm_ec256_add(r->words, q->words, c->of);
        else if (is_equal(&r->y, &q->y)) double_point(r, c);
        else r->infinite = 1;
    }
}

static int on_curve(const number *x, const number *y, const curve *c) {
    number left, right, t;
    if (!is_less(x, &c->p) || !is_less(y, &c->p)) return 0;
    mul(&left, y, y, &c->p);
    mul(&right, x, x, &c->p);
    mul(&right, &right, x, &c->p);
    mul(&t, x, &c->a, &c->p);
    add(&right, &right, &t, &c->p);
    add(&right, &right, &c->b, &c->p);
    return is_equal(&left, &right);
}

#endif
