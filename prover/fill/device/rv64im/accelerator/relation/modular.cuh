// Arithmetic modulo some primes, by their indices in the tables primes, squares and negated, and equations with a
// quotient by one of them.

// r = a - b mod p, for numbers below p.
DEVICE void subtract_mod(u64 *r, const u64 *a, const u64 *b, const u64 *p) {
    if (subtract_256(r, a, b)) add_256(r, r, p);
}

DEVICE void add_mod(u64 *r, const u64 *a, const u64 *b, const u64 *p) {
    u64 less[4];
    const bool carry = add_256(r, a, b), below = subtract_256(less, r, p) && !carry;
    if (!below) copy_256(r, less);
}

// r = a mod p. At most five times p is in a number of 256 bits.
DEVICE void reduce(u64 *r, const u64 *a, const u64 *p) {
    copy_256(r, a);
    NO_UNROLL while (!is_less_256(r, p)) subtract_256(r, r, p);
}

// r = a b mod p.
DEVICE void multiply_mod(u64 *r, const u64 *a, const u64 *b, u32 prime) {
    u64 t[4];
    montgomery(t, a, squares + 4 * prime, primes + 4 * prime, negated[prime]);
    montgomery(r, t, b, primes + 4 * prime, negated[prime]);
}

// Numbers modulo 2^320, as two's complement.
DEVICE void extend(u64 *r, const u64 *a, bool negative) { copy_256(r, a), r[4] = negative ? ~0ull : 0; }

// r += a b
DEVICE_NOINLINE void add_product_320(u64 *r, const u64 *a, const u64 *b) {
    NO_UNROLL for (u32 i = 0; i < 5; i++) {
        u64 carry = 0;
        NO_UNROLL for (u32 j = 0; i + j < 5; j++) r[i + j] = multiply_add_words(carry, a[i], b[j], r[i + j], carry);
    }
}

DEVICE void subtract_320(u64 *r, const u64 *a) {
    bool borrow = false;
    UNROLL for (u32 i = 0; i < 5; i++) r[i] = subtract_words(borrow, r[i], i < 4 ? a[i] : 0);
}

DEVICE void add_320(u64 *r, const u64 *a) {
    bool carry = false;
    UNROLL for (u32 i = 0; i < 5; i++) r[i] = add_words(carry, r[i], i < 4 ? a[i] : 0);
}

// r /= p, which it is a multiple of: from the lowest word up.
DEVICE_NOINLINE void divide_exactly(u64 *r, const u64 *p, u64 negated_inverse) {
    NO_UNROLL for (u32 i = 0; i < 5; i++) {
        const u64 digit = r[i] * (0 - negated_inverse);
        u64 carry = 0;
        bool borrow = false;
        NO_UNROLL for (u32 j = 0; i + j < 5; j++) {
            const u64 product = multiply_add_words(carry, digit, j < 4 ? p[j] : 0, carry, 0);
            r[i + j] = subtract_words(borrow, r[i + j], product);
        }
        r[i] = digit;
    }
}

// An equation's quotient, of what r is a multiple, and its carries.
struct Equation {
    u32 quotient, top, carry, carry_top;  // columns
    const u64 *offsets, *tops;
    i64 least;
};

template <class R> DEVICE void put_equation(const R &row, const Equation &e, u64 *r, i64 *steps, u32 prime) {
    i32 digits[17], p[16];
    divide_exactly(r, primes + 4 * prime, negated[prime]);
    digits_of(digits, r, 16), digits_of(p, primes + 4 * prime, 16);
    digits[16] = static_cast<i32>(r[4]);
    add_product(steps, -1, digits, 17, p, 16);
    put_digits(row, e.quotient, r, 16), row.put(e.top, static_cast<u64>(static_cast<i64>(r[4]) - e.least));
    put_carries(row, e.carry, e.carry_top, steps, e.offsets, e.tops);
}
