/* ECDSA over secp256k1 and P-256, with the accelerators for 256 bits.
 *
 * Nothing here is secret: branches may depend on the verified data. */
#include "curve.h"
#include "zkvm_accelerators.h"

static const curve secp256k1 = {
    {{0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}},
    {{0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff}},
    {{0, 0, 0, 0}},
    {{7, 0, 0, 0}},
    {{0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac}},
    {{0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465}},
    ZKVM_SECP256K1,
};

static const curve secp256r1 = {
    {{0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001}},
    {{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}},
    {{0xfffffffffffffffc, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001}},
    {{0x3bce3c3e27d2604b, 0x651d06b0cc53b0f6, 0xb3ebbd55769886bc, 0x5ac635d8aa3a93e7}},
    {{0xf4a13945d898c296, 0x77037d812deb33a0, 0xf8bce6e563a440f2, 0x6b17d1f2e12c4247}},
    {{0xcbb6406837bf51f5, 0x2bce33576b315ece, 0x8ee7eb4a7c0f9e16, 0x4fe342e2fe1a7f9b}},
    ZKVM_P256,
};

/* Returns u1*G + u2*Q. Two bits of both are processed together. */
static point combine(const number *u1, const number *u2, const number *qx, const number *qy, const curve *c) {
    point sums[16], sum; /* iG + kQ at i + 4k */
    sums[0].infinite = 1;
    sums[1] = (point){.x = c->gx, .y = c->gy};
    sums[4] = (point){.x = *qx, .y = *qy};
    for (int i = 1; i <= 4; i *= 4) {
        sums[2 * i] = sums[i];
        double_point(&sums[2 * i], c);
        sums[3 * i] = sums[2 * i];
        add_point(&sums[3 * i], &sums[i], c);
    }
    for (int k = 4; k < 16; k += 4)
        for (int i = 1; i < 4; i++) {
            sums[i + k] = sums[k];
            add_point(&sums[i + k], &sums[i], c);
        }
    sum.infinite = 1;
    for (int i = 3; i >= 0; i--) {
        uint64_t a = u1->w[i], b = u2->w[i];
        for (int k = 0; k < 32; k++, a <<= 2, b <<= 2) {
            double_point(&sum, c);
            double_point(&sum, c);
            uint64_t both = a >> 62 | b >> 62 << 2;
            if (both) add_point(&sum, &sums[both], c);
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
    mul(&u1, &e, &w, &c->n); /* w is below n; e need not be */
    mul(&u2, &r, &w, &c->n);
    point sum = combine(&u1, &u2, &qx, &qy, c);
    if (sum.infinite) return ZKVM_EOK;
    /* x = r mod n: r, or r + n if that is below p. Both orders are below their p, so r is too. */
    *verified = is_equal(&r, &sum.x) || (!add_words(&r, &r, &c->n) && is_equal(&r, &sum.x));
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

zkvm_status zkvm_secp256k1_ecrecover(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig, uint8_t recid,
                                     zkvm_secp256k1_pubkey *output) {
    const curve *c = &secp256k1;
    number e = from_bytes(msg->data), r = from_bytes(sig->data), s = from_bytes(sig->data + 32), x = r;
    if (recid > 3 || is_zero(&r) || is_zero(&s) || !is_less(&r, &c->n) || !is_less(&s, &c->n)) return ZKVM_EFAIL;
    if (recid & 2 && (add_words(&x, &x, &c->n) || !is_less(&x, &c->p))) return ZKVM_EFAIL;
    number y, square;
    mul(&square, &x, &x, &c->p);
    mul(&square, &square, &x, &c->p);
    add(&square, &square, &c->b, &c->p);
    if (!square_root(&y, &square, &c->p)) return ZKVM_EFAIL;
    number zero = {{0}}, w, u1, u2;
    if (recid & 1) sub(&y, &zero, &y, &c->p); /* the root is even, and not 0 */
    mul(&e, &e, &(number){{1, 0, 0, 0}}, &c->n); /* below n */
    /* Q = (sR - eG)/r */
    invert(&w, &r, &c->n);
    sub(&e, &zero, &e, &c->n);
    mul(&u1, &e, &w, &c->n);
    mul(&u2, &s, &w, &c->n);
    point q = combine(&u1, &u2, &x, &y, c);
    if (q.infinite) return ZKVM_EFAIL;
    to_bytes(output->data, &q.x);
    to_bytes(output->data + 32, &q.y);
    return ZKVM_EOK;
}
