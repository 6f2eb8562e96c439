// A call of arithmetic modulo a number on a device. It reads the modulus n, the operation, y, z and x.

// The numbers of a call, and the solution of its equation.
struct Solution {
    u64 n[WORDS], y[WORDS], z[WORDS], x[WORDS], a[WORDS], b[WORDS], quotient[2 * WORDS], result[WORDS];
    u64 operation;
    u32 prime;  // of a root, else PRIMES
    bool minus;
};

DEVICE bool is_equal(const u64 *a, const u64 *b) {
    u64 different = 0;
    UNROLL for (u32 i = 0; i < WORDS; i++) different |= a[i] ^ b[i];
    return different == 0;
}

// Whether a number is below 2^64.
DEVICE bool is_word(const u64 *a) {
    u64 above = 0;
    UNROLL for (u32 i = 1; i < WORDS; i++) above |= a[i];
    return above == 0;
}

// product = x y + z
DEVICE_NOINLINE void multiply_wide(u64 *product, const u64 *x, const u64 *y, const u64 *z) {
    NO_UNROLL for (u32 i = 0; i < 2 * WORDS; i++) product[i] = i < WORDS ? z[i] : 0;
    NO_UNROLL for (u32 i = 0; i < WORDS; i++) {
        u64 carry = 0;
        UNROLL for (u32 j = 0; j < WORDS; j++)
            product[i + j] = multiply_add_words(carry, x[i], y[j], product[i + j], carry);
        product[i + WORDS] = carry;  // nothing was there: z has WORDS words, and earlier products end below
    }
}

// Long division, one bit at a time: the dividend moves up into the remainder, and the quotient's bits replace it.
DEVICE_NOINLINE void divide_wide(u64 *quotient, u64 *remainder, const u64 *n) {
    UNROLL for (u32 i = 0; i < WORDS; i++) remainder[i] = 0;
    NO_UNROLL for (u32 bit = 0; bit < 2 * BITS; bit++) {
        const bool beyond = remainder[WORDS - 1] >> 63 != 0;
        UNROLL for (u32 i = WORDS - 1; i > 0; i--) remainder[i] = remainder[i] << 1 | remainder[i - 1] >> 63;
        remainder[0] = remainder[0] << 1 | quotient[2 * WORDS - 1] >> 63;
        UNROLL for (u32 i = 2 * WORDS - 1; i > 0; i--) quotient[i] = quotient[i] << 1 | quotient[i - 1] >> 63;
        quotient[0] <<= 1;
        u64 less[WORDS];
        if (subtract_number(less, remainder, n) && !beyond) continue;
        copy_number(remainder, less);
        quotient[0] |= 1;
    }
}

DEVICE u32 length_of(const u64 *a) {
    u32 length = 0;
    NO_UNROLL for (u32 i = 0; i < LIMBS; i++)
        if (limb_32(a, i) != 0) length = 32 * (i + 1) - static_cast<u32>(__clz(static_cast<i32>(limb_32(a, i))));
    return length;
}

// r = a 2^k, which fits.
DEVICE void shift_number(u64 *r, const u64 *a, u32 k) {
    const u32 words = k / 64, bits = k % 64;
    NO_UNROLL for (u32 above = 0; above < WORDS; above++) {
        const u32 i = WORDS - 1 - above;
        u64 v = i >= words ? a[i - words] << bits : 0;
        if (bits != 0 && i > words) v |= a[i - words - 1] >> (64 - bits);
        r[i] = v;
    }
}

// r = 1/x mod n by the extended Euclidean algorithm, which divides by shifting and subtracting. Each remainder is its
// cofactor times x modulo n. The signs of cofactors alternate, so only their magnitudes are kept, which are at most n.
// Returns false if there is no inverse.
DEVICE_NOINLINE bool invert(u64 *r, const u64 *x, const u64 *n) {
    u64 rests[2][WORDS], cofactors[2][WORDS] = {{}, {1}};
    copy_number(rests[0], n), copy_number(rests[1], x);
    u32 of = 0;            // which rest is divided
    bool negative = true;  // its cofactor
    NO_UNROLL while (!is_zero(rests[1 - of])) {
        u64 *dividend = rests[of];
        const u64 *divisor = rests[1 - of];
        if (is_less(dividend, divisor)) {
            of = 1 - of, negative = !negative;
            continue;
        }
        u64 shifted[WORDS];
        u32 by = length_of(dividend) - length_of(divisor);
        shift_number(shifted, divisor, by);
        if (is_less(dividend, shifted)) shift_number(shifted, divisor, --by);
        subtract_number(dividend, dividend, shifted);
        shift_number(shifted, cofactors[1 - of], by);
        add_number(cofactors[of], cofactors[of], shifted);
    }
    const u64 *rest = rests[of];
    if (rest[0] != 1 || !is_word(rest)) return false;
    if (negative) subtract_number(r, n, cofactors[of]);
    else copy_number(r, cofactors[of]);
    return true;
}

