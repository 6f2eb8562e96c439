/* Calls functions of the standard's interface as the private input requests, and writes their answers. The input is a
 * sequence of requests: the function, the number of arguments, and each argument with its length. An answer is the
 * function's status and its output, with its length. Numbers have four bytes, lowest first. */
#include "zkvm.h"
#include "zkvm_accelerators.h"

#include <string.h>

enum {
    KECCAK256, SECP256K1_VERIFY, SECP256K1_ECRECOVER, SHA256, RIPEMD160, MODEXP, BN254_G1_ADD, BN254_G1_MUL,
    BN254_PAIRING, BLAKE2F, KZG_POINT_EVAL, BLS12_G1_ADD, BLS12_G1_MSM, BLS12_G2_ADD, BLS12_G2_MSM, BLS12_PAIRING,
    BLS12_MAP_FP_TO_G1, BLS12_MAP_FP2_TO_G2, SECP256R1_VERIFY,
};

enum { MOST = 4, ROOM = 1 << 20 };

/* An argument, aligned as the standard's types are. */
static struct { size_t len; uint8_t bytes[ROOM] __attribute__((aligned(8))); } arguments[MOST];
static uint8_t answer[ROOM] __attribute__((aligned(8)));

#define ARGUMENT(i) ((void *)arguments[i].bytes)
#define LENGTH(i) (arguments[i].len)
#define COUNT(i, type) (arguments[i].len / sizeof(type))

static uint32_t take_number(const uint8_t **from) {
    uint32_t n;
    memcpy(&n, *from, sizeof n);
    *from += sizeof n;
    return n;
}

static zkvm_status call(uint32_t function, size_t *len) {
    void *r = answer;
    *len = 1; /* a bool, unless a case sets another length */
    switch (function) {
    case KECCAK256: return *len = 32, zkvm_keccak256(ARGUMENT(0), LENGTH(0), r);
    case SHA256: return *len = 32, zkvm_sha256(ARGUMENT(0), LENGTH(0), r);
    case RIPEMD160: return *len = 32, zkvm_ripemd160(ARGUMENT(0), LENGTH(0), r);
    case SECP256K1_VERIFY: return zkvm_secp256k1_verify(ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), r);
    case SECP256R1_VERIFY: return zkvm_secp256r1_verify(ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), r);
    case SECP256K1_ECRECOVER:
        return *len = 64, zkvm_secp256k1_ecrecover(ARGUMENT(0), ARGUMENT(1), arguments[2].bytes[0], r);
    case MODEXP:
        *len = LENGTH(2);
        return zkvm_modexp(ARGUMENT(0), LENGTH(0), ARGUMENT(1), LENGTH(1), ARGUMENT(2), LENGTH(2), r);
    case BN254_G1_ADD: return *len = 64, zkvm_bn254_g1_add(ARGUMENT(0), ARGUMENT(1), r);
    case BN254_G1_MUL: return *len = 64, zkvm_bn254_g1_mul(ARGUMENT(0), ARGUMENT(1), r);
    case BN254_PAIRING: return zkvm_bn254_pairing(ARGUMENT(0), COUNT(0, zkvm_bn254_pairing_pair), r);
    case BLAKE2F: {
        uint32_t rounds;
        memcpy(&rounds, ARGUMENT(0), sizeof rounds);
        memcpy(answer, ARGUMENT(1), *len = 64);
        return zkvm_blake2f(rounds, r, ARGUMENT(2), ARGUMENT(3), arguments[3].bytes[16]);
    }
    case KZG_POINT_EVAL: return zkvm_kzg_point_eval(ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), ARGUMENT(3), r);
    case BLS12_G1_ADD: return *len = 96, zkvm_bls12_g1_add(ARGUMENT(0), ARGUMENT(1), r);
    case BLS12_G2_ADD: return *len = 192, zkvm_bls12_g2_add(ARGUMENT(0), ARGUMENT(1), r);
    case BLS12_G1_MSM: return *len = 96, zkvm_bls12_g1_msm(ARGUMENT(0), COUNT(0, zkvm_bls12_381_g1_msm_pair), r);
    case BLS12_G2_MSM: return *len = 192, zkvm_bls12_g2_msm(ARGUMENT(0), COUNT(0, zkvm_bls12_381_g2_msm_pair), r);
    case BLS12_PAIRING: return zkvm_bls12_pairing(ARGUMENT(0), COUNT(0, zkvm_bls12_381_pairing_pair), r);
    case BLS12_MAP_FP_TO_G1: return *len = 96, zkvm_bls12_map_fp_to_g1(ARGUMENT(0), r);
    case BLS12_MAP_FP2_TO_G2: return *len = 192, zkvm_bls12_map_fp2_to_g2(ARGUMENT(0), r);
    }
    zkvm_exit(1);
}

int main(void) {
    const uint8_t *from;
    size_t size;
    read_input(&from, &size);
    for (const uint8_t *end = from + size; from < end;) {
        uint32_t function = take_number(&from), n = take_number(&from);
        if (n > MOST) return 2;
        for (uint32_t i = 0; i < n; i++) {
            LENGTH(i) = take_number(&from);
            if (LENGTH(i) > ROOM) return 2;
            memcpy(arguments[i].bytes, from, LENGTH(i));
            from += LENGTH(i);
        }
        size_t len;
        uint32_t head[2];
        head[0] = (uint32_t)call(function, &len);
        if (head[0] != ZKVM_EOK) len = 0;
        head[1] = (uint32_t)len;
        write_output((const uint8_t *)head, sizeof head);
        write_output(answer, len);
    }
    return 0;
}
