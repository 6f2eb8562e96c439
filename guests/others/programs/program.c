#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __riscv
#include "zkvm.h"

const uint8_t *program_input(size_t *size) {
    const uint8_t *input;
    read_input(&input, size);
    return input;
}

void program_write(const void *bytes, size_t size) { write_output(bytes, size); }
#else
const uint8_t *program_input(size_t *size) {
    static uint8_t input[1 << 24];
    *size = fread(input, 1, sizeof input, stdin);
    return input;
}

void program_write(const void *bytes, size_t size) { fwrite(bytes, 1, size, stdout); }
#endif

void program_printf(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof text) abort();
    program_write(text, (size_t)n);
}
