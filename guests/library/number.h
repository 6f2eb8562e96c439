/* Numbers of 256 bits, and arithmetic modulo such a number with the accelerators. */
#ifndef NUMBER_H
#define NUMBER_H

#include "zkvm_calls.h"

#include <string.h>

/* A file that includes this need not use every function. */
#pragma GCC diagnostic ignored "-Wunused-function"

typedef struct { uint64_t w[4]; } number; /* least significant word first */

static int is_zero(const number *a) { return (a->w[0] | a->w[1] | a->w[2] | a->w[3]) == 0; }

static int is_less(const number *a, const number *b) {
    for (int i = 3; i >= 0; i--)
        if (a->w[i] != b->w[i]) return a->w[i] < b->w[i];
    return 0;
}

static int is_equal(const number *a, const number *b) { return memcmp(a, b, sizeof *a) == 0; }

/* r = a + b. Returns the carry. */
static uint64_t add_words(number *r, const number *a, const number *b) {
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t sum = a->w[i] + b->w[i], with = sum + carry;
        carry = (sum < a->w[i]) | (with < sum);
        r->w[i] = with;
    }
    return carry;
}

/* r = a - b. Returns the borrow. */
static uint64_t sub_words(number *r, const number *a, const number *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t left = a->w[i], difference = left - b->w[i], with = difference - borrow;
        borrow = (left < b->w[i]) | (difference < borrow);
        r->w[i] = with;
    }
    return borrow;
}

/* Arithmetic modulo m on numbers below m. */
static void add(number *r, const number *a, const number *b, const number *m) {
    if (add_words(r, a, b) || !is_less(r, m)) sub_words(r, r, m);
}

static void sub(number *r, const number *a, const number *b, const number *m) {
    if (sub_words(r, a, b)) add_words(r, r, m);
}

static void mul(number *r, const number *a, const number *b, const number *m) {
    number x = *a;
    zkvm_modmul(x.w, b->w, m->w);
    *r = x;
}

/* r = 1/a mod m, 0 for 0, for an a below the prime m. */
static void invert(number *r, const number *a, const number *m) {
    const uint64_t field[8] = {m->w[0], m->w[1], m->w[2], m->w[3], ZKVM_FIELD_INVERT};
    number x = *a;
    if (!is_zero(&x)) zkvm_field256(x.w, field, field);
    *r = x;
}

/* r = the even square root of a mod m, 0 if there is none. m is the prime of a curve. */
static int square_root(number *r, const number *a, const number *m) {
    const uint64_t field[8] = {m->w[0], m->w[1], m->w[2], m->w[3], ZKVM_FIELD_ROOT};
    number x = *a, square;
    zkvm_field256(x.w, field, field);
    mul(&square, &x, &x, m);
    *r = x;
    return is_equal(&square, a);
}

static number from_bytes(const uint8_t *bytes) {
    number r;
    for (int i = 0; i < 4; i++) {
        uint64_t w = 0;
        for (int k = 0; k < 8; k++) w = w << 8 | bytes[8 * (3 - i) + k];
        r.w[i] = w;
    }
    return r;
}

static void to_bytes(uint8_t *bytes, const number *a) {
    for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)(a->w[3 - i / 8] >> (56 - 8 * (i % 8)));
}

#endif
