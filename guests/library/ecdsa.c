/* ECDSA over secp256k1 and P-256, products by the accelerator for 256 bits.
 *
 * Nothing here is secret: all branches may depend on what is verified. Points are Jacobian, (x/z^2, y/z^3); the sum
 * u1*G + u2*Q goes over the bits of both scalars at once. */
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <string.h>

typedef struct { uint64_t w[4]; } number; /* least significant word first */
typedef struct { number x, y, z; } point; /* z = 0 is the point at infinity */

typedef struct {
    number p, n;    /* the field's prime, the group's order */
    number a, b;    /* y^2 = x^3 + ax + b */
    number gx, gy;  /* the generator */
} curve;

static const curve secp256k1 = {
    {{0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}},
    {{0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff}},
    {{0, 0, 0, 0}},
    {{7, 0, 0, 0}},
    {{0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac}},
    {{0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465}},
};

static const curve secp256r1 = {
    {{0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001}},
    {{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}},
    {{0xfffffffffffffffc, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001}},
    {{0x3bce3c3e27d2604b, 0x651d06b0cc53b0f6, 0xb3ebbd55769886bc, 0x5ac635d8aa3a93e7}},
    {{0xf4a13945d898c296, 0x77037d812deb33a0, 0xf8bce6e563a440f2, 0x6b17d1f2e12c4247}},
    {{0xcbb6406837bf51f5, 0x2bce33576b315ece, 0x8ee7eb4a7c0f9e16, 0x4fe342e2fe1a7f9b}},
};

static int is_zero(const number *a) { return (a->w[0] | a->w[1] | a->w[2] | a->w[3]) == 0; }

static int is_less(const number *a, const number *b) {
    for (int i = 3; i >= 0; i--)
        if (a->w[i] != b->w[i]) return a->w[i] < b->w[i];
    return 0;
}

static int is_equal(const number *a, const number *b) { return memcmp(a, b, sizeof *a) == 0; }

/* r = a + b, returns the carry. */
static uint64_t add_words(number *r, const number *a, const number *b) {
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t sum = a->w[i] + b->w[i], with = sum + carry;
        carry = (sum < a->w[i]) | (with < sum);
        r->w[i] = with;
    }
    return carry;
}

/* r = a - b, returns the borrow. */
static uint64_t sub_words(number *r, const number *a, const number *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t left = a->w[i], difference = left - b->w[i], with = difference - borrow;
        borrow = (left < b->w[i]) | (difference < borrow);
        r->w[i] = with;
    }
    return borrow;
}

/* Arithmetic modulo m on numbers below m. */
static void add(number *r, const number *a, const number *b, const number *m) {
    if (add_words(r, a, b) || !is_less(r, m)) sub_words(r, r, m);
}

static void sub(number *r, const number *a, const number *b, const number *m) {
    if (sub_words(r, a, b)) add_words(r, r, m);
}

static void mul(number *r, const number *a, const number *b, const number *m) {
    number x = *a;
    zkvm_modmul(x.w, b->w, m->w);
    *r = x;
}

/* r = a^e mod m. */
static void power(number *r, const number *a, const number *e, const number *m) {
    number x = {{1, 0, 0, 0}};
    for (int i = 255; i >= 0; i--) {
        zkvm_modmul(x.w, x.w, m->w);
        if (e->w[i / 64] >> (i % 64) & 1) zkvm_modmul(x.w, a->w, m->w);
    }
    *r = x;
}

/* r = 1/a mod m for a prime m, by Fermat. */
static void invert(number *r, const number *a, const number *m) {
    static const number two = {{2, 0, 0, 0}};
    number e;
    sub_words(&e, m, &two);
    power(r, a, &e, m);
}

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

/* A point with z = 1, 0 for the point at infinity. */
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

static number from_bytes(const uint8_t *bytes) {
    number r;
    for (int i = 0; i < 4; i++) {
        uint64_t w = 0;
        for (int k = 0; k < 8; k++) w = w << 8 | bytes[8 * (3 - i) + k];
        r.w[i] = w;
    }
    return r;
}

/* u1*G + u2*Q, over the bits of both at once. */
static point combine(const number *u1, const number *u2, const number *qx, const number *qy, const curve *c) {
    point sum = {{{0}}, {{0}}, {{0}}};
    number bothx, bothy; /* G + Q */
    point g = {c->gx, c->gy, {{1, 0, 0, 0}}}, both;
    add_point(&both, &g, qx, qy, c);
    int finite = affine(&bothx, &bothy, &both, c);
    for (int i = 255; i >= 0; i--) {
        double_point(&sum, &sum, c);
        int b1 = u1->w[i / 64] >> (i % 64) & 1, b2 = u2->w[i / 64] >> (i % 64) & 1;
        if (b1 && b2) {
            if (finite) add_point(&sum, &sum, &bothx, &bothy, c);
        } else if (b1) {
            add_point(&sum, &sum, &c->gx, &c->gy, c);
        } else if (b2) {
            add_point(&sum, &sum, qx, qy, c);
        }
    }
    return sum;
}

