/* Curves y^2 = x^3 + ax + b over a prime of 256 bits or less. Points are Jacobian, (x/z^2, y/z^3). */
#ifndef CURVE_H
#define CURVE_H

#include "number.h"

typedef struct { number x, y, z; } point; /* z = 0 is the point at infinity */

typedef struct {
    number p, n;    /* the field's prime, the group's order */
    number a, b;    /* y^2 = x^3 + ax + b */
    number gx, gy;  /* the generator */
} curve;

static void double_point(point *r, const point *q, const curve *c) {
    const number *p = &c->p;
    if (is_zero(&q->z) || is_zero(&q->y)) {
        memset(r, 0, sizeof *r);
        return;
    }
    number yy, s, m, t, zz;
    mul(&yy, &q->y, &q->y, p);
    mul(&s, &q->x, &yy, p);
    add(&s, &s, &s, p);
    add(&s, &s, &s, p); /* 4xy^2 */
    mul(&t, &q->x, &q->x, p);
    add(&m, &t, &t, p);
    add(&m, &m, &t, p); /* 3x^2 + az^4 */
    if (!is_zero(&c->a)) {
        mul(&zz, &q->z, &q->z, p);
        mul(&zz, &zz, &zz, p);
        mul(&zz, &zz, &c->a, p);
        add(&m, &m, &zz, p);
    }
    mul(&t, &q->y, &q->z, p);
    add(&r->z, &t, &t, p);
    mul(&t, &m, &m, p);
    sub(&t, &t, &s, p);
    sub(&r->x, &t, &s, p);
    mul(&yy, &yy, &yy, p); /* y^4 */
    add(&yy, &yy, &yy, p);
    add(&yy, &yy, &yy, p);
    add(&yy, &yy, &yy, p);
    sub(&s, &s, &r->x, p);
    mul(&m, &m, &s, p);
    sub(&r->y, &m, &yy, p);
}

/* r = q + (x, y), for a point with z = 1. */
static void add_point(point *r, const point *q, const number *x, const number *y, const curve *c) {
    const number *p = &c->p;
    if (is_zero(&q->z)) {
        r->x = *x, r->y = *y;
        r->z = (number){{1, 0, 0, 0}};
        return;
    }
    number zz, u, s, h, hh, hhh, v;
    mul(&zz, &q->z, &q->z, p);
    mul(&u, x, &zz, p);
    mul(&s, y, &zz, p);
    mul(&s, &s, &q->z, p);
    sub(&h, &u, &q->x, p);
    sub(&s, &s, &q->y, p);
    if (is_zero(&h)) {
        if (is_zero(&s)) double_point(r, q, c);
        else memset(r, 0, sizeof *r);
        return;
    }
    mul(&hh, &h, &h, p);
    mul(&hhh, &hh, &h, p);
    mul(&v, &q->x, &hh, p);
    number y1 = q->y, t;
    mul(&r->z, &q->z, &h, p);
    mul(&t, &s, &s, p);
    sub(&t, &t, &hhh, p);
    sub(&t, &t, &v, p);
    sub(&r->x, &t, &v, p);
    sub(&v, &v, &r->x, p);
    mul(&v, &s, &v, p);
    mul(&y1, &y1, &hhh, p);
    sub(&r->y, &v, &y1, p);
}

/* Converts to coordinates with z = 1. Returns 0 for the point at infinity. */
static int affine(number *x, number *y, const point *q, const curve *c) {
    if (is_zero(&q->z)) return 0;
    number i, ii;
    invert(&i, &q->z, &c->p);
    mul(&ii, &i, &i, &c->p);
    mul(x, &q->x, &ii, &c->p);
    mul(&ii, &ii, &i, &c->p);
    mul(y, &q->y, &ii, &c->p);
    return 1;
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
