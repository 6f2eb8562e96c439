/* BLS12-381's G2, on the twist y^2 = x^3 + 4 (1 + u), and the lines through its points. */
#ifndef BLS12_G2_H
#define BLS12_G2_H

#include "bls12_field.h"

/* xi^(i (p - 1)/6), for i from 1 on */
static const fp2 frobenius[5] = {
    {{{0x8d0775ed92235fb8, 0xf67ea53d63e7813d, 0x7b2443d784bab9c4, 0x0fd603fd3cbd5f4f, 0xc231beb4202c0d1f,
     0x1904d3bf02bb0667}}, {{0x2cf78a126ddc4af3, 0x282d5ac14d6c7ec2, 0xec0c8ec971f63c5f, 0x54a14787b6c7b36f,
     0x88e9e902231f9fb8, 0x00fc3e2b36c4e032}}},
    {{{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
     0x0000000000000000}}, {{0x8bfd00000000aaac, 0x409427eb4f49fffd, 0x897d29650fb85f9b, 0xaa0d857d89759ad4,
     0xec02408663d4de85, 0x1a0111ea397fe699}}},
    {{{0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5, 0x48395dabc2d3435e, 0x6831e36d6bd17ffe,
     0x06af0e0437ff400b}}, {{0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5, 0x48395dabc2d3435e,
     0x6831e36d6bd17ffe, 0x06af0e0437ff400b}}},
    {{{0x8bfd00000000aaad, 0x409427eb4f49fffd, 0x897d29650fb85f9b, 0xaa0d857d89759ad4, 0xec02408663d4de85,
     0x1a0111ea397fe699}}, {{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
     0x0000000000000000, 0x0000000000000000}}},
    {{{0x9b18fae980078116, 0xc63a3e6e257f8732, 0x8beadf4d8e9c0566, 0xf39816240c0b8fee, 0xdf47fa6b48b1e045,
     0x05b2cfd9013a5fd8}}, {{0x1ee605167ff82995, 0x5871c1908bd478cd, 0xdb45f3536814f0bd, 0x70df3560e77982d0,
     0x6bd3ad4afa99cc91, 0x144e4211384586c1}}},
};

#include "tower.h"

#define LINE_ONE 3
#define LINE_SLOPE 2
#define LINE_CONSTANT 0

/* The Frobenius map on the twist: 1/xi^((p - 1)/3) and 1/xi^((p - 1)/2) */
static const fp2 twist_x =
    {{{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
     0x0000000000000000}}, {{0x8bfd00000000aaad, 0x409427eb4f49fffd, 0x897d29650fb85f9b, 0xaa0d857d89759ad4,
     0xec02408663d4de85, 0x1a0111ea397fe699}}};
static const fp2 twist_y =
    {{{0xf1ee7b04121bdea2, 0x304466cf3e67fa0a, 0xef396489f61eb45e, 0x1c3dedd930b1cf60, 0xe2e9c448d77a2cd9,
     0x135203e60180a68e}}, {{0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5, 0x48395dabc2d3435e,
     0x6831e36d6bd17ffe, 0x06af0e0437ff400b}}};
static const fp2 twist_b = {{{4}}, {{4}}};

#include "miller.h"

typedef struct {
    twist_point p;     /* zeros if infinite */
    uint64_t infinite;
} g2;

static void g2_clear(g2 *r) { memset(r, 0, sizeof *r), r->infinite = 1; }

static void g2_double(g2 *r) {
    fp2 slope, constant;
    if (!r->infinite && !twist_step(&r->p, 0, &slope, &constant)) g2_clear(r);
}

/* r += q */
static void g2_add(g2 *r, const g2 *q) {
    fp2 slope, constant;
    if (r->infinite) *r = *q;
    else if (q->infinite || twist_step(&r->p, &q->p, &slope, &constant)) return;
    else if (fp2_equal(&r->p.y, &q->p.y)) g2_double(r);
    else g2_clear(r);
}

static void g2_negate(g2 *r) {
    if (!r->infinite) fp2_multiply(&r->p.y, &fp2_minus_one);
}

/* The Frobenius map, which is multiplication by -U on the group. */
static void g2_frobenius(g2 *r, const g2 *q) {
    if (q->infinite) g2_clear(r);
    else twist_frobenius(&r->p, &q->p), r->infinite = 0;
}

/* r = U q */
static void g2_times_u(g2 *r, const g2 *q) {
    g2 t = *q;
    for (int i = 62; i >= 0; i--) {
        g2_double(&t);
        if (U >> i & 1) g2_add(&t, q);
    }
    *r = t;
}

/* Reports whether q is in the group, given t = U q: if and only if t is minus the Frobenius map's image of q (Scott, A
 * note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves, 2021). */
static int is_minus_frobenius(const twist_point *t, const twist_point *q) {
    twist_point image;
    twist_frobenius(&image, q);
    fp2_multiply(&image.y, &fp2_minus_one);
    return fp2_equal(&image.x, &t->x) && fp2_equal(&image.y, &t->y);
}

/* Reports whether a point of the twist is in the group. */
static int g2_in_group(const g2 *q) {
    g2 t;
    if (q->infinite) return 1;
    g2_times_u(&t, q);
    return !t.infinite && is_minus_frobenius(&t.p, &q->p);
}

/* Decodes a point of the twist, of any order; zeros are infinity. Returns 0 for anything else. */
static int g2_read(g2 *r, const uint8_t bytes[192]) {
    if (!read_fp(&r->p.x.a, bytes) || !read_fp(&r->p.x.b, bytes + 48) || !read_fp(&r->p.y.a, bytes + 96) ||
        !read_fp(&r->p.y.b, bytes + 144))
        return 0;
    r->infinite = fp2_is_zero(&r->p.x) && fp2_is_zero(&r->p.y);
    return r->infinite || on_twist(&r->p);
}

static void g2_write(uint8_t bytes[192], const g2 *q) {
    write_fp(bytes, &q->p.x.a), write_fp(bytes + 48, &q->p.x.b);
    write_fp(bytes + 96, &q->p.y.a), write_fp(bytes + 144, &q->p.y.b);
}

#endif
