/* The point evaluation of EIP-4844: a commitment C has the value y at z if a proof W has
 * e(C - y G1, G2) = e(W, [s]G2 - z G2), with s the secret of the ceremony. It is checked as
 * e(C - y G1 + z W, G2) e(-W, [s]G2) = 1, which multiplies only points of G1. */
#include "../blst/bindings/blst.h"
#include "zkvm_accelerators.h"

/* [s]G2 of Ethereum's ceremony, compressed. */
static const uint8_t setup[96] = {
    0xb5, 0xbf, 0xd7, 0xdd, 0x8c, 0xde, 0xb1, 0x28, 0x84, 0x3b, 0xc2, 0x87, 0x23, 0x0a, 0xf3, 0x89,
    0x26, 0x18, 0x70, 0x75, 0xcb, 0xfb, 0xef, 0xa8, 0x10, 0x09, 0xa2, 0xce, 0x61, 0x5a, 0xc5, 0x3d,
    0x29, 0x14, 0xe5, 0x87, 0x0c, 0xb4, 0x52, 0xd2, 0xaf, 0xaa, 0xab, 0x24, 0xf3, 0x49, 0x9f, 0x72,
    0x18, 0x5c, 0xbf, 0xee, 0x53, 0x49, 0x27, 0x14, 0x73, 0x44, 0x29, 0xb7, 0xb3, 0x86, 0x08, 0xe2,
    0x39, 0x26, 0xc9, 0x11, 0xcc, 0xec, 0xea, 0xc9, 0xa3, 0x68, 0x51, 0x47, 0x7b, 0xa4, 0xc6, 0x0b,
    0x08, 0x70, 0x41, 0xde, 0x62, 0x10, 0x00, 0xed, 0xc9, 0x8e, 0xda, 0xda, 0x20, 0xc1, 0xde, 0xf2};

/* Returns 0 unless the bytes are a compressed point of G1. */
static int read_compressed(blst_p1 *r, const uint8_t bytes[48]) {
    blst_p1_affine p;
    if (blst_p1_uncompress(&p, bytes) != BLST_SUCCESS || !blst_p1_affine_in_g1(&p)) return 0;
    blst_p1_from_affine(r, &p);
    return 1;
}

/* Returns 0 for a number that is not below the group's order. */
static int read_scalar(blst_scalar *r, const uint8_t bytes[32]) {
    blst_scalar_from_bendian(r, bytes);
    return blst_scalar_fr_check(r);
}

zkvm_status zkvm_kzg_point_eval(const zkvm_kzg_commitment *commitment, const zkvm_kzg_field_element *z,
                                const zkvm_kzg_field_element *y, const zkvm_kzg_proof *proof, bool *verified) {
    blst_p1 c, w, term;
    blst_scalar at, value;
    *verified = false;
    if (!read_compressed(&c, commitment->data) || !read_compressed(&w, proof->data)) return ZKVM_EFAIL;
    if (!read_scalar(&at, z->data) || !read_scalar(&value, y->data)) return ZKVM_EFAIL;
    blst_p1_mult(&term, blst_p1_generator(), value.b, 255);
    blst_p1_cneg(&term, true);
    blst_p1_add_or_double(&c, &c, &term);
    blst_p1_mult(&term, &w, at.b, 255);
    blst_p1_add_or_double(&c, &c, &term);
    blst_p1_cneg(&w, true);

    blst_p1_affine p[2];
    blst_p2_affine s;
    blst_p1_to_affine(&p[0], &c);
    blst_p1_to_affine(&p[1], &w);
    if (blst_p2_uncompress(&s, setup) != BLST_SUCCESS) return ZKVM_EFAIL; /* cannot fail */
    const blst_p1_affine *ps[2];
    const blst_p2_affine *qs[2], *q[2] = {blst_p2_affine_generator(), &s};
    size_t n = 0;
    for (int i = 0; i < 2; i++)
        if (!blst_p1_affine_is_inf(&p[i])) ps[n] = &p[i], qs[n++] = q[i];
    blst_fp12 product = *blst_fp12_one();
    if (n) blst_miller_loop_n(&product, qs, ps, n);
    blst_final_exp(&product, &product);
    *verified = blst_fp12_is_one(&product);
    return ZKVM_EOK;
}
