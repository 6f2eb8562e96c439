/* BLS12-381 (EIP-2537), using blst: this file decodes and checks the standard's bytes. */
#include "bls12.h"

zkvm_status zkvm_bls12_g1_add(const zkvm_bls12_381_g1_point *p1, const zkvm_bls12_381_g1_point *p2,
                              zkvm_bls12_381_g1_point *result) {
    blst_p1_affine p, q;
    blst_p1 sum;
    if (!read_g1(&p, p1->data) || !read_g1(&q, p2->data)) return ZKVM_EFAIL;
    blst_p1_from_affine(&sum, &p);
    blst_p1_add_or_double_affine(&sum, &sum, &q);
    write_g1(result->data, &sum);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_g2_add(const zkvm_bls12_381_g2_point *p1, const zkvm_bls12_381_g2_point *p2,
                              zkvm_bls12_381_g2_point *result) {
    blst_p2_affine p, q;
    blst_p2 sum;
    if (!read_g2(&p, p1->data) || !read_g2(&q, p2->data)) return ZKVM_EFAIL;
    blst_p2_from_affine(&sum, &p);
    blst_p2_add_or_double_affine(&sum, &sum, &q);
    write_g2(result->data, &sum);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_g1_msm(const zkvm_bls12_381_g1_msm_pair *pairs, size_t num_pairs,
                              zkvm_bls12_381_g1_point *result) {
    blst_p1 sum, term;
    memset(&sum, 0, sizeof sum);
    for (size_t i = 0; i < num_pairs; i++) {
        blst_p1_affine p;
        blst_scalar k;
        if (!read_g1(&p, pairs[i].point.data) || !blst_p1_affine_in_g1(&p)) return ZKVM_EFAIL;
        blst_scalar_from_be_bytes(&k, pairs[i].scalar.data, 32); /* reduced: blst splits it in parts of 128 bits */
        blst_p1_from_affine(&term, &p);
        blst_p1_mult(&term, &term, k.b, 255);
        blst_p1_add_or_double(&sum, &sum, &term);
    }
    write_g1(result->data, &sum);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_g2_msm(const zkvm_bls12_381_g2_msm_pair *pairs, size_t num_pairs,
                              zkvm_bls12_381_g2_point *result) {
    blst_p2 sum, term;
    memset(&sum, 0, sizeof sum);
    for (size_t i = 0; i < num_pairs; i++) {
        blst_p2_affine p;
        blst_scalar k;
        if (!read_g2(&p, pairs[i].point.data) || !blst_p2_affine_in_g2(&p)) return ZKVM_EFAIL;
        blst_scalar_from_be_bytes(&k, pairs[i].scalar.data, 32); /* reduced: blst splits it in parts of 128 bits */
        blst_p2_from_affine(&term, &p);
        blst_p2_mult(&term, &term, k.b, 255);
        blst_p2_add_or_double(&sum, &sum, &term);
    }
    write_g2(result->data, &sum);
    return ZKVM_EOK;
}

/* The number of pairs whose Miller loops share their squarings. */
#define AT_ONCE 8

zkvm_status zkvm_bls12_pairing(const zkvm_bls12_381_pairing_pair *pairs, size_t num_pairs, bool *verified) {
    blst_p1_affine p[AT_ONCE];
    blst_p2_affine q[AT_ONCE];
    const blst_p1_affine *ps[AT_ONCE];
    const blst_p2_affine *qs[AT_ONCE];
    blst_fp12 product = *blst_fp12_one(), some;
    size_t n = 0;
    *verified = false;
    for (size_t i = 0; i < num_pairs; i++) {
        if (!read_g1(&p[n], pairs[i].g1.data) || !blst_p1_affine_in_g1(&p[n])) return ZKVM_EFAIL;
        if (!read_g2(&q[n], pairs[i].g2.data) || !blst_p2_affine_in_g2(&q[n])) return ZKVM_EFAIL;
        ps[n] = &p[n], qs[n] = &q[n];
        if (!blst_p1_affine_is_inf(&p[n]) && !blst_p2_affine_is_inf(&q[n])) n++;
        if (n && (n == AT_ONCE || i + 1 == num_pairs)) {
            blst_miller_loop_n(&some, qs, ps, n);
            blst_fp12_mul(&product, &product, &some);
            n = 0;
        }
    }
    blst_final_exp(&product, &product);
    *verified = blst_fp12_is_one(&product);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_map_fp_to_g1(const zkvm_bls12_381_fp *field_element, zkvm_bls12_381_g1_point *result) {
    blst_fp u;
    blst_p1 p;
    if (!read_fp(&u, field_element->data)) return ZKVM_EFAIL;
    blst_map_to_g1(&p, &u, NULL);
    write_g1(result->data, &p);
    return ZKVM_EOK;
}

zkvm_status zkvm_bls12_map_fp2_to_g2(const zkvm_bls12_381_fp2 *field_element, zkvm_bls12_381_g2_point *result) {
    blst_fp2 u;
    blst_p2 p;
    if (!read_fp(&u.fp[0], field_element->data) || !read_fp(&u.fp[1], field_element->data + 48)) return ZKVM_EFAIL;
    blst_map_to_g2(&p, &u, NULL);
    write_g2(result->data, &p);
    return ZKVM_EOK;
}
