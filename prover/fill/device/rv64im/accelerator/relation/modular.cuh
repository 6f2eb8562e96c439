// Arithmetic modulo some primes, by their indices in the tables primes, squares and negated, and equations with a
// quotient by one of them.

// r = a - b mod p, for numbers below p.
DEVICE void subtract_mod(u64 *r, const u64 *a, const u64 *b, const u64 *p) {
    if (subtract_number(r, a, b)) add_number(r, r, p);
}

DEVICE void add_mod(u64 *r, const u64 *a, const u64 *b, const u64 *p) {
    u64 less[WORDS];
    const bool carry = add_number(r, a, b), below = subtract_number(less, r, p) && !carry;
    if (!below) copy_number(r, less);
}

// r = a mod p. A number is at most a few times p.
DEVICE void reduce(u64 *r, const u64 *a, const u64 *p) {
    copy_number(r, a);
    NO_UNROLL while (!is_less(r, p)) subtract_number(r, r, p);
}

// r = a b mod p.
DEVICE void multiply_mod(u64 *r, const u64 *a, const u64 *b, u32 prime) {
    u64 t[WORDS];
    montgomery(t, a, squares + WORDS * prime, primes + WORDS * prime, negated[prime]);
    montgomery(r, t, b, primes + WORDS * prime, negated[prime]);
}

// Numbers of LONG words, as two's complement.
constexpr u32 LONG = WORDS + 1;

DEVICE void extend(u64 *r, const u64 *a, bool negative) { copy_number(r, a), r[WORDS] = negative ? ~0ull : 0; }

// r += a b
DEVICE_NOINLINE void add_product_long(u64 *r, const u64 *a, const u64 *b) {
    NO_UNROLL for (u32 i = 0; i < LONG; i++) {
        u64 carry = 0;
        NO_UNROLL for (u32 j = 0; i + j < LONG; j++) r[i + j] = multiply_add_words(carry, a[i], b[j], r[i + j], carry);
    }
}

DEVICE void subtract_long(u64 *r, const u64 *a) {
    bool borrow = false;
    UNROLL for (u32 i = 0; i < LONG; i++) r[i] = subtract_words(borrow, r[i], i < WORDS ? a[i] : 0);
}

DEVICE void add_long(u64 *r, const u64 *a) {
    bool carry = false;
    UNROLL for (u32 i = 0; i < LONG; i++) r[i] = add_words(carry, r[i], i < WORDS ? a[i] : 0);
}

// r /= p, from the lowest word up. r must be a multiple of p.
DEVICE_NOINLINE void divide_exactly(u64 *r, const u64 *p, u64 negated_inverse) {
    NO_UNROLL for (u32 i = 0; i < LONG; i++) {
        const u64 digit = r[i] * (0 - negated_inverse);
        u64 carry = 0;
        bool borrow = false;
        NO_UNROLL for (u32 j = 0; i + j < LONG; j++) {
            const u64 product = multiply_add_words(carry, digit, j < WORDS ? p[j] : 0, carry, 0);
            r[i + j] = subtract_words(borrow, r[i + j], product);
        }
        r[i] = digit;
    }
}

// The columns of an equation's quotient and carries, and their encoding; least is the smallest highest digit of a
// quotient.
struct Equation {
    u32 quotient, top, carry, carry_top;  // columns
    const u64 *offsets, *tops;
    i64 least;
};

template <class R> DEVICE void put_equation(const R &row, const Equation &e, u64 *r, i64 *steps, u32 prime) {
    i32 digits[DIGITS + 1], p[DIGITS];
    divide_exactly(r, primes + WORDS * prime, negated[prime]);
    digits_of(digits, r, DIGITS), digits_of(p, primes + WORDS * prime, DIGITS);
    digits[DIGITS] = static_cast<i32>(r[WORDS]);
    add_product(steps, -1, digits, DIGITS + 1, p, DIGITS);
    put_digits(row, e.quotient, r, DIGITS), row.put(e.top, static_cast<u64>(static_cast<i64>(r[WORDS]) - e.least));
    put_carries(row, e.carry, e.carry_top, steps, e.offsets, e.tops);
}
