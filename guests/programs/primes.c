/* Counts primes. The input is the first number and how many numbers to test, eight bytes each, lowest first. Nearly all
 * of its work is 64-bit multiplication and division. The output is the number of primes and the last of them, or 0. */
#include "zkvm.h"

#include <string.h>

/* An odd modulus n with the constants of Montgomery multiplication: -1/n mod 2^64, and 2^64 and 2^128 mod n. */
struct modulus {
    uint64_t n, negative, one, square;
};

static struct modulus modulus(uint64_t n) {
    struct modulus m = {n, n, -n % n, 0};
    for (int i = 0; i < 5; i++) m.negative *= 2 - n * m.negative; /* 3, 6, 12, 24, 48, 96 bits of 1/n */
    m.negative = -m.negative;
    m.square = m.one;
    for (int i = 0; i < 64; i++) {
        uint64_t twice = m.square + m.square;
        m.square = twice < m.square || twice >= n ? twice - n : twice;
    }
    return m;
}

/* Returns x*y/2^64 mod n. */
static uint64_t multiply(uint64_t x, uint64_t y, const struct modulus *m) {
    unsigned __int128 product = (unsigned __int128)x * y;
    uint64_t low = (uint64_t)product, high = (uint64_t)(product >> 64);
    /* The low half of low * negative * n is -low: the halves add up to 2^64, or to 0. */
    uint64_t added = (uint64_t)((unsigned __int128)(low * m->negative) * m->n >> 64) + (low != 0), sum = high + added;
    return sum < high || sum >= m->n ? sum - m->n : sum;
}

/* Reports whether n passes the Miller-Rabin test to a base. */
static int passes(const struct modulus *m, uint64_t base) {
    uint64_t factor = multiply(base, m->square, m), minus = m->n - m->one, odd = m->n - 1, power = m->one;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2) twos++;
    for (int bit = 63 - __builtin_clzll(odd); bit >= 0; bit--) {
        power = multiply(power, power, m);
        if (odd >> bit & 1) power = multiply(power, factor, m);
    }
    if (power == m->one || power == minus) return 1;
    for (int i = 1; i < twos; i++) {
        power = multiply(power, power, m);
        if (power == minus) return 1;
    }
    return 0;
}

/* The first twelve primes suffice as bases for 64 bits. */
static int prime(uint64_t n) {
    static const uint8_t bases[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2) return 0;
    for (int i = 0; i < 12; i++)
        if (n % bases[i] == 0) return n == bases[i];
    struct modulus m = modulus(n);
    for (int i = 0; i < 12; i++)
        if (!passes(&m, bases[i])) return 0;
    return 1;
}

int main(void) {
    const uint8_t *input;
    size_t size;
    uint64_t arguments[2] = {1, 100};
    read_input(&input, &size);
    if (size == sizeof arguments) memcpy(arguments, input, sizeof arguments);
    else if (size != 0) return 1;
    uint64_t output[2] = {0, 0};
    for (uint64_t i = 0; i < arguments[1]; i++) {
        if (!prime(arguments[0] + i)) continue;
        output[0]++;
        output[1] = arguments[0] + i;
    }
    write_output((const uint8_t *)output, sizeof output);
    return 0;
}
