/* The accelerator interface of eth-act/zkvm-standards (c-interface-accelerators): all its functions, with the standard's
 * names, arguments and results.
 *
 * Numbers are big-endian and must be below their field's prime; scalars may have any value. A point whose bytes are all
 * 0 is the point at infinity. ZKVM_EFAIL means that an argument is invalid, such as a point off its curve; a check that
 * fails is ZKVM_EOK with *verified false. Pointers must not be null, except for zero bytes or zero pairs. */
#ifndef ZKVM_ACCELERATORS_H
#define ZKVM_ACCELERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ZKVM_EOK = 0,
    ZKVM_EFAIL = -1, /* an invalid argument, such as a key off the curve */
} zkvm_status;

typedef struct { uint8_t data[16] __attribute__((aligned(8))); } zkvm_bytes_16;
typedef struct { uint8_t data[32] __attribute__((aligned(8))); } zkvm_bytes_32;
typedef struct { uint8_t data[48] __attribute__((aligned(8))); } zkvm_bytes_48;
typedef struct { uint8_t data[64] __attribute__((aligned(8))); } zkvm_bytes_64;
typedef struct { uint8_t data[96] __attribute__((aligned(8))); } zkvm_bytes_96;
typedef struct { uint8_t data[128] __attribute__((aligned(8))); } zkvm_bytes_128;
typedef struct { uint8_t data[192] __attribute__((aligned(8))); } zkvm_bytes_192;

typedef zkvm_bytes_32 zkvm_keccak256_hash;
typedef zkvm_bytes_32 zkvm_sha256_hash;
typedef zkvm_bytes_32 zkvm_secp256k1_hash;
typedef zkvm_bytes_64 zkvm_secp256k1_signature; /* r || s */
typedef zkvm_bytes_64 zkvm_secp256k1_pubkey;    /* x || y */
typedef zkvm_bytes_32 zkvm_secp256r1_hash;
typedef zkvm_bytes_64 zkvm_secp256r1_signature;
typedef zkvm_bytes_64 zkvm_secp256r1_pubkey;

typedef zkvm_bytes_32 zkvm_ripemd160_hash; /* 12 zeros, then the hash */

typedef zkvm_bytes_64 zkvm_blake2f_state;    /* 8 words, lowest byte first */
typedef zkvm_bytes_128 zkvm_blake2f_message; /* 16 words */
typedef zkvm_bytes_16 zkvm_blake2f_offset;   /* 2 words */

typedef zkvm_bytes_64 zkvm_bn254_g1_point;  /* x || y */
typedef zkvm_bytes_128 zkvm_bn254_g2_point; /* x || y, the part with u first */
typedef zkvm_bytes_32 zkvm_bn254_scalar;
typedef struct { zkvm_bn254_g1_point g1; zkvm_bn254_g2_point g2; } zkvm_bn254_pairing_pair;

typedef zkvm_bytes_48 zkvm_bls12_381_fp;
typedef zkvm_bytes_96 zkvm_bls12_381_fp2; /* the part without u first */
typedef zkvm_bytes_96 zkvm_bls12_381_g1_point;
typedef zkvm_bytes_192 zkvm_bls12_381_g2_point;
typedef zkvm_bytes_32 zkvm_bls12_381_scalar;
typedef struct { zkvm_bls12_381_g1_point point; zkvm_bls12_381_scalar scalar; } zkvm_bls12_381_g1_msm_pair;
typedef struct { zkvm_bls12_381_g2_point point; zkvm_bls12_381_scalar scalar; } zkvm_bls12_381_g2_msm_pair;
typedef struct { zkvm_bls12_381_g1_point g1; zkvm_bls12_381_g2_point g2; } zkvm_bls12_381_pairing_pair;

typedef zkvm_bytes_48 zkvm_kzg_commitment; /* a compressed point of BLS12-381's G1 */
typedef zkvm_bytes_48 zkvm_kzg_proof;
typedef zkvm_bytes_32 zkvm_kzg_field_element;

/* Keccak-256, with the padding of Ethereum. */
zkvm_status zkvm_keccak256(const uint8_t *data, size_t len, zkvm_keccak256_hash *output);

