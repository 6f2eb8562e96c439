/* The accelerator interface of eth-act/zkvm-standards (c-interface-accelerators), as far as this machine has it:
 * every function declared here is there, with the standard's name, arguments and results. Those of the standard that
 * are missing (RIPEMD-160, modular exponentiation, BN254, BLS12-381, BLAKE2, KZG) are not declared, so
 * that a program that needs one does not compile.
 *
 * Numbers of curves are big-endian, as in the standard. No pointer may be null. */
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
    ZKVM_EFAIL = -1, /* an argument that means nothing, such as a key off the curve */
} zkvm_status;

typedef struct { uint8_t data[32] __attribute__((aligned(8))); } zkvm_bytes_32;
typedef struct { uint8_t data[64] __attribute__((aligned(8))); } zkvm_bytes_64;

typedef zkvm_bytes_32 zkvm_keccak256_hash;
typedef zkvm_bytes_32 zkvm_sha256_hash;
typedef zkvm_bytes_32 zkvm_secp256k1_hash;
typedef zkvm_bytes_64 zkvm_secp256k1_signature; /* r || s */
typedef zkvm_bytes_64 zkvm_secp256k1_pubkey;    /* x || y */
typedef zkvm_bytes_32 zkvm_secp256r1_hash;
typedef zkvm_bytes_64 zkvm_secp256r1_signature;
typedef zkvm_bytes_64 zkvm_secp256r1_pubkey;

/* Keccak-256, with the padding of Ethereum. */
zkvm_status zkvm_keccak256(const uint8_t *data, size_t len, zkvm_keccak256_hash *output);

zkvm_status zkvm_sha256(const uint8_t *data, size_t len, zkvm_sha256_hash *output);

/* ECDSA over secp256k1. A signature with a high s is a signature. */
zkvm_status zkvm_secp256k1_verify(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig,
                                  const zkvm_secp256k1_pubkey *pubkey, bool *verified);

/* The public key that made a signature; recid is 0 to 3, its lowest bit the parity of the nonce's point, the next one
 * whether that point's x was above the group's order. */
zkvm_status zkvm_secp256k1_ecrecover(const zkvm_secp256k1_hash *msg, const zkvm_secp256k1_signature *sig, uint8_t recid,
                                     zkvm_secp256k1_pubkey *output);

/* ECDSA over P-256. */
zkvm_status zkvm_secp256r1_verify(const zkvm_secp256r1_hash *msg, const zkvm_secp256r1_signature *sig,
                                  const zkvm_secp256r1_pubkey *pubkey, bool *verified);

#ifdef __cplusplus
}
#endif

#endif
