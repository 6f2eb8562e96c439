/* The field of p = 2^64 - 2^32 + 1 elements and its extension by w^3 = 2. Elements are below p. */
#ifndef VERIFIER_FIELD_H
#define VERIFIER_FIELD_H

#include <stdint.h>

typedef uint64_t element;
typedef struct { element c[3]; } extension;

/* A product of two words. */
typedef struct { uint64_t high, low; } product;

/* Returns the lowest bits of a. Their number is a constant, 1 to 63. For a mask, the compiler would use a register. */
static inline __attribute__((always_inline)) uint64_t low_bits(uint64_t a, unsigned bits) {
#ifdef VERIFIER_GUEST
    uint64_t low;
    __asm__("slli %0,%1,%2\n\tsrli %0,%0,%2" : "=r"(low) : "r"(a), "i"(64 - bits));
    return low;
#else
    return a & ((1ull << bits) - 1);
#endif
}

#define MODULUS 0xffffffff00000001ull
#define EPSILON 0xffffffffull /* 2^64 mod p */
#define HALF 0x7fffffff80000001ull
#define COSET_SHIFT 7
#define TWO_ADICITY 32

static inline element element_add(element a, element b) {
    uint64_t sum = a + b;
    if (sum < a || sum >= MODULUS) sum += EPSILON;
    return sum;
}

static inline element element_subtract(element a, element b) {
    uint64_t rest = a - b;
    if (a < b) rest -= EPSILON;
    return rest;
}

static inline extension extension_of(element a) { return (extension){{a, 0, 0}}; }

/* A sum of cells times coefficients. refused becomes 1 if a cell is not below p. */
struct row_sum {
    extension total;
    uint64_t refused;
};

#ifdef VERIFIER_GUEST /* all products are calls of the machine */
#include "zkvm_calls.h"

static const extension extension_one = {{1, 0, 0}}, extension_minus_one = {{MODULUS - 1, 0, 0}};

/* sum += a b. */
static inline void add_product(extension *sum, const extension *a, const extension *b) {
    zkvm_fp3_multiply_add(sum->c, a->c, b->c);
}

static inline extension extension_add(extension a, extension b) {
    add_product(&a, &b, &extension_one);
    return a;
}

static inline extension extension_subtract(extension a, extension b) {
    add_product(&a, &b, &extension_minus_one);
    return a;
}

static inline extension extension_multiply(extension a, extension b) {
    extension product = {{0, 0, 0}};
    add_product(&product, &a, &b);
    return product;
}

static inline extension extension_scale(extension a, element b) { return extension_multiply(a, extension_of(b)); }

static inline element element_multiply(element a, element b) {
    return extension_multiply(extension_of(a), extension_of(b)).c[0];
}

/* The products of halves are below p. */
static inline product multiply_words(uint64_t a, uint64_t b) {
    extension halves = {{low_bits(a, 32), a >> 32, 0}};
    extension low = extension_scale(halves, low_bits(b, 32)), high = extension_scale(halves, b >> 32);
    uint64_t middle = low.c[1] + (low.c[0] >> 32), rest = high.c[0] + low_bits(middle, 32);
    return (product){high.c[1] + (middle >> 32) + (rest >> 32), (rest << 32) + low_bits(low.c[0], 32)};
}

/* Not 0 avoids the call for rows, and so the columns of its table, for a small proof. */
extern uint64_t row_calls_spared;
void row_add_spared(struct row_sum *s, const uint64_t cells[8], const extension coefficients[8]);

/* Adds eight cells times their coefficients. */
static inline void row_add(struct row_sum *s, const uint64_t cells[8], const extension coefficients[8]) {
    if (row_calls_spared) row_add_spared(s, cells, coefficients);
    else zkvm_call(ZKVM_CALL_FP3_ROW, s, cells, coefficients);
}
#else
static inline product multiply_words(uint64_t a, uint64_t b) {
    unsigned __int128 all = (unsigned __int128)a * b;
    return (product){(uint64_t)(all >> 64), (uint64_t)all};
}

