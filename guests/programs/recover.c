/* Recovers the Ethereum account that signed a message: the private input is r || s and the recovery number (one byte),
 * the public input the message's hash, the public output the account's 20 bytes. */
#include "zkvm.h"
#include "zkvm_accelerators.h"

#include <string.h>

int main(void) {
    const uint8_t *private, *public;
    size_t private_size, public_size;
    read_input(&private, &private_size);
    read_public_input(&public, &public_size);
    if (private_size != 65 || public_size != 32) return 1;
    zkvm_secp256k1_hash hash;
    zkvm_secp256k1_signature signature;
    zkvm_secp256k1_pubkey key;
    zkvm_keccak256_hash account;
    memcpy(hash.data, public, 32);
    memcpy(signature.data, private, 64);
    if (zkvm_secp256k1_ecrecover(&hash, &signature, private[64], &key) != ZKVM_EOK) return 2;
    if (zkvm_keccak256(key.data, sizeof key.data, &account) != ZKVM_EOK) return 2;
    write_output(account.data + 12, 20);
    return 0;
}
