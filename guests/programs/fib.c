/* Computes Fibonacci numbers, one addition after another. The input is the number of iterations, eight bytes, lowest
 * first; the default is 199,999 iterations, which take a million cycles. The output is the last number mod 2^64. */
#include "zkvm.h"

#include <string.h>

uint64_t fib_loop(uint64_t iterations);

int main(void) {
    const uint8_t *input;
    size_t size;
    uint64_t iterations = 199999;
    read_input(&input, &size);
    if (size == sizeof iterations) memcpy(&iterations, input, sizeof iterations);
    else if (size != 0) return 1;
    if (iterations == 0) return 1;
    uint64_t result = fib_loop(iterations);
    write_output((const uint8_t *)&result, sizeof result);
    return 0;
}