/* Returns low + 2^64 high mod p: 2^64 is 2^32 - 1, and 2^96 is -1. */
static inline element element_reduce(uint64_t low, uint64_t high) {
    uint64_t top = high >> 32, middle = (high << 32) - (high & EPSILON);
    uint64_t a = low - top;
    a -= EPSILON & -(uint64_t)(low < top);
    uint64_t r = a + middle;
    r += EPSILON & -(uint64_t)(r < a);
    return r - (MODULUS & -(uint64_t)(r >= MODULUS));
}

static inline element element_multiply(element a, element b) {
    product ab = multiply_words(a, b);
    return element_reduce(ab.low, ab.high);
}

/* A sum of products, reduced once: fewer than 2^31 of them. */
typedef struct { uint64_t low, high, top; } sum;

static inline void sum_product(sum *s, uint64_t a, uint64_t b) {
    product ab = multiply_words(a, b);
    s->low += ab.low;
    ab.high += s->low < ab.low; /* at most 2^64 - 1 */
    s->high += ab.high;
    s->top += s->high < ab.high;
}

/* 2^128 is -2^32. */
static inline element sum_reduce(const sum *s) {
    return element_subtract(element_reduce(s->low, s->high), s->top << 32);
}

static inline extension extension_add(extension a, extension b) {
    return (extension){{element_add(a.c[0], b.c[0]), element_add(a.c[1], b.c[1]), element_add(a.c[2], b.c[2])}};
}

static inline extension extension_subtract(extension a, extension b) {
    return (extension){{element_subtract(a.c[0], b.c[0]), element_subtract(a.c[1], b.c[1]),
                        element_subtract(a.c[2], b.c[2])}};
}

static inline extension extension_scale(extension a, element b) {
    return (extension){{element_multiply(a.c[0], b), element_multiply(a.c[1], b), element_multiply(a.c[2], b)}};
}

static inline extension extension_multiply(extension a, extension b) {
    element twice1 = element_add(b.c[1], b.c[1]), twice2 = element_add(b.c[2], b.c[2]);
    sum s0 = {0}, s1 = {0}, s2 = {0};
    sum_product(&s0, a.c[0], b.c[0]), sum_product(&s0, a.c[1], twice2), sum_product(&s0, a.c[2], twice1);
    sum_product(&s1, a.c[0], b.c[1]), sum_product(&s1, a.c[1], b.c[0]), sum_product(&s1, a.c[2], twice2);
    sum_product(&s2, a.c[0], b.c[2]), sum_product(&s2, a.c[1], b.c[1]), sum_product(&s2, a.c[2], b.c[0]);
    return (extension){{sum_reduce(&s0), sum_reduce(&s1), sum_reduce(&s2)}};
}

static inline void add_product(extension *sum, const extension *a, const extension *b) {
    *sum = extension_add(*sum, extension_multiply(*a, *b));
}

static inline void row_add(struct row_sum *s, const uint64_t cells[8], const extension coefficients[8]) {
    sum s0 = {0}, s1 = {0}, s2 = {0};
    for (uint64_t i = 0; i < 8; i++) {
        sum_product(&s0, cells[i], coefficients[i].c[0]);
        sum_product(&s1, cells[i], coefficients[i].c[1]);
        sum_product(&s2, cells[i], coefficients[i].c[2]);
        if (cells[i] >= MODULUS) s->refused = 1;
    }
    s->total = extension_add(s->total, (extension){{sum_reduce(&s0), sum_reduce(&s1), sum_reduce(&s2)}});
}
#endif

static inline int extension_equal(extension a, extension b) {
    return a.c[0] == b.c[0] && a.c[1] == b.c[1] && a.c[2] == b.c[2];
}

static inline int extension_is_zero(extension a) { return a.c[0] == 0 && a.c[1] == 0 && a.c[2] == 0; }

/* Returns a + b w + c w^2 for three values in the extension: an extension column at a point of the extension. */
extension extension_join(const extension values[3]);

/* Return 1/a, or 0 for a = 0. */
element element_inverse(element a);
extension extension_inverse(extension a);

/* a^(2^log). */
extension extension_square_times(extension a, uint64_t log);

/* The root of unity of order 2^log, its inverse, and 2^-log. */
element root_of_unity(uint64_t log);
element root_inverse(uint64_t log);
element inverse_power_of_two(uint64_t log);

#endif
