/* The pairing check of BN254 (EIP-197): the optimal ate pairing. The Miller loop runs over 6x + 2 with affine lines; the
 * final exponentiation follows Fuentes-Castaneda, Knapp and Rodriguez-Henriquez (2011). */
#include "bn254.h"
#include "zkvm_accelerators.h"

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

#include "tower.h"

#define LINE_ONE 0
#define LINE_SLOPE 1
#define LINE_CONSTANT 3
#define twist_x frobenius[1]
#define twist_y frobenius[2]
static const fp2 twist_b = {{{0x3267e6dc24a138e5, 0xb5b4c5e559dbefa3, 0x81be18991be06ac3, 0x2b149d40ceb8aaae}},
                            {{0xe4a2bd0685c315d2, 0xa74fa084e52d1852, 0xcd2cafadeed8fdf4, 0x009713b03af0fed4}}};

#include "miller.h"

#define X 0x44e992b44a6909f1ull

/* The signed binary digits of 6x + 2 below its highest bit 2^65: the positions of 1 and of -1. */
#define LOOP_TOP 65
static const uint64_t loop_plus[2] = {0x2002004200804028, 0}, loop_minus[2] = {0x82889008420a0480, 0};

/* The number of pairs whose Miller loops share their squarings. */
#define AT_ONCE 8

/* Runs the Miller loops of the pairs, and reports whether the points of the twist have the group's order r.
 *
 * The Frobenius map F of the twist satisfies F^2 - tF + p = 0, and on the group of order r it is multiplication by p.
 * The loop ends with t = (6x + 2 + F - F^2) q. On that group this is -F^3 q, as 6x + 2 + p - p^2 + p^3 is a multiple of
 * r. Conversely, let g(F) q = 0 for g = 6x + 2 + F - F^2 + F^3. Then the resultant of g and F^2 - tF + p annihilates q,
 * as does the number of points, r (2p - r). Their greatest common divisor is r. No step of a point of order r meets a
 * vertical line, so a vertical line shows that the order is different. */
static int miller_loop(product *f, pair *pairs, size_t n) {
    twist_point image, minus[AT_ONCE];
    f->now = 0;
    fp12_one(value_of(f));
    for (size_t k = 0; k < n; k++) {
        pairs[k].t = minus[k] = pairs[k].q;
        fp2_multiply(&minus[k].y, &fp2_minus_one);
    }
    for (int i = LOOP_TOP - 1; i >= 0; i--) {
        square_product(f);
        int plus = loop_plus[i / 64] >> (i % 64) & 1, negative = loop_minus[i / 64] >> (i % 64) & 1;
        for (size_t k = 0; k < n; k++) {
            if (!pair_step(f, &pairs[k], 0)) return 0;
            if ((plus || negative) && !pair_step(f, &pairs[k], plus ? &pairs[k].q : &minus[k])) return 0;
        }
    }
    for (pair *p = pairs; p < pairs + n; p++) { /* F(q) and -F^2(q) */
        twist_frobenius(&image, &p->q);
        if (!pair_step(f, p, &image)) return 0;
        twist_point again;
        twist_frobenius(&again, &image);
        image = again;
        fp2_multiply(&again.y, &fp2_minus_one);
        if (!pair_step(f, p, &again)) return 0;
        twist_frobenius(&again, &image);
        fp2_multiply(&again.y, &fp2_minus_one);
        if (!fp2_equal(&again.x, &p->t.x) || !fp2_equal(&again.y, &p->t.y)) return 0;
    }
    return 1;
}

/* r = y^-x for an element of the cyclotomic subgroup, where the inverse is the conjugate. */
static void power_minus_x(fp12 *r, const fp12 *y) {
    fp12 s[2] = {*y};
    int now = 0;
    for (int i = 61; i >= 0; i--) {
        fp12_square_cyclotomic(&s[!now], &s[now]), now = !now;
        if (X >> i & 1) fp12_mul(&s[!now], &s[now], y), now = !now;
    }
    *r = s[now];
    fp12_conjugate(r);
}

/* Reports whether f^((p^12 - 1)/r) is 1. */
static int is_one_finally(const fp12 *f) {
    fp12 r, s, t, u, y0, y1, y3, y4, y6;
    easy_exponentiation(&r, f);
    power_minus_x(&y0, &r);
    fp12_square_cyclotomic(&y1, &y0);
    fp12_square_cyclotomic(&t, &y1);
    fp12_mul(&y3, &t, &y1);
    power_minus_x(&y4, &y3);
    fp12_square_cyclotomic(&t, &y4);
    power_minus_x(&y6, &t);
    fp12_conjugate(&y3);
    fp12_conjugate(&y6);
    fp12_mul(&t, &y6, &y4);
    fp12_mul(&s, &t, &y3);   /* y8 */
    fp12_mul(&u, &s, &y1);   /* y9 */
    fp12_mul(&t, &s, &y4);
    fp12_mul(&y4, &t, &r);   /* y11 */
    y0 = u;
    fp12_frobenius(&y0);
    fp12_mul(&t, &y0, &y4);  /* y13 */
    fp12_frobenius(&s);
    fp12_frobenius(&s);
    fp12_mul(&y4, &s, &t);   /* y14 */
    fp12_conjugate(&r);
    fp12_mul(&s, &r, &u);
    for (int i = 0; i < 3; i++) fp12_frobenius(&s);
    fp12_mul(&r, &s, &y4);
    return fp12_is_one(&r);
}

/* Decodes a pair. Returns -1 unless both points are on the curves, and 0 if one is infinite and the other in its group. */
static int read_pair(pair *p, const zkvm_bn254_pairing_pair *from) {
    static const number zero;
    number x = from_bytes(from->g1.data), y = from_bytes(from->g1.data + 32);
    number *q[4] = {&p->q.x.b, &p->q.x.a, &p->q.y.b, &p->q.y.a};
    for (int i = 0; i < 4; i++) {
        *q[i] = from_bytes(from->g2.data + 32 * i);
        if (!is_less(q[i], &P)) return -1;
    }
    int infinite = is_zero(&x) && is_zero(&y);
    if (!infinite && !on_curve(&x, &y, &bn254)) return -1;
    if (fp2_is_zero(&p->q.x) && fp2_is_zero(&p->q.y)) return 0;
    if (!on_twist(&p->q)) return -1;
    memset(&p->ratio, 0, sizeof p->ratio), memset(&p->inverse, 0, sizeof p->inverse);
    if (infinite) {
        product unused;
        return miller_loop(&unused, p, 1) ? 0 : -1;
    }
    invert(&p->inverse.a, &y, &P);
    sub(&x, &zero, &x, &P);
    mul(&p->ratio.a, &x, &p->inverse.a, &P);
    return 1;
}

zkvm_status zkvm_bn254_pairing(const zkvm_bn254_pairing_pair *pairs, size_t num_pairs, bool *verified) {
    pair some[AT_ONCE];
    size_t n = 0;
    fp12 f, t;
    product loops;
    fp12_one(&f);
    *verified = false;
    for (size_t i = 0; i < num_pairs; i++) {
        int finite = read_pair(&some[n], &pairs[i]);
        if (finite < 0) return ZKVM_EFAIL;
        n += (size_t)finite;
        if (n == 0 || (n < AT_ONCE && i + 1 < num_pairs)) continue;
        if (!miller_loop(&loops, some, n)) return ZKVM_EFAIL;
        fp12_mul(&t, &f, value_of(&loops));
        f = t, n = 0;
    }
    *verified = is_one_finally(&f);
    return ZKVM_EOK;
}
