/* blst without assembly, with words of 64 bits. blst selects the word size by the processor's name, so this file
 * defines one; the portable code then lacks only the type of a product of two words. */
#include <stddef.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#define __BLST_NO_ASM__
#define __BLST_NO_CPUID__
#ifndef __aarch64__
#define __aarch64__
#endif
#define llimb_t unsigned __int128
#define __builtin_assume(condition) ((void)0) /* an even number of words is assumed for 32 bits only */
#include "../blst/src/server.c"
