/* Hashes the input with SHA-256 and Keccak-256, using the accelerators. The output is both hashes, in this order. */
#include "zkvm.h"
#include "zkvm_accelerators.h"

int main(void) {
    const uint8_t *input;
    size_t size;
    zkvm_sha256_hash sha256;
    zkvm_keccak256_hash keccak256;
    read_input(&input, &size);
    if (zkvm_sha256(input, size, &sha256) != ZKVM_EOK || zkvm_keccak256(input, size, &keccak256) != ZKVM_EOK) return 1;
    write_output(sha256.data, sizeof sha256.data);
    write_output(keccak256.data, sizeof keccak256.data);
    return 0;
}
