/* Modular exponentiation. An accelerator multiplies modulo at most 256 bits. Longer moduli use products of digits of
 * 256 bits, with another accelerator, and Barrett's reduction, whose reciprocal is computed once (reciprocal.h). */
#include "bignum.h"
#include "number.h"
#include "reciprocal.h"
#include "zkvm_accelerators.h"

/* Longer moduli would not fit the stack. */
#define MAX_MODULUS ((size_t)1 << 20)

/* Returns bit i of a big-endian number; the highest byte is bytes[0]. */
static int bit(const uint8_t *bytes, size_t len, size_t i) { return bytes[len - 1 - i / 8] >> (i % 8) & 1; }

/* Returns the number of bits of a big-endian number without leading zeros. */
static size_t bits_of(const uint8_t *bytes, size_t len) {
    size_t bits = len * 8;
    while (bits && !bit(bytes, len, bits - 1)) bits--;
    return bits;
}

/* Returns word i of a big-endian number of any length, 0 beyond its end. */
static uint64_t word_of(const uint8_t *bytes, size_t len, size_t i) {
    uint64_t w = 0;
    for (size_t k = 8; k-- > 0;) {
        size_t at = 8 * i + k; /* from the lowest byte on */
        w = w << 8 | (at < len ? bytes[len - 1 - at] : 0);
    }
    return w;
}

static void write_number(uint8_t *output, size_t len, const uint64_t *x, size_t n) {
    for (size_t i = 0; i < len; i++) output[len - 1 - i] = i / 8 < n ? (uint8_t)(x[i / 8] >> (8 * (i % 8))) : 0;
}

/* Returns base^exp mod m for an m that is neither 0 nor longer than 256 bits. */
static number power_short(const uint8_t *base, size_t base_len, const uint8_t *exp, size_t exp_len, const number *m) {
    const number one = {{1, 0, 0, 0}}, root = {{0, 0, 1, 0}};
    number x = {{0}}, r = one, shift;
    mul(&shift, &root, &root, m); /* 2^128 squared */
    for (size_t i = (base_len + 31) / 32; i-- > 0;) { /* 256 bits at a time */
        number part;
        for (size_t k = 0; k < 4; k++) part.w[k] = word_of(base, base_len, 4 * i + k);
        mul(&x, &x, &shift, m);
        mul(&part, &part, &one, m);
        add(&x, &x, &part, m);
    }
    mul(&r, &r, &one, m); /* 0 if m is 1 */
    for (size_t i = bits_of(exp, exp_len); i-- > 0;) {
        mul(&r, &r, &r, m);
        if (bit(exp, exp_len, i)) mul(&r, &r, &x, m);
    }
    return r;
}

/* x = base^exp mod d, for a d of n digits that is longer than 256 bits. */
static void power_long(const uint8_t *base, size_t base_len, const uint8_t *exp, size_t exp_len, const uint64_t *d,
                       size_t n, uint64_t *x) {
    size_t words = DIGIT * n;
    uint64_t room[MODULUS_ROOM(n)], reciprocal[words + DIGIT], negated[words + DIGIT], table[16][words];
    const modulus m = {n, d, reciprocal, negated, room};
    while (!d[words - 1]) words--;
    reciprocal_of(reciprocal, d, words, DIGIT * n);
    for (size_t i = 0, borrow = 0; i < DIGIT * (n + 1); i++) {
        uint64_t word = i < DIGIT * n ? d[i] : 0;
        negated[i] = 0 - word - borrow;
        borrow |= word != 0;
    }
    words = DIGIT * n;
    memset(x, 0, words * sizeof *x);
    for (size_t i = (base_len + 8 * words - 1) / (8 * words); i-- > 0;) { /* n digits at a time */
        for (size_t k = 0; k < words; k++) room[k] = word_of(base, base_len, words * i + k);
        memcpy(room + words, x, words * sizeof *x);
        reduce(x, room, &m);
    }
    memcpy(table[1], x, sizeof table[1]);
    size_t bits = bits_of(exp, exp_len), window = bits > 32 ? 4 : 1;
    for (int i = 2; i < 1 << window; i++) multiply(table[i], table[i - 1], table[1], &m);
    memset(x, 0, words * sizeof *x);
    x[0] = 1; /* less than d */
    int started = 0; /* whether x is more than 1 */
    for (size_t i = (bits + window - 1) / window; i-- > 0;) {
        int digit = 0;
        for (size_t k = window; k-- > 0;) {
            if (started) multiply(x, x, x, &m);
            digit = digit << 1 | (i * window + k < bits && bit(exp, exp_len, i * window + k));
        }
        if (!digit) continue;
        if (started) multiply(x, x, table[digit], &m);
        else memcpy(x, table[digit], words * sizeof *x);
        started = 1;
    }
}

zkvm_status zkvm_modexp(const uint8_t *base, size_t base_len, const uint8_t *exp, size_t exp_len,
                        const uint8_t *modulus, size_t mod_len, uint8_t *output) {
    size_t bits = bits_of(modulus, mod_len), n = (bits + 63) / 64;
    if (bits > 8 * MAX_MODULUS) return ZKVM_EFAIL;
    if (!bits) { /* EIP-198: modulo 0 everything is 0 */
        if (mod_len) memset(output, 0, mod_len);
        return ZKVM_EOK;
    }
    if (n <= 4) {
        number m, r;
        for (size_t i = 0; i < 4; i++) m.w[i] = word_of(modulus, mod_len, i);
        r = power_short(base, base_len, exp, exp_len, &m);
        write_number(output, mod_len, r.w, 4);
        return ZKVM_EOK;
    }
    size_t digits = (n + DIGIT - 1) / DIGIT;
    uint64_t d[DIGIT * digits], x[DIGIT * digits];
    for (size_t i = 0; i < DIGIT * digits; i++) d[i] = word_of(modulus, mod_len, i);
    power_long(base, base_len, exp, exp_len, d, digits, x);
    write_number(output, mod_len, x, DIGIT * digits);
    return ZKVM_EOK;
}