static zkvm_status verify(const uint8_t *msg, const uint8_t *sig, const uint8_t *pubkey, bool *verified, const curve *c) {
    number e = from_bytes(msg), r = from_bytes(sig), s = from_bytes(sig + 32);
    number qx = from_bytes(pubkey), qy = from_bytes(pubkey + 32);
    *verified = false;
    if (!on_curve(&qx, &qy, c)) return ZKVM_EFAIL;
    if (is_zero(&r) || is_zero(&s) || !is_less(&r, &c->n) || !is_less(&s, &c->n)) return ZKVM_EOK;
    number w, u1, u2;
    invert(&w, &s, &c->n);
    mul(&u1, &e, &w, &c->n); /* w is below n, so e need not be */
    mul(&u2, &r, &w, &c->n);
    point sum = combine(&u1, &u2, &qx, &qy, c);
    if (is_zero(&sum.z)) return ZKVM_EOK;
    /* x/z^2 = r mod n: r, or r + n where that is below p. Both orders are below their p, so r is too. */
    number zz, t;
    mul(&zz, &sum.z, &sum.z, &c->p);
    mul(&t, &r, &zz, &c->p);
    *verified = is_equal(&t, &sum.x);
    if (!*verified && !add_words(&r, &r, &c->n) && is_less(&r, &c->p)) {
        mul(&t, &r, &zz, &c->p);
        *verified = is_equal(&t, &sum.x);
    }
    return ZKVM_EOK;
}

zkvm_status zkvm_secp256k1_verify(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig,
                                  const zkvm_secp256k1_pubkey *pubkey, bool *verified) {
    return verify(msg->data, sig->data, pubkey->data, verified, &secp256k1);
}

zkvm_status zkvm_secp256r1_verify(const zkvm_secp256r1_hash *msg, const zkvm_secp256r1_signature *sig,
                                  const zkvm_secp256r1_pubkey *pubkey, bool *verified) {
    return verify(msg->data, sig->data, pubkey->data, verified, &secp256r1);
}

static void to_bytes(uint8_t *bytes, const number *a) {
    for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)(a->w[3 - i / 8] >> (56 - 8 * (i % 8)));
}

zkvm_status zkvm_secp256k1_ecrecover(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig, uint8_t recid,
                                     zkvm_secp256k1_pubkey *output) {
    const curve *c = &secp256k1;
    number e = from_bytes(msg->data), r = from_bytes(sig->data), s = from_bytes(sig->data + 32), x = r;
    if (recid > 3 || is_zero(&r) || is_zero(&s) || !is_less(&r, &c->n) || !is_less(&s, &c->n)) return ZKVM_EFAIL;
    if (recid & 2 && (add_words(&x, &x, &c->n) || !is_less(&x, &c->p))) return ZKVM_EFAIL;
    /* y = sqrt(x^3 + 7), by the power (p + 1)/4, because p is 3 mod 4. */
    static const number quarter = {{0xffffffffbfffff0c, 0xffffffffffffffff, 0xffffffffffffffff, 0x3fffffffffffffff}};
    number y, square;
    mul(&square, &x, &x, &c->p);
    mul(&square, &square, &x, &c->p);
    add(&square, &square, &c->b, &c->p);
    power(&y, &square, &quarter, &c->p);
    mul(&e, &e, &(number){{1, 0, 0, 0}}, &c->n); /* below n */
    number check, zero = {{0}}, w, u1, u2, qx, qy;
    mul(&check, &y, &y, &c->p);
    if (!is_equal(&check, &square)) return ZKVM_EFAIL;
    if ((y.w[0] & 1) != (recid & 1)) sub(&y, &zero, &y, &c->p);
    /* Q = (sR - eG)/r */
    invert(&w, &r, &c->n);
    sub(&e, &zero, &e, &c->n);
    mul(&u1, &e, &w, &c->n);
    mul(&u2, &s, &w, &c->n);
    point q = combine(&u1, &u2, &x, &y, c);
    if (!affine(&qx, &qy, &q, c)) return ZKVM_EFAIL;
    to_bytes(output->data, &qx);
    to_bytes(output->data + 32, &qy);
    return ZKVM_EOK;
}
