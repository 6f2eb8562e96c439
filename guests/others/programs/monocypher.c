/* Everything that Monocypher does, on the input: hashes, a password's key, a shared secret, encryption, a signature. */
#include "monocypher.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t size;
    const uint8_t *input = program_input(&size);
    uint8_t hash[64], key[32], other[32], shared[32], mac[16], nonce[24] = {7}, salt[16] = {1};
    crypto_blake2b(hash, sizeof hash, input, size);
    program_write(hash, sizeof hash);

    void *work = malloc(8 * 1024);
    crypto_argon2_config config = {CRYPTO_ARGON2_ID, 8, 1, 1};
    crypto_argon2_inputs inputs = {hash, salt, sizeof hash, sizeof salt};
    crypto_argon2(key, sizeof key, work, config, inputs, crypto_argon2_no_extras);
    program_write(key, sizeof key);

    crypto_x25519_public_key(other, hash);
    crypto_x25519(shared, key, other);
    program_write(shared, sizeof shared);

    uint8_t *text = malloc(size), *back = malloc(size);
    crypto_aead_lock(text, mac, key, nonce, NULL, 0, input, size);
    program_write(text, size);
    program_write(mac, sizeof mac);
    if (crypto_aead_unlock(back, mac, key, nonce, NULL, 0, text, size) || memcmp(back, input, size)) return 1;

    uint8_t secret[64], public[32], signature[64];
    crypto_eddsa_key_pair(secret, public, key);
    crypto_eddsa_sign(signature, secret, input, size);
    program_write(signature, sizeof signature);
    if (crypto_eddsa_check(signature, public, input, size)) return 2;
    signature[3] ^= 1;
    return crypto_eddsa_check(signature, public, input, size) ? 0 : 3;
}