zkvm_status zkvm_sha256(const uint8_t *data, size_t len, zkvm_sha256_hash *output);

/* ECDSA over secp256k1. Signatures with a high s are accepted. */
zkvm_status zkvm_secp256k1_verify(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig,
                                  const zkvm_secp256k1_pubkey *pubkey, bool *verified);

/* Recovers the public key of a signature. recid is 0 to 3: its lowest bit is the parity of the nonce's point, the next
 * bit tells whether this point's x is above the group's order. */
zkvm_status zkvm_secp256k1_ecrecover(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig, uint8_t recid,
                                     zkvm_secp256k1_pubkey *output);

/* ECDSA over P-256. */
zkvm_status zkvm_secp256r1_verify(const zkvm_secp256r1_hash *msg, const zkvm_secp256r1_signature *sig,
                                  const zkvm_secp256r1_pubkey *pubkey, bool *verified);

zkvm_status zkvm_ripemd160(const uint8_t *data, size_t len, zkvm_ripemd160_hash *output);

/* BLAKE2b's compression with any number of rounds (EIP-152); f is 1 for the last block, else 0. The accelerator does
 * twelve rounds. */
zkvm_status zkvm_blake2f(uint32_t rounds, zkvm_blake2f_state *h, const zkvm_blake2f_message *m,
                         const zkvm_blake2f_offset *t, uint8_t f);

/* base^exp mod modulus, in mod_len bytes (EIP-198). The result modulo 0 is 0. A modulus of more than 2^20 bytes is
 * ZKVM_EFAIL. */
zkvm_status zkvm_modexp(const uint8_t *base, size_t base_len, const uint8_t *exp, size_t exp_len,
                        const uint8_t *modulus, size_t mod_len, uint8_t *output);

/* BN254 (EIP-196, EIP-197). A pairing check holds if the product of the pairings is 1; the product of no pairs is 1. */
zkvm_status zkvm_bn254_g1_add(const zkvm_bn254_g1_point *p1, const zkvm_bn254_g1_point *p2,
                              zkvm_bn254_g1_point *result);
zkvm_status zkvm_bn254_g1_mul(const zkvm_bn254_g1_point *base, const zkvm_bn254_scalar *scalar,
                              zkvm_bn254_g1_point *result);
zkvm_status zkvm_bn254_pairing(const zkvm_bn254_pairing_pair *pairs, size_t num_pairs, bool *verified);

/* BLS12-381 (EIP-2537). Points must be in the subgroup, except for the two additions, which accept any point of the
 * curve. */
zkvm_status zkvm_bls12_g1_add(const zkvm_bls12_381_g1_point *p1, const zkvm_bls12_381_g1_point *p2,
                              zkvm_bls12_381_g1_point *result);
zkvm_status zkvm_bls12_g1_msm(const zkvm_bls12_381_g1_msm_pair *pairs, size_t num_pairs,
                              zkvm_bls12_381_g1_point *result);
zkvm_status zkvm_bls12_g2_add(const zkvm_bls12_381_g2_point *p1, const zkvm_bls12_381_g2_point *p2,
                              zkvm_bls12_381_g2_point *result);
zkvm_status zkvm_bls12_g2_msm(const zkvm_bls12_381_g2_msm_pair *pairs, size_t num_pairs,
                              zkvm_bls12_381_g2_point *result);
zkvm_status zkvm_bls12_pairing(const zkvm_bls12_381_pairing_pair *pairs, size_t num_pairs, bool *verified);
zkvm_status zkvm_bls12_map_fp_to_g1(const zkvm_bls12_381_fp *field_element, zkvm_bls12_381_g1_point *result);
zkvm_status zkvm_bls12_map_fp2_to_g2(const zkvm_bls12_381_fp2 *field_element, zkvm_bls12_381_g2_point *result);

/* Checks that the committed polynomial has the value y at z (EIP-4844). */
zkvm_status zkvm_kzg_point_eval(const zkvm_kzg_commitment *commitment, const zkvm_kzg_field_element *z,
                                const zkvm_kzg_field_element *y, const zkvm_kzg_proof *proof, bool *verified);

#ifdef __cplusplus
}
#endif

#endif
