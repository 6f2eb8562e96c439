/* Addition and multiplication on BN254's G1 (EIP-196), whose points are all points of the curve. */
#include "bn254.h"
#include "zkvm_accelerators.h"

/* Decodes 64 bytes to a point with z = 1, or z = 0 for zeros, which mean infinity. Returns 0 for invalid points. */
static int read_point(point *r, const uint8_t *bytes) {
    static const number one = {{1, 0, 0, 0}}, zero;
    r->x = from_bytes(bytes), r->y = from_bytes(bytes + 32);
    int infinite = is_zero(&r->x) && is_zero(&r->y);
    r->z = infinite ? zero : one;
    return infinite || on_curve(&r->x, &r->y, &bn254);
}

static void write_point(uint8_t *bytes, const point *p) {
    number x = {{0}}, y = {{0}};
    affine(&x, &y, p, &bn254);
    to_bytes(bytes, &x);
    to_bytes(bytes + 32, &y);
}

zkvm_status zkvm_bn254_g1_add(const zkvm_bn254_g1_point *p1, const zkvm_bn254_g1_point *p2,
                              zkvm_bn254_g1_point *result) {
    point p, q;
    if (!read_point(&p, p1->data) || !read_point(&q, p2->data)) return ZKVM_EFAIL;
    if (!is_zero(&q.z)) add_point(&p, &p, &q.x, &q.y, &bn254);
    write_point(result->data, &p);
    return ZKVM_EOK;
}

zkvm_status zkvm_bn254_g1_mul(const zkvm_bn254_g1_point *base, const zkvm_bn254_scalar *scalar,
                              zkvm_bn254_g1_point *result) {
    point p, sum;
    if (!read_point(&p, base->data)) return ZKVM_EFAIL;
    number k = from_bytes(scalar->data);
    memset(&sum, 0, sizeof sum);
    for (int i = 255; i >= 0 && !is_zero(&p.z); i--) {
        double_point(&sum, &sum, &bn254);
        if (k.w[i / 64] >> (i % 64) & 1) add_point(&sum, &sum, &p.x, &p.y, &bn254);
    }
    write_point(result->data, &sum);
    return ZKVM_EOK;
}
