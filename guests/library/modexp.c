/* Modular exponentiation. The accelerator handles moduli of at most 256 bits. Division by longer ones is Knuth's
 * algorithm D, whose quotient digits come from a reciprocal of the modulus' highest word (Moeller and Granlund, 2011),
 * because a guest has no division of 128 bits by 64. */
#include "number.h"
#include "zkvm_accelerators.h"

/* Longer moduli would not fit the stack. */
#define MAX_MODULUS ((size_t)1 << 20)

typedef unsigned __int128 wide;

/* Bit i of a big-endian number; the highest byte is bytes[0]. */
static int bit(const uint8_t *bytes, size_t len, size_t i) { return bytes[len - 1 - i / 8] >> (i % 8) & 1; }

/* The number of bits of a big-endian number without leading zeros. */
static size_t bits_of(const uint8_t *bytes, size_t len) {
    size_t bits = len * 8;
    while (bits && !bit(bytes, len, bits - 1)) bits--;
    return bits;
}

/* Word i of a big-endian number of any length; 0 beyond it. */
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

/* base^exp mod m for an m that is neither 0 nor longer than 256 bits. */
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

/* A modulus of n words whose highest bit is set, and floor((2^128 - 1)/d[n-1]) - 2^64. */
typedef struct {
    const uint64_t *d;
    size_t n;
    uint64_t reciprocal;
} divisor;

static uint64_t reciprocal_of(uint64_t d) {
    uint64_t rest = ~d, q = 0; /* (2^128 - 1) - 2^64 d = ~d 2^64 + (2^64 - 1), divided bit by bit */
    for (int i = 0; i < 64; i++) {
        uint64_t top = rest >> 63;
        rest = rest << 1 | 1;
        q <<= 1;
        if (top || rest >= d) rest -= d, q |= 1;
    }
    return q;
}

/* The quotient of high 2^64 + low by d for a high below d. */
static uint64_t divide(uint64_t high, uint64_t low, uint64_t d, uint64_t reciprocal, uint64_t *rest) {
    wide q = (wide)reciprocal * high + ((wide)high << 64 | low);
    uint64_t digit = (uint64_t)(q >> 64) + 1, r = low - digit * d;
    if (r > (uint64_t)q) digit--, r += d;
    if (r >= d) digit++, r -= d;
    *rest = r;
    return digit;
}

/* u -= digit * d over n + 1 words, returns the borrow. */
static uint64_t take(uint64_t *u, const divisor *by, uint64_t digit) {
    uint64_t carry = 0;
    for (size_t i = 0; i < by->n; i++) {
        wide product = (wide)digit * by->d[i] + carry;
        uint64_t low = (uint64_t)product;
        carry = (uint64_t)(product >> 64) + (u[i] < low);
        u[i] -= low;
    }
    uint64_t borrow = u[by->n] < carry;
    u[by->n] -= carry;
    return borrow;
}

static void give_back(uint64_t *u, const divisor *by) {
    uint64_t carry = 0;
    for (size_t i = 0; i < by->n; i++) {
        wide sum = (wide)u[i] + by->d[i] + carry;
        u[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    u[by->n] += carry;
}

/* One step of the division: subtracts the multiple of d that clears u[n]. The highest n words are below d. */
static void step(uint64_t *u, const divisor *by) {
    size_t n = by->n;
    uint64_t top = by->d[n - 1], digit, rest;
    if (u[n] >= top) {
        digit = UINT64_MAX; /* the true digit is this or at most two less */
    } else {
        digit = divide(u[n], u[n - 1], top, by->reciprocal, &rest);
        while ((wide)digit * by->d[n - 2] > ((wide)rest << 64 | u[n - 2])) {
            digit--;
            if ((rest += top) < top) break;
        }
    }
    if (!digit) return;
    for (uint64_t borrow = take(u, by, digit); borrow;) {
        uint64_t before = u[n];
        give_back(u, by);
        borrow = u[n] >= before; /* the sum is no longer negative if the highest word wrapped */
    }
}

/* r = x * y mod d, with room for 2n + 1 words. */
static void multiply(uint64_t *r, const uint64_t *x, const uint64_t *y, const divisor *by, uint64_t *room) {
    size_t n = by->n;
    memset(room, 0, (2 * n + 1) * sizeof *room);
    for (size_t i = 0; i < n; i++) {
        uint64_t carry = 0, word = x[i], *to = room + i;
        for (size_t k = 0; k < n; k++) {
            wide sum = (wide)word * y[k] + to[k] + carry;
            to[k] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        to[n] = carry;
    }
    for (size_t i = n + 1; i-- > 0;) step(room + i, by);
    memcpy(r, room, n * sizeof *r);
}

/* The functions below compute modulo 2^shift m, whose highest bit is set; a last division of 2^shift x by it leaves
 * 2^shift (x mod m). */
static void power_long(const uint8_t *base, size_t base_len, const uint8_t *exp, size_t exp_len, uint64_t *d, size_t n,
                       uint64_t *x) {
    int shift = 0;
    while (!(d[n - 1] << shift >> 63)) shift++;
    for (size_t i = n; shift && i-- > 0;) d[i] = d[i] << shift | (i ? d[i - 1] >> (64 - shift) : 0);
    const divisor by = {d, n, reciprocal_of(d[n - 1])};
    uint64_t room[2 * n + 1], table[16][n];

    memset(room, 0, sizeof room);
    for (size_t i = (base_len + 7) / 8; i-- > 0;) {
        memmove(room + 1, room, n * sizeof *room);
        room[0] = word_of(base, base_len, i);
        step(room, &by);
    }
    memset(table[0], 0, sizeof table[0]);
    table[0][0] = 1;
    memcpy(table[1], room, sizeof table[1]);
    size_t bits = bits_of(exp, exp_len), window = bits > 32 ? 4 : 1;
    for (int i = 2; i < 1 << window; i++) multiply(table[i], table[i - 1], table[1], &by, room);
    memcpy(x, table[0], sizeof table[0]);
    for (size_t i = (bits + window - 1) / window; i-- > 0;) {
        int digit = 0;
        for (size_t k = window; k-- > 0;) {
            multiply(x, x, x, &by, room);
            digit = digit << 1 | (i * window + k < bits && bit(exp, exp_len, i * window + k));
        }
        if (digit) multiply(x, x, table[digit], &by, room);
    }

    room[n] = 0;
    for (size_t i = 0; i < n; i++) room[i] = x[i] << shift | (i && shift ? x[i - 1] >> (64 - shift) : 0);
    if (shift) room[n] = x[n - 1] >> (64 - shift);
    step(room, &by);
    for (size_t i = 0; i < n; i++) x[i] = room[i] >> shift | (shift && i + 1 < n ? room[i + 1] << (64 - shift) : 0);
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
    uint64_t d[n], x[n];
    for (size_t i = 0; i < n; i++) d[i] = word_of(modulus, mod_len, i);
    power_long(base, base_len, exp, exp_len, d, n, x);
    write_number(output, mod_len, x, n);
    return ZKVM_EOK;
}
