/* The platform of these programs: a guest of the RISC-V machine, or natively a process whose stdin is the input and
 * whose stdout is the output. Both must give the same bytes. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* The input. */
const uint8_t *program_input(size_t *size);

/* Appends to the output. */
void program_write(const void *bytes, size_t size);
void program_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
