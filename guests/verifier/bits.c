/* Checks that a proof has 128 proven bits: every round of package prover/protocol/soundness (docs/spec/soundness.md)
 * has an error of at most 2^-128. Numbers are floating-point with 64 bits, rounded up if they bound an error. */
#include "internal.h"

#define PROVEN_BITS 128
#define MOST_ERROR 0xfffffffd00000005ull      /* p^3 / 2^128, rounded down: challenges that may fail a round */
#define MOST_MULTIPLICITY (1 << 20)           /* m: beyond it a query gains less than 2^-20 bits */

/* bits * 2^exponent, the highest bit set, or 0. */
typedef struct { uint64_t bits; int64_t exponent; } number;

/* (2^64 high + low) 2^exponent. Leading zeros are shifted out 32, 16, 8, 4, 2 and 1 at a time. */
static number normal(uint64_t high, uint64_t low, int64_t exponent) {
    if (high == 0 && low == 0) return (number){0, 0};
    if (high == 0) high = low, low = 0;
    else exponent += 64;
#define SHORTEN(zeros) \
    if (high >> (64 - (zeros)) == 0) { \
        high = (high << (zeros)) + (low >> (64 - (zeros))); \
        low <<= (zeros), exponent -= (zeros); \
    }
    SHORTEN(32) SHORTEN(16) SHORTEN(8) SHORTEN(4) SHORTEN(2) SHORTEN(1)
#undef SHORTEN
    if (low != 0 && ++high == 0) high = 1ull << 63, exponent++;
    return (number){high, exponent};
}

static number of(uint64_t n) { return normal(0, n, 0); }

static number times(number a, number b) {
    product bits = multiply_words(a.bits, b.bits);
    return normal(bits.high, bits.low, a.exponent + b.exponent);
}

static number shifted(number a, int64_t log) { return (number){a.bits, a.bits ? a.exponent + log : 0}; }

static number plus(number a, number b) {
    if (a.bits == 0) return b;
    if (b.bits == 0) return a;
    if (a.exponent < b.exponent) { number c = a; a = b, b = c; }
    uint64_t apart = (uint64_t)(a.exponent - b.exponent), low = 1;
    if (apart < 64) {
        low = b.bits >> apart;
        if (low << apart != b.bits) low++;
    }
    uint64_t sum = a.bits + low;
    return normal(sum < low, sum, a.exponent);
}

/* Returns a / b, rounded up, by long division. Both have their highest bits set. */
static number over(number a, number b) {
    uint64_t rest = a.bits, whole = 0, quotient = 0;
    if (rest >= b.bits) rest -= b.bits, whole = 1;
    for (int64_t i = 0; i < 64; i++) {
        uint64_t top = rest >> 63;
        rest <<= 1, quotient <<= 1;
        if (top || rest >= b.bits) rest -= b.bits, quotient++;
    }
    if (rest != 0 && ++quotient == 0) whole++;
    return normal(whole, quotient, a.exponent - b.exponent - 64);
}

static uint64_t divide(uint64_t a, uint64_t b) {
    uint64_t rest = 0, quotient = 0;
    for (int64_t i = 0; i < 64; i++) {
        rest = (rest << 1) + (a >> 63); /* divisors are below 2^63 */
        a <<= 1, quotient <<= 1;
        if (rest >= b) rest -= b, quotient++;
    }
    return quotient;
}

static int at_most(number a, number b) {
    if (a.bits == 0 || b.bits == 0) return a.bits == 0;
    return a.exponent < b.exponent || (a.exponent == b.exponent && a.bits <= b.bits);
}

static number power(number a, uint64_t exponent) {
    number result = of(1);
    for (; exponent; exponent /= 2, a = times(a, a))
        if (exponent & 1) result = times(result, a);
    return result;
}

/* Returns the square root of 2^64 n, rounded down. */
static uint64_t square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = 1ull << 63; bit > 0; bit >>= 1) {
        product square = multiply_words(root + bit, root + bit);
        if (square.high < n || (square.high == n && square.low == 0)) root += bit;
    }
    return root;
}

