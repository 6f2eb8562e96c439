/* Compresses the input, writes the result, and checks that it decompresses to the input. */
#include "miniz.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t size;
    const uint8_t *input = program_input(&size);
    mz_ulong packed = mz_compressBound(size), unpacked = size;
    uint8_t *a = malloc(packed), *b = malloc(size);
    if (mz_compress2(a, &packed, input, size, 9)) return 1;
    if (mz_uncompress(b, &unpacked, a, packed) || unpacked != size || memcmp(b, input, size)) return 2;
    program_write(a, packed);
    return 0;
}
