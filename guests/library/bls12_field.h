/* The field of BLS12-381, Fp2 = Fp[u]/(u^2 + 1), and xi = 1 + u, which defines Fp12. */
#ifndef BLS12_FIELD_H
#define BLS12_FIELD_H

#include "zkvm_calls.h"

#include <string.h>

/* A file that includes this need not use every function. */
#pragma GCC diagnostic ignored "-Wunused-function"

typedef struct { uint64_t w[6]; } fp; /* below the prime, least significant word first */

/* The parameter of the curve is -U. */
#define U 0xd201000000010000ull

/* The words of the prime, the lowest less n. */
#define FP_WORDS(n) \
    0xb9feffffffffaaab - (n), 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, 0x4b1ba7b6434bacd7, \
    0x1a0111ea397fe69a
#define FP_MINUS_ONE {{FP_WORDS(1)}}
#define FP_MINUS_TWO {{FP_WORDS(2)}}
#define FP2_OPERATION zkvm_fp2_384
#define FP2_SUM zkvm_fp2_384_sum

static const fp prime = {{FP_WORDS(0)}};

static inline int fp_is_zero(const fp *x) { return (x->w[0] | x->w[1] | x->w[2] | x->w[3] | x->w[4] | x->w[5]) == 0; }
static inline int fp_equal(const fp *x, const fp *y) { return memcmp(x, y, sizeof *x) == 0; }

static int fp_is_less(const fp *x, const fp *y) {
    for (int i = 5; i >= 0; i--)
        if (x->w[i] != y->w[i]) return x->w[i] < y->w[i];
    return 0;
}

/* x = f[0] x + f[1] */
static inline void fp_linear(fp *x, const fp f[2]) {
    static const uint64_t field[7] = {FP_WORDS(0), ZKVM_FIELD_MULTIPLY};
    zkvm_field384(x->w, (const uint64_t *)f, field);
}

static inline void fp_mul_add(fp *x, const fp *y, const fp *z) {
    const fp factors[2] = {*y, *z};
    fp_linear(x, factors);
}

static inline void fp_multiply(fp *x, const fp *y) {
    const fp factors[2] = {*y, {{0}}};
    fp_linear(x, factors);
}

/* Applies an operation on x alone to x: the call also reads numbers that it does not use. */
static inline void fp_operate(fp *x, const uint64_t field[7]) {
    static const uint64_t unused[12];
    zkvm_field384(x->w, unused, field);
}

/* x = 1/x, for an x that is not 0. */
static inline void fp_invert(fp *x) {
    static const uint64_t field[7] = {FP_WORDS(0), ZKVM_FIELD_INVERT};
    fp_operate(x, field);
}

/* x becomes the even root of x or of -x. Returns whether it is a root of x. */
static int fp_root(fp *x) {
    static const uint64_t field[7] = {FP_WORDS(0), ZKVM_FIELD_ROOT};
    const fp before = *x;
    fp_operate(x, field);
    fp square = *x;
    fp_multiply(&square, x);
    return fp_equal(&square, &before);
}

static inline void fp_negate(fp *r, const fp *x) {
    if (fp_is_zero(x)) {
        *r = *x;
        return;
    }
    uint64_t borrow = 0;
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) {
        uint64_t v = x->w[i], difference = prime.w[i] - v, with = difference - borrow;
        borrow = (prime.w[i] < v) | (difference < borrow);
        r->w[i] = with;
    }
}

#include "fp2.h"

static const fp2 xi = {{{1}}, {{1}}}, three_xi = {{{3}}, {{3}}};

/* Returns the word of eight bytes, the highest first. */
static inline uint64_t word_of(const uint8_t *bytes) {
    uint64_t w = 0;
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) w = w << 8 | bytes[i];
    return w;
}

static inline void put_word(uint8_t *bytes, uint64_t w) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(w >> (56 - 8 * i));
}

/* Decodes a number. Returns 0 for a number not below the prime, whose encoding would not be canonical. */
static int read_fp(fp *r, const uint8_t bytes[48]) {
    for (int i = 0; i < 6; i++) r->w[5 - i] = word_of(bytes + 8 * i);
    return fp_is_less(r, &prime);
}

static void write_fp(uint8_t bytes[48], const fp *x) {
    for (int i = 0; i < 6; i++) put_word(bytes + 8 * i, x->w[5 - i]);
}

#endif
