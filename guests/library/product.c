/* The compiler calls this for products, of indices and lengths, if it may not use the machine's multiplication. */
#include <stdint.h>

uint64_t __muldi3(uint64_t a, uint64_t b);

uint64_t __muldi3(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (; b != 0; b >>= 1, a += a)
        if (b & 1) product += a;
    return product;
}
