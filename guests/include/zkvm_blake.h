/* BLAKE2b and BLAKE3, using the accelerators of their compression functions. They are specific to this machine: other
 * machines do not have them. */
#ifndef ZKVM_BLAKE_H
#define ZKVM_BLAKE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* BLAKE2b-512 without a key (RFC 7693). */
void zkvm_blake2b(const uint8_t *data, size_t len, uint8_t output[64]);

/* BLAKE3 with a 32-byte hash. */
void zkvm_blake3(const uint8_t *data, size_t len, uint8_t output[32]);

#ifdef __cplusplus
}
#endif

#endif
