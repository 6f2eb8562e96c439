/* Numbers of any length in digits of 256 bits, least significant first, with the accelerator for their products. */
#ifndef BIGNUM_H
#define BIGNUM_H

#include "zkvm_calls.h"

#include <string.h>

/* A file that includes this need not use every function. */
#pragma GCC diagnostic ignored "-Wunused-function"

#define DIGIT 4 /* words */
#define SUM 9   /* words of a sum of products, such as a column of a product */

/* sum += x[0] y[0] + x[1] y[-1] + ..., of count products, at least one. */
static inline void add_products(uint64_t *sum, const uint64_t *x, const uint64_t *y, size_t count) {
#ifdef __riscv
    register uint64_t *a0 __asm__("a0") = sum;
    register const uint64_t *a1 __asm__("a1") = x;
    register const uint64_t *a2 __asm__("a2") = y;
    register long a7 __asm__("a7") = ZKVM_CALL_WIDE256;
    __asm__ volatile("1: ecall\n\taddi a1, a1, 32\n\taddi a2, a2, -32\n\tbne a1, %[end], 1b"
                     : "+r"(a1), "+r"(a2)
                     : "r"(a0), "r"(a7), [end] "r"(x + DIGIT * count)
                     : "memory");
#else
    for (size_t i = 0; i < count; i++) zkvm_wide256(sum, x + DIGIT * i, y - DIGIT * i);
#endif
}

/* Clears count words, one or more. The loop must not become a call: memset is slower for so few words. */
static inline void clear(uint64_t *words, size_t count) {
    uint64_t *end = words + count;
    for (; end - words >= 8; words += 8) {
        words[0] = 0, words[1] = 0, words[2] = 0, words[3] = 0, words[4] = 0, words[5] = 0, words[6] = 0, words[7] = 0;
        __asm__ volatile("");
    }
    for (; words < end; words++) {
        *words = 0;
        __asm__ volatile("");
    }
}

/* Adds columns from to to - 1 of x y to r, where column k has the products of digits whose indices add up to k, and r
 * begins with column from. The words of r above those of earlier columns must be 0: a column's sum has SUM words, of
 * which all but the first digit are added to the next. */
static void add_columns(uint64_t *r, const uint64_t *x, size_t n, const uint64_t *y, size_t m, size_t from, size_t to) {
    for (size_t k = from; k < to; k++, r += DIGIT) {
        size_t first = k < m ? 0 : k - m + 1, last = k < n ? k : n - 1;
        add_products(r, x + DIGIT * first, y + DIGIT * (k - first), last - first + 1);
    }
}

/* Words of r for add_columns with count columns. */
#define COLUMNS(count) (DIGIT * (count) + SUM - DIGIT)

/* A modulus d of n digits, the highest of which is not 0, with constants to reduce numbers modulo d (Barrett): with B =
 * 2^256, the n + 1 digits of about B^2n / d, at most one less, and the digits of B^(n+1) - d. */
typedef struct {
    size_t n;
    const uint64_t *d, *reciprocal, *negated;
    uint64_t *room; /* MODULUS_ROOM(n) words */
} modulus;

#define MODULUS_ROOM(n) (COLUMNS(2 * (n)) + COLUMNS((n) + 2) + COLUMNS((n) + 1))

/* Reports whether the n + 1 digits at r are less than d. */
static int is_below(const uint64_t *r, const modulus *m) {
    size_t i = DIGIT * (m->n + 1);
    while (i-- > DIGIT * m->n)
        if (r[i]) return 0;
    for (i = DIGIT * m->n; i-- > 0;)
        if (r[i] != m->d[i]) return r[i] < m->d[i];
    return 0;
}

/* r = t mod d for the 2n digits at t. The estimate q of the quotient is at most three too small: floor(t / B^(n-1)),
 * the reciprocal and the columns left out of their product lose less than one each. So the rest of t is below 4 d,
 * which is below B^(n+1), and is computed modulo B^(n+1). */
static void reduce(uint64_t *r, const uint64_t *t, const modulus *m) {
    static const uint64_t one[DIGIT] = {1};
    const size_t n = m->n;
    uint64_t *q = m->room + COLUMNS(2 * n), *rest = q + COLUMNS(n + 2);
    clear(q, COLUMNS(n + 2));
    add_columns(q, t + DIGIT * (n - 1), n + 1, m->reciprocal, n + 1, n - 1, 2 * n + 1);
    q += 2 * DIGIT;
    clear(rest, COLUMNS(n + 1));
    for (size_t k = 0; k <= n; k++) {
        add_products(rest + DIGIT * k, t + DIGIT * k, one, 1);
        add_products(rest + DIGIT * k, q, m->negated + DIGIT * k, k + 1);
    }
    while (!is_below(rest, m)) {
        uint64_t borrow = 0;
        for (size_t i = 0; i < DIGIT * (n + 1); i++) {
            uint64_t word = rest[i], d = i < DIGIT * n ? m->d[i] : 0, difference = word - d;
            rest[i] = difference - borrow;
            borrow = (word < d) | (difference < borrow);
        }
    }
    memcpy(r, rest, DIGIT * n * sizeof *r);
}

/* r = x y mod d for x and y of n digits. */
static void multiply(uint64_t *r, const uint64_t *x, const uint64_t *y, const modulus *m) {
    clear(m->room, COLUMNS(2 * m->n));
    add_columns(m->room, x, m->n, y, m->n, 0, 2 * m->n - 1);
    reduce(r, m->room, m);
}

#endif
