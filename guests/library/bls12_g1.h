/* BLS12-381's G1: y^2 = x^3 + 4. The number of points is odd, so no point has y = 0. */
#ifndef BLS12_G1_H
#define BLS12_G1_H

#include "bls12_field.h"

typedef struct {
    union {
        struct { fp x, y; };
        uint64_t words[12]; /* for the accelerators */
    };
    uint64_t infinite; /* then x and y are 0 */
} g1;

static inline void g1_double(g1 *r) {
    if (!r->infinite) zkvm_ec384_double(r->words, ZKVM_BLS12_381);
}

/* r += q */
static inline void g1_add(g1 *r, const g1 *q) {
    if (r->infinite) {
        *r = *q;
    } else if (!q->infinite) {
        if (r->x.w[0] != q->x.w[0] || !fp_equal(&r->x, &q->x)) zkvm_ec384_add(r->words, q->words, ZKVM_BLS12_381);
        else if (fp_equal(&r->y, &q->y)) g1_double(r);
        else memset(r, 0, sizeof *r), r->infinite = 1;
    }
}

/* r = x^3 + 4 */
static void g1_right(fp *r, const fp *x) {
    static const fp four = {{4}};
    *r = *x;
    fp_multiply(r, x);
    fp_mul_add(r, x, &four);
}

static int g1_on_curve(const g1 *p) {
    fp left = p->y, right;
    fp_multiply(&left, &p->y);
    g1_right(&right, &p->x);
    return fp_equal(&left, &right);
}

/* r = U p */
static void g1_times_u(g1 *r, const g1 *p) {
    g1 t = *p;
    for (int i = 62; i >= 0; i--) {
        g1_double(&t);
        if (U >> i & 1) g1_add(&t, p);
    }
    *r = t;
}

/* Reports whether a point of the curve is in the group: (beta x, y) is -U^2 (x, y), with beta a cube root of 1 (Scott,
 * A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves, 2021). */
static int g1_in_group(const g1 *p) {
    static const fp beta =
        {{0x2e01fffffffefffe, 0xde17d813620a0002, 0xddb3a93be6f89688, 0xba69c6076a0f77ea, 0x5f19672fdf76ce51,
         0x0000000000000000}};
    if (p->infinite) return 1;
    g1 t;
    fp x = p->x, y;
    g1_times_u(&t, p);
    g1_times_u(&t, &t);
    fp_multiply(&x, &beta);
    fp_negate(&y, &p->y);
    return !t.infinite && fp_equal(&x, &t.x) && fp_equal(&y, &t.y);
}

/* Decodes a point of the curve, of any order; zeros are infinity. Returns 0 for anything else. */
static int g1_read(g1 *r, const uint8_t bytes[96]) {
    if (!read_fp(&r->x, bytes) || !read_fp(&r->y, bytes + 48)) return 0;
    r->infinite = fp_is_zero(&r->x) && fp_is_zero(&r->y);
    return r->infinite || g1_on_curve(r);
}

static void g1_write(uint8_t bytes[96], const g1 *p) {
    write_fp(bytes, &p->x);
    write_fp(bytes + 48, &p->y);
}

/* Multiples of a point by 0 to 15. */
typedef struct { g1 of[16]; } g1_multiples;

static void g1_multiply_all(g1_multiples *r, const g1 *p) {
    memset(&r->of[0], 0, sizeof r->of[0]), r->of[0].infinite = 1;
    for (int i = 1; i < 16; i++) {
        r->of[i] = r->of[i - 1];
        g1_add(&r->of[i], p);
    }
}

/* sum += scalars times points, given the points' multiples. Scalars are 32 bytes, the highest first. */
static void g1_multiply_add(g1 *sum, const g1_multiples *points, const uint8_t *const *scalars, size_t n) {
    g1 t;
    memset(&t, 0, sizeof t), t.infinite = 1;
    for (int i = 0; i < 64; i++) {
        for (int doubles = 0; doubles < 4; doubles++) g1_double(&t);
        for (size_t k = 0; k < n; k++) {
            int digit = scalars[k][i / 2] >> (i % 2 ? 0 : 4) & 15;
            if (digit) g1_add(&t, &points[k].of[digit]);
        }
    }
    g1_add(sum, &t);
}

#endif
