/* Sorts numbers with the C library's qsort. The input is a count and a seed, eight bytes each, lowest first; the
 * default is 1,000 numbers. The output is the least, the median and the greatest number, and a sum that depends on
 * their order. */
#include "zkvm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int main(void) {
    const uint8_t *input;
    size_t size;
    uint64_t arguments[2] = {1000, 1};
    read_input(&input, &size);
    if (size == sizeof arguments) memcpy(arguments, input, sizeof arguments);
    else if (size != 0) return 1;
    uint64_t count = arguments[0], draw = arguments[1];
    if (count == 0 || count > 1 << 24) return 1;
    uint64_t *numbers = malloc(count * sizeof *numbers);
    assert(numbers);
    for (uint64_t i = 0; i < count; i++) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = draw >> 16;
    }
    qsort(numbers, count, sizeof *numbers, compare);
    uint64_t output[4] = {numbers[0], numbers[count / 2], numbers[count - 1], 0};
    for (uint64_t i = 0; i < count; i++) {
        assert(i == 0 || numbers[i - 1] <= numbers[i]);
        output[3] = output[3] * 31 + numbers[i];
    }
    write_output((const uint8_t *)output, sizeof output);
    return 0;
}
