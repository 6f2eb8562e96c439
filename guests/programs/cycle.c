/* Follows a random cycle through memory. The input is the cycle's length and a seed, eight bytes each, lowest first.
 * Nearly every step reads a word far from all earlier ones, so this measures a program that is bound by memory. The
 * output is the number of steps back to the start, which is the length, and a sum that depends on their order. */
#include "zkvm.h"

#include <stdlib.h>
#include <string.h>

int main(void) {
    const uint8_t *input;
    size_t size;
    uint64_t arguments[2] = {1000, 1};
    read_input(&input, &size);
    if (size == sizeof arguments) memcpy(arguments, input, sizeof arguments);
    else if (size != 0) return 1;
    uint64_t count = arguments[0], draw = arguments[1];
    if (count == 0 || count > 1 << 24) return 1;
    uint32_t *next = malloc(count * sizeof *next);
    if (!next) return 1;
    for (uint64_t i = 0; i < count; i++) next[i] = (uint32_t)i;
    /* Sattolo's shuffle: a permutation that is one cycle. */
    for (uint64_t i = count - 1; i > 0; i--) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        uint64_t other = (draw >> 32) * i >> 32;
        uint32_t kept = next[i];
        next[i] = next[other];
        next[other] = kept;
    }
    uint64_t output[2] = {0, 0};
    uint32_t at = 0;
    do {
        output[0]++;
        output[1] = output[1] * 31 + at;
        at = next[at];
    } while (at != 0);
    write_output((const uint8_t *)output, sizeof output);
    return 0;
}