#define ROOT_OF_TWO 0xb504f333f9de6485ull /* sqrt(2) * 2^63, rounded up */

/* Returns 2^(halves/2), rounded up. */
static number half_power(int64_t halves) {
    int64_t whole = halves >> 1;
    return halves & 1 ? (number){ROOT_OF_TWO, whole - 63} : shifted(of(1), whole);
}

/* A choice of the agreement alpha: a multiplicity m, or unique decoding. */
struct regime {
    int64_t blowup;
    uint64_t m;
    number list; /* L, the size of a list of close codewords */
    int64_t sharp;   /* not 0: the bound of 2025 on the same set; 0: the bound of 2020 */
    int64_t largest;
};

/* Returns g(n), the number of challenges of a line that may hide a word far from the code, for 2^log points. */
static number gap(const struct regime *r, int64_t log) {
    if (r->m == 0) return shifted(of(1), log);
    /* In halves: t = (2m + 1)/2 or (4m + 1)/2; rho^-1/2 is 2^(blowup/2). */
    number t = shifted(of(r->sharp ? 4ull * r->m + 1 : 2ull * r->m + 1), -1);
    number scale = over(half_power(3 * r->blowup), of(3));
    if (r->sharp) { /* (2 t^5 + 3 t (1 - alpha) rho) / (3 rho^3/2) n + t / rho^1/2, with 1 - alpha at most 1 */
        number per_point = plus(shifted(power(t, 5), 1), shifted(times(of(3), t), -r->blowup));
        return plus(shifted(times(per_point, scale), log), times(t, half_power(r->blowup)));
    }
    number weights = times(shifted(times(t, half_power(r->blowup)), 1), plus(shifted(of(1), r->largest), of(1)));
    return plus(shifted(times(power(t, 7), scale), 2 * log), weights);
}

static int few(number failing) { return at_most(failing, (number){MOST_ERROR, 0}); }

uint64_t fractions_of(const struct verifier *v) {
    uint64_t fractions = 0;
    for (uint64_t i = 0; i < v->instance_count; i++)
        fractions += (uint64_t)table_of(v, i)->interactions << v->instances[i].log_height;
    return fractions;
}

/* Checks LogUp's challenges, of which L^P ((F - 1) d + F) may fail. */
static int logup_holds(const struct verifier *v, const struct regime *r) {
    const struct shared *s = &v->shared;
    uint64_t fractions = s->fractions + s->messages, arity = s->message_arity > 1 ? s->message_arity : 1;
    for (uint64_t i = 0; i < v->instance_count; i++)
        if (table_of(v, i)->arity > arity) arity = table_of(v, i)->arity;
    if (fractions == 0) return 1;
    return few(times(power(r->list, s->shards), plus(times(of(fractions - 1), of(arity)), of(fractions))));
}

/* Checks the constraint challenge and the out-of-domain point for every class. */
static int64_t classes_hold(const struct verifier *v, const struct regime *r) {
    for (uint64_t c = 0; c < v->class_count; c++) {
        uint64_t constraints = 0, degree = 3;
        for (uint64_t i = 0; i < v->instance_count; i++)
            if (v->instances[i].log_height == v->classes[c]) {
                const struct table *t = table_of(v, i);
                constraints += t->constraints + t->batches;
                if (t->degree > degree) degree = t->degree;
            }
        if (constraints >= 2 && !few(times(r->list, of(constraints - 1)))) return 0;
        if (!few(times(r->list, plus(shifted(of(degree), v->classes[c]), of(2))))) return 0;
    }
    return 1;
}

