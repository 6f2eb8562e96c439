/* Verifies an ECDSA signature with the accelerator's products. The private input is the curve's number (0: secp256k1,
 * 1: P-256, in eight bytes), r || s; the public input is the message's hash and the key x || y. The output is one byte:
 * 1 if the signature is valid. */
#include "zkvm.h"
#include "zkvm_accelerators.h"

#include <string.h>

int main(void) {
    const uint8_t *private, *public;
    size_t private_size, public_size;
    read_input(&private, &private_size);
    read_public_input(&public, &public_size);
    if (private_size != 72 || public_size != 96) return 1;
    zkvm_bytes_32 hash;
    zkvm_bytes_64 signature, key;
    memcpy(hash.data, public, 32);
    memcpy(key.data, public + 32, 64);
    memcpy(signature.data, private + 8, 64);
    bool verified;
    zkvm_status status = private[0] == 0 ? zkvm_secp256k1_verify(&hash, &signature, &key, &verified)
                                         : zkvm_secp256r1_verify(&hash, &signature, &key, &verified);
    if (status != ZKVM_EOK) return 2;
    write_output((const uint8_t[]){verified}, 1);
    return 0;
}
