/* Sums and multiplications in BLS12-381's G1 and G2 (EIP-2537). */
#include "bls12_g1.h"
#include "bls12_g2.h"
#include "zkvm_accelerators.h"

/* The number of terms that share their doublings. */
#define AT_ONCE 8

zkvm_status zkvm_bls12_g1_add(const zkvm_bls12_381_g1_point *p1, const zkvm_bls12_381_g1_point *p2,
                              zkvm_bls12_381_g1_point *result) {
    g1 p, q;
    if (!g1_read(&p, p1->data) || !g1_read(&q, p2->data)) return ZKVM_EFAIL;
    g1_add(&p, &q);
    g1_write(result->data, &p);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_g2_add(const zkvm_bls12_381_g2_point *p1, const zkvm_bls12_381_g2_point *p2,
                              zkvm_bls12_381_g2_point *result) {
    g2 p, q;
    if (!g2_read(&p, p1->data) || !g2_read(&q, p2->data)) return ZKVM_EFAIL;
    g2_add(&p, &q);
    g2_write(result->data, &p);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_g1_msm(const zkvm_bls12_381_g1_msm_pair *pairs, size_t num_pairs,
                              zkvm_bls12_381_g1_point *result) {
    g1 sum, p;
    g1_multiples points[AT_ONCE];
    const uint8_t *scalars[AT_ONCE];
    size_t n = 0;
    memset(&sum, 0, sizeof sum), sum.infinite = 1;
    for (size_t i = 0; i < num_pairs; i++) {
        if (!g1_read(&p, pairs[i].point.data) || !g1_in_group(&p)) return ZKVM_EFAIL;
        if (!p.infinite) g1_multiply_all(&points[n], &p), scalars[n++] = pairs[i].scalar.data;
        if (n == 0 || (n < AT_ONCE && i + 1 < num_pairs)) continue;
        g1_multiply_add(&sum, points, scalars, n);
        n = 0;
    }
    g1_write(result->data, &sum);
    return ZKVM_EOK;
}

/* k = k mod the group's order, then k = digits[0] + digits[1] U + ..., each digit below U. */
static void digits_of(uint64_t digits[4], const uint8_t scalar[32]) {
    static const uint64_t order[4] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48},
                          one[4] = {1}, u[4] = {U};
    uint64_t k[4], rest[4];
    for (int i = 0; i < 4; i++) k[3 - i] = word_of(scalar + 8 * i);
    zkvm_modmul(k, one, order);
    for (int digit = 0; digit < 3; digit++) {
        memcpy(rest, k, sizeof rest);
        zkvm_modmul(rest, one, u);
        digits[digit] = rest[0];
        /* k - rest is a multiple of U, which is 2^16 times an odd number: divide from the lowest word up. */
        uint64_t borrow = k[0] < rest[0];
        k[0] -= rest[0];
        for (int i = 1; i < 4; i++) {
            uint64_t w = k[i];
            k[i] = w - borrow, borrow = w < borrow;
        }
        for (int i = 0; i < 4; i++) k[i] = k[i] >> 16 | (i < 3 ? k[i + 1] << 48 : 0);
        borrow = 0;
        for (int i = 0; i < 4; i++) {
            uint64_t w = k[i] - borrow, quotient = w * 0xffff2dff00000001; /* 1/(U/2^16) mod 2^64 */
            borrow = (k[i] < borrow) + (uint64_t)((unsigned __int128)quotient * (U >> 16) >> 64);
            k[i] = quotient;
        }
    }
    digits[3] = k[0];
}

/* The sums of the points q, -Fq, F^2 q and -F^3 q, which are q times powers of U, by four bits. */
typedef struct { g2 of[16]; } g2_multiples;

static void g2_multiply_all(g2_multiples *r, const g2 *q) {
    g2 power = *q, image;
    g2_clear(&r->of[0]);
    for (int bit = 1; bit < 16; bit *= 2) {
        r->of[bit] = power;
        for (int i = 1; i < bit; i++) {
            r->of[bit + i] = power;
            g2_add(&r->of[bit + i], &r->of[i]);
        }
        g2_frobenius(&image, &power);
        g2_negate(&image);
        power = image;
    }
}

zkvm_status zkvm_bls12_g2_msm(const zkvm_bls12_381_g2_msm_pair *pairs, size_t num_pairs,
                              zkvm_bls12_381_g2_point *result) {
    g2 sum, q;
    g2_multiples points[AT_ONCE];
    uint64_t digits[AT_ONCE][4];
    size_t n = 0;
    g2_clear(&sum);
    for (size_t i = 0; i < num_pairs; i++) {
        if (!g2_read(&q, pairs[i].point.data) || !g2_in_group(&q)) return ZKVM_EFAIL;
        if (!q.infinite) g2_multiply_all(&points[n], &q), digits_of(digits[n++], pairs[i].scalar.data);
        if (n == 0 || (n < AT_ONCE && i + 1 < num_pairs)) continue;
        g2 t;
        g2_clear(&t);
        for (int bit = 63; bit >= 0; bit--) {
            g2_double(&t);
            for (size_t k = 0; k < n; k++) {
                const uint64_t *d = digits[k];
                g2_add(&t, &points[k].of[(d[0] >> bit & 1) | (d[1] >> bit & 1) << 1 | (d[2] >> bit & 1) << 2 |
                                         (d[3] >> bit & 1) << 3]);
            }
        }
        g2_add(&sum, &t);
        n = 0;
    }
    g2_write(result->data, &sum);
    return ZKVM_EOK;
}