// The root of x or -x modulo a prime: the even one.
DEVICE void root_of(Solution &s) {
    const u64 *n = s.n, one[WORDS] = {1};
    u64 t[WORDS];
    montgomery(t, s.x, squares + WORDS * s.prime, n, negated[s.prime]);
    montgomery_power(t, t, exponents + WORDS * s.prime, n, negated[s.prime]);
    montgomery(s.result, t, one, n, negated[s.prime]);
    if ((s.result[0] & 1) != 0) subtract_number(s.result, n, s.result);
    montgomery(t, t, t, n, negated[s.prime]);  // the square times R, and x times R
    u64 x[WORDS];
    montgomery(x, s.x, squares + WORDS * s.prime, n, negated[s.prime]);
    s.minus = !is_equal(t, x);
}

// The quotient q: the number that the equation equates with q n, divided by n.
DEVICE void quotient_of(Solution &s) {
    u64 c[WORDS] = {}, rest[WORDS];
    if (s.operation == MULTIPLY) copy_number(c, s.z);
    if (s.operation == ROOT && s.minus) copy_number(c, s.x);
    multiply_wide(s.quotient, s.a, s.b, c);
    bool carry = false, borrow = false;
    if (s.operation == ROOT && !s.minus) {  // + ENOUGH n - x
        u64 product[2 * WORDS], many[WORDS] = {ENOUGH}, zero[WORDS] = {};
        multiply_wide(product, s.n, many, zero);
        NO_UNROLL for (u32 i = 0; i < 2 * WORDS; i++) s.quotient[i] = add_words(carry, s.quotient[i], product[i]);
        NO_UNROLL for (u32 i = 0; i < 2 * WORDS; i++)
            s.quotient[i] = subtract_words(borrow, s.quotient[i], i < WORDS ? s.x[i] : 0);
    }
    divide_wide(s.quotient, rest, s.n);  // an inverse leaves the remainder 1
    if (s.operation == MULTIPLY) copy_number(s.result, rest);
}

DEVICE_NOINLINE bool solve(Solution &s, const u64 *read) {
    UNROLL for (u32 i = 0; i < WORDS; i++)
        s.n[i] = read[i], s.y[i] = read[WORDS + 1 + i], s.z[i] = read[2 * WORDS + 1 + i],
        s.x[i] = read[3 * WORDS + 1 + i];
    s.operation = read[WORDS], s.prime = PRIMES, s.minus = false;
    const bool below_two = s.n[0] < 2 && is_word(s.n);
    if (s.operation > ROOT || is_zero(s.n) || (s.operation == INVERSE && below_two)) return false;
    copy_number(s.a, s.x), copy_number(s.b, s.y);
    if (s.operation == INVERSE) {
        if (!invert(s.result, s.x, s.n)) return false;
        copy_number(s.a, s.result), copy_number(s.b, s.x);
    }
    if (s.operation == ROOT) {
        NO_UNROLL for (u32 i = 0; i < PRIMES; i++)
            if (is_equal(primes + WORDS * i, s.n)) s.prime = i;
        if (s.prime == PRIMES) return false;
        root_of(s);
        copy_number(s.a, s.result), copy_number(s.b, s.result);
    }
    quotient_of(s);
    return true;
}

DEVICE bool compute(const u64 (&read)[4 * WORDS + 1], u64 (&written)[WORDS]) {
    Solution s;
    if (!solve(s, read)) return false;
    copy_number(written, s.result);
    return true;
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[4 * WORDS + 1], const u64 (&)[WORDS]) {
    Solution s;
    solve(s, read);
    row.put(C::inverse, s.operation == INVERSE), row.put(C::minus, s.minus);
    NO_UNROLL for (u32 i = 0; i < PRIMES; i++) row.put(C::root + i, i == s.prime);
    put_digits(row, C::a, s.a, DIGITS), put_digits(row, C::b, s.b, DIGITS);
    put_digits(row, C::q, s.quotient, 2 * DIGITS);
    put_halves(row, C::n, s.n), put_halves(row, C::result, s.result);
    i64 steps[STEPS];
    i32 a[2 * DIGITS], b[DIGITS];
    clear_steps(steps);
    digits_of(a, s.a, DIGITS), digits_of(b, s.b, DIGITS);
    add_product(steps, 1, a, DIGITS, b, DIGITS);
    digits_of(a, s.quotient, 2 * DIGITS), digits_of(b, s.n, DIGITS);
    add_product(steps, -1, a, 2 * DIGITS, b, DIGITS);
    if (s.operation == MULTIPLY) {
        add_limbs(steps, 1, s.z), add_limbs(steps, -1, s.result);
    } else if (s.operation == INVERSE) {
        steps[0] -= 1;
    } else if (s.minus) {
        add_limbs(steps, 1, s.x);
    } else {
        add_limbs(steps, -1, s.x), add_limbs(steps, ENOUGH, s.n);
    }
    put_carries(row, C::resultCarry, C::resultTop, steps, result_offsets, result_tops);
    put_less(row, C::resultDiffers, C::resultDifference, s.result, s.n);
}
