/* Addition and multiplication on BN254's G1 (EIP-196), whose points are all points of the curve. */
#include "bn254.h"
#include "zkvm_accelerators.h"

/* Decodes 64 bytes to a point. Zeros mean infinity. Returns 0 for invalid points. */
static int read_point(point *r, const uint8_t *bytes) {
    r->x = from_bytes(bytes), r->y = from_bytes(bytes + 32);
    r->infinite = is_zero(&r->x) && is_zero(&r->y);
    return r->infinite || on_curve(&r->x, &r->y, &bn254);
}

static void write_point(uint8_t *bytes, const point *p) {
    static const number zero;
    to_bytes(bytes, p->infinite ? &zero : &p->x);
    to_bytes(bytes + 32, p->infinite ? &zero : &p->y);
}

zkvm_status zkvm_bn254_g1_add(const zkvm_bn254_g1_point *p1, const zkvm_bn254_g1_point *p2,
                              zkvm_bn254_g1_point *result) {
    point p, q;
    if (!read_point(&p, p1->data) || !read_point(&q, p2->data)) return ZKVM_EFAIL;
    add_point(&p, &q, &bn254);
    write_point(result->data, &p);
    return ZKVM_EOK;
}

zkvm_status zkvm_bn254_g1_mul(const zkvm_bn254_g1_point *base, const zkvm_bn254_scalar *scalar,
                              zkvm_bn254_g1_point *result) {
    point multiples[16], sum; /* of base, by four bits of the scalar */
    if (!read_point(&multiples[1], base->data)) return ZKVM_EFAIL;
    number k = from_bytes(scalar->data);
    for (int i = 2; i < 16; i++) {
        multiples[i] = multiples[i - 1];
        add_point(&multiples[i], &multiples[1], &bn254);
    }
    sum.infinite = 1;
    for (int i = 3; i >= 0; i--) {
        uint64_t bits = k.w[i];
        for (int window = 0; window < 16; window++, bits <<= 4) {
            for (int doubles = 0; doubles < 4; doubles++) double_point(&sum, &bn254);
            if (bits >> 60) add_point(&sum, &multiples[bits >> 60], &bn254);
        }
    }
    write_point(result->data, &sum);
    return ZKVM_EOK;
}
