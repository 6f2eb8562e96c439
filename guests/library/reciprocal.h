/* The reciprocal of a number of any length, by Knuth's algorithm D, whose digits are words. A reciprocal of the
 * divisor's highest word gives them (Moeller and Granlund, 2011): a guest has no division of 128 bits by 64. */
#ifndef RECIPROCAL_H
#define RECIPROCAL_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 wide;

/* A number of n words, at least two, whose highest bit is set, and floor((2^128 - 1)/d[n-1]) - 2^64. */
typedef struct {
    const uint64_t *d;
    size_t n;
    uint64_t reciprocal;
} divisor;

static uint64_t reciprocal_of_word(uint64_t d) {
    uint64_t rest = ~d, q = 0; /* (2^128 - 1) - 2^64 d = ~d 2^64 + (2^64 - 1), divided bit by bit */
    for (int i = 0; i < 64; i++) {
        uint64_t top = rest >> 63;
        rest = rest << 1 | 1;
        q <<= 1;
        if (top || rest >= d) rest -= d, q |= 1;
    }
    return q;
}

/* Returns the quotient of high 2^64 + low and d for a high below d. */
static uint64_t divide(uint64_t high, uint64_t low, uint64_t d, uint64_t reciprocal, uint64_t *rest) {
    wide q = (wide)reciprocal * high + ((wide)high << 64 | low);
    uint64_t digit = (uint64_t)(q >> 64) + 1, r = low - digit * d;
    if (r > (uint64_t)q) digit--, r += d;
    if (r >= d) digit++, r -= d;
    *rest = r;
    return digit;
}

/* u -= digit * d over n + 1 words. Returns the borrow. */
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

/* One step of the division: subtracts the multiple of d that clears u[n], and returns its factor. The highest n words are
 * below d. */
static uint64_t divide_step(uint64_t *u, const divisor *by) {
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
    if (!digit) return 0;
    for (uint64_t borrow = take(u, by, digit); borrow;) {
        uint64_t before = u[n];
        digit--;
        give_back(u, by);
        borrow = u[n] >= before; /* the sum is no longer negative if the highest word wrapped */
    }
    return digit;
}

/* r = floor((2^(128 words) - 1) / d) in words + 4 words, for a d of n words, the highest of which is not 0. n is at least
 * 2 and above words - 4. */
static void reciprocal_of(uint64_t *r, const uint64_t *d, size_t n, size_t words) {
    int shift = 0;
    while (!(d[n - 1] << shift >> 63)) shift++;
    uint64_t shifted[n], u[2 * words + 1];
    for (size_t i = 0; i < n; i++) shifted[i] = d[i] << shift | (i && shift ? d[i - 1] >> (64 - shift) : 0);
    for (size_t i = 0; i < 2 * words; i++) u[i] = ~(uint64_t)0;
    u[0] <<= shift;
    u[2 * words] = shift ? ~(uint64_t)0 >> (64 - shift) : 0;
    const divisor by = {shifted, n, reciprocal_of_word(shifted[n - 1])};
    size_t digits = 2 * words - n + 1;
    for (size_t i = words + 4; i-- > digits;) r[i] = 0;
    for (size_t i = digits; i-- > 0;) r[i] = divide_step(u + i, &by);
}

#endif
