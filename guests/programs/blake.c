/* Hashes the input with BLAKE2b-512 and BLAKE3, using the accelerators. The output is both hashes, in this order. */
#include "zkvm.h"
#include "zkvm_blake.h"

int main(void) {
    const uint8_t *input;
    size_t size;
    uint8_t output[64 + 32];
    read_input(&input, &size);
    zkvm_blake2b(input, size, output);
    zkvm_blake3(input, size, output + 64);
    write_output(output, sizeof output);
    return 0;
}
