/* Converts the standard's bytes of numbers and points of BLS12-381 for blst: big-endian, all 0 for infinity. */
#ifndef BLS12_H
#define BLS12_H

#include "../blst/bindings/blst.h"
#include "zkvm_accelerators.h"

#include <string.h>

/* Returns 0 for a number that is not below the field's prime, whose encoding would not be canonical. */
static int read_fp(blst_fp *r, const uint8_t bytes[48]) {
    uint8_t again[48];
    blst_fp_from_bendian(r, bytes);
    blst_bendian_from_fp(again, r);
    return memcmp(again, bytes, sizeof again) == 0;
}

/* Returns 0 unless the bytes are a point of the curve. The point may have any order. */
static int read_g1(blst_p1_affine *r, const uint8_t bytes[96]) {
    return read_fp(&r->x, bytes) && read_fp(&r->y, bytes + 48) && (blst_p1_affine_is_inf(r) || blst_p1_affine_on_curve(r));
}

static int read_g2(blst_p2_affine *r, const uint8_t bytes[192]) {
    return read_fp(&r->x.fp[0], bytes) && read_fp(&r->x.fp[1], bytes + 48) && read_fp(&r->y.fp[0], bytes + 96) &&
           read_fp(&r->y.fp[1], bytes + 144) && (blst_p2_affine_is_inf(r) || blst_p2_affine_on_curve(r));
}

static void write_g1(uint8_t bytes[96], const blst_p1 *p) {
    blst_p1_affine a;
    blst_p1_to_affine(&a, p);
    blst_bendian_from_fp(bytes, &a.x);
    blst_bendian_from_fp(bytes + 48, &a.y);
}

static void write_g2(uint8_t bytes[192], const blst_p2 *p) {
    blst_p2_affine a;
    blst_p2_to_affine(&a, p);
    blst_bendian_from_fp(bytes, &a.x.fp[0]);
    blst_bendian_from_fp(bytes + 48, &a.x.fp[1]);
    blst_bendian_from_fp(bytes + 96, &a.y.fp[0]);
    blst_bendian_from_fp(bytes + 144, &a.y.fp[1]);
}

#endif