static int64_t folds_hold(const struct verifier *v, const struct regime *r) {
    number batching = of(0);
    uint64_t size = v->largest, next = 1;
    for (uint64_t c = 0; c < v->class_count; c++)
        batching = plus(batching, plus(gap(r, v->classes[c] + r->blowup), of(1)));
    if (!few(batching)) return 0;
    for (uint64_t i = 0; i < v->folds; i++) {
        uint64_t degree = (1ull << v->schedule[i]) - 1;
        size -= v->schedule[i];
        if (next < v->class_count && v->classes[next] + (uint64_t)r->blowup == size) degree++, next++;
        if (!few(times(of(degree), gap(r, (int64_t)size)))) return 0;
    }
    return 1;
}

static int regime_holds(const struct verifier *v, const struct regime *r) {
    return logup_holds(v, r) && classes_hold(v, r) && folds_hold(v, r);
}

/* Reports whether alpha^queries 2^-grinding is at most 2^-128. */
static int64_t queries_hold(const struct verifier *v, number alpha) {
    number error = shifted(power(alpha, (uint64_t)v->shared.parameters.queries), -v->shared.parameters.grinding);
    return at_most(error, shifted(of(1), -PROVEN_BITS));
}

/* alpha = (1 + rho+) / 2, rho+ = rho (1 + 2^(1-h)) for the smallest class. */
static int unique_holds(const struct verifier *v) {
    int64_t blowup = v->shared.parameters.blowup, h = v->classes[v->class_count - 1];
    struct regime r = {.blowup = blowup, .list = of(1), .largest = (int64_t)v->largest};
    number rate = plus(shifted(of(1), -blowup), shifted(of(1), 1 - h - blowup));
    number alpha = shifted(plus(of(1), rate), -1);
    return at_most(alpha, of(1)) && !at_most(of(1), alpha) && queries_hold(v, alpha) && regime_holds(v, &r);
}

/* alpha = rho^1/2 (1 + 1/(2m)). */
static number johnson_alpha(int64_t blowup, uint64_t m) {
    return times(half_power(-blowup), over(of(2 * m + 1), of(2 * m)));
}

/* The list's size at the rate rho+ of the smallest class: (max(3, ceil(rho+^1/2 / (2 eta))) + 1/2) / rho+^1/2 with eta
 * = alpha - rho+^1/2; 0 if eta is not above 0. In units of rho^1/2 and 2^62. */
static number johnson_list(const struct verifier *v, uint64_t m) {
    int64_t blowup = v->shared.parameters.blowup, h = v->classes[v->class_count - 1];
    uint64_t one = 1ull << 60; /* with 64 zeros behind it, the square of 2^62 */
    uint64_t root = square_root(one + (h >= 1 ? one >> (h - 1) : one << 1)), above = root + 1;
    uint64_t alpha = (1ull << 62) + divide(1ull << 62, 2 * m); /* rounded down: a smaller eta makes longer lists */
    if (alpha <= above) return of(0);
    uint64_t twice = 2 * (alpha - above), multiplicity = divide(above + twice - 1, twice); /* rounded up */
    if (multiplicity < 3) multiplicity = 3;
    number halves = shifted(of(2 * multiplicity + 1), -1);
    return times(over(shifted(halves, 62), of(root)), half_power(blowup));
}

/* The queries improve with m and all other rounds get worse: the least m whose queries hold decides. */
static int johnson_holds(const struct verifier *v) {
    int64_t blowup = v->shared.parameters.blowup;
    uint64_t low = 3, high = MOST_MULTIPLICITY;
    if (johnson_list(v, 3).bits == 0) return 0;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        number alpha = johnson_alpha(blowup, middle);
        if (!at_most(of(1), alpha) && queries_hold(v, alpha)) high = middle;
        else low = middle + 1;
    }
    number alpha = johnson_alpha(blowup, low);
    if (at_most(of(1), alpha) || !queries_hold(v, alpha)) return 0;
    struct regime r = {blowup, low, johnson_list(v, low), 1, (int64_t)v->largest};
    if (r.list.bits == 0) return 0;
    if (regime_holds(v, &r)) return 1;
    r.sharp = 0;
    return regime_holds(v, &r);
}

int has_proven_bits(const struct verifier *v) { return unique_holds(v) || johnson_holds(v); }
