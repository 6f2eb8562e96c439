/* Inputs and the output are regions of memory: a word with the length, then the bytes. */
#include "zkvm.h"

#include <string.h>

#define PRIVATE_INPUT ((const uint8_t *)0x80000000)
#define PUBLIC_INPUT ((const uint8_t *)0xa0000000)
#define PUBLIC_OUTPUT ((uint8_t *)0xb0000000)
#define MAX_PRIVATE (((size_t)1 << 27) - 8)
#define MAX_PUBLIC ((size_t)1 << 16)

/* The prover chooses the contents of the private region, including its length, which must not exceed the region. */
static void region(const uint8_t *start, size_t most, const uint8_t **buf_ptr, size_t *buf_size) {
    size_t size = *(const volatile uint64_t *)start;
    if (size > most) zkvm_exit(ZKVM_EXIT_INPUT);
    *buf_ptr = start + 8;
    *buf_size = size;
}

void read_input(const uint8_t **buf_ptr, size_t *buf_size) { region(PRIVATE_INPUT, MAX_PRIVATE, buf_ptr, buf_size); }

void read_public_input(const uint8_t **buf_ptr, size_t *buf_size) { region(PUBLIC_INPUT, MAX_PUBLIC, buf_ptr, buf_size); }

void write_output(const uint8_t *output, size_t size) {
    volatile uint64_t *length = (volatile uint64_t *)PUBLIC_OUTPUT;
    size_t written = *length;
    if (size > MAX_PUBLIC - written) zkvm_exit(ZKVM_EXIT_OUTPUT);
    memcpy(PUBLIC_OUTPUT + 8 + written, output, size);
    *length = written + size;
}
