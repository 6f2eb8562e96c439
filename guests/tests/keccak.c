/* Compares Keccak-256 with a sponge over bytes and Keccak-f[1600], for messages of many lengths at all alignments. */
#include "zkvm_accelerators.h"
#include "zkvm_calls.h"

#include <assert.h>
#include <string.h>

enum { RATE = 136, SIZE = 420 };
static unsigned char message[SIZE + 16] __attribute__((aligned(8)));

static void sponge(const unsigned char *data, int len, unsigned char digest[32]) {
    uint64_t state[25] = {0};
    unsigned char *bytes = (unsigned char *)state;
    int at = 0;
    for (int i = 0; i < len; i++) {
        bytes[at++] ^= data[i];
        if (at == RATE) zkvm_keccak_f(state), at = 0;
    }
    bytes[at] ^= 0x01;
    bytes[RATE - 1] ^= 0x80;
    zkvm_keccak_f(state);
    memcpy(digest, state, 32);
}

int main(void) {
    static const int lengths[] = {0, 1, 7, 8, 9, 15, 16, 127, 128, 129, 135, 136, 137, 143, 144, 271, 272, 273, SIZE};
    for (int at = 0; at < 9; at++)
        for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            for (int k = 0; k < SIZE + 16; k++) message[k] = (unsigned char)(k * k + 3 * at + 1);
            unsigned char want[32];
            zkvm_keccak256_hash digest;
            sponge(message + at, lengths[i], want);
            assert(zkvm_keccak256(message + at, (size_t)lengths[i], &digest) == ZKVM_EOK);
            assert(memcmp(digest.data, want, sizeof want) == 0);
        }
    return 0;
}
