// A call of arithmetic modulo 256 bits on a device. It reads the modulus n, the operation, y, z and x.

// Numbers of a call, and what satisfies its equation.
struct Solution {
    u64 n[4], y[4], z[4], x[4], a[4], b[4], quotient[8], result[4];
    u64 operation;
    u32 prime;  // of a root, else PRIMES
    bool minus;
};

// product = x y + z
DEVICE_NOINLINE void multiply_512(u64 *product, const u64 *x, const u64 *y, const u64 *z) {
    NO_UNROLL for (u32 i = 0; i < 8; i++) product[i] = i < 4 ? z[i] : 0;
    NO_UNROLL for (u32 i = 0; i < 4; i++) {
        u64 carry = 0;
        UNROLL for (u32 j = 0; j < 4; j++)
            product[i + j] = multiply_add_words(carry, x[i], y[j], product[i + j], carry);
        product[i + 4] = carry;  // nothing was there: z has four words, and earlier products end below
    }
}

// Long division, a bit at a time: what is divided moves up into the remainder, and the quotient's bits take its place.
DEVICE_NOINLINE void divide_512(u64 *quotient, u64 *remainder, const u64 *n) {
    UNROLL for (u32 i = 0; i < 4; i++) remainder[i] = 0;
    NO_UNROLL for (u32 bit = 0; bit < 512; bit++) {
        const bool beyond = remainder[3] >> 63 != 0;
        UNROLL for (u32 i = 3; i > 0; i--) remainder[i] = remainder[i] << 1 | remainder[i - 1] >> 63;
        remainder[0] = remainder[0] << 1 | quotient[7] >> 63;
        UNROLL for (u32 i = 7; i > 0; i--) quotient[i] = quotient[i] << 1 | quotient[i - 1] >> 63;
        quotient[0] <<= 1;
        u64 less[4];
        if (subtract_256(less, remainder, n) && !beyond) continue;
        copy_256(remainder, less);
        quotient[0] |= 1;
    }
}

DEVICE u32 length_of(const u64 *a) {
    u32 length = 0;
    NO_UNROLL for (u32 i = 0; i < 8; i++)
        if (limb_32(a, i) != 0) length = 32 * (i + 1) - static_cast<u32>(__clz(static_cast<i32>(limb_32(a, i))));
    return length;
}

// r = a 2^k, of which nothing is beyond 256 bits.
DEVICE void shift_256(u64 *r, const u64 *a, u32 k) {
    const u32 words = k / 64, bits = k % 64;
    NO_UNROLL for (u32 above = 0; above < 4; above++) {
        const u32 i = 3 - above;
        u64 v = i >= words ? a[i - words] << bits : 0;
        if (bits != 0 && i > words) v |= a[i - words - 1] >> (64 - bits);
        r[i] = v;
    }
}

// r = 1/x mod n by Euclid, with divisions by subtracting what is shifted. Each rest is a multiple of x modulo n, by its
// cofactor, whose signs alternate: cofactors are magnitudes, at most n. False where there is no inverse.
DEVICE_NOINLINE bool invert_256(u64 *r, const u64 *x, const u64 *n) {
    u64 rests[2][4], cofactors[2][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}};
    copy_256(rests[0], n), copy_256(rests[1], x);
    u32 of = 0;            // which rest is divided
    bool negative = true;  // its cofactor
    NO_UNROLL while (!is_zero_256(rests[1 - of])) {
        u64 *dividend = rests[of];
        const u64 *divisor = rests[1 - of];
        if (is_less_256(dividend, divisor)) {
            of = 1 - of, negative = !negative;
            continue;
        }
        u64 shifted[4];
        u32 by = length_of(dividend) - length_of(divisor);
        shift_256(shifted, divisor, by);
        if (is_less_256(dividend, shifted)) shift_256(shifted, divisor, --by);
        subtract_256(dividend, dividend, shifted);
        shift_256(shifted, cofactors[1 - of], by);
        add_256(cofactors[of], cofactors[of], shifted);
    }
    const u64 *rest = rests[of];
    if (rest[0] != 1 || (rest[1] | rest[2] | rest[3]) != 0) return false;
    if (negative) subtract_256(r, n, cofactors[of]);
    else copy_256(r, cofactors[of]);
    return true;
}

// The root of x or -x modulo a prime: the even one.
DEVICE void root_of(Solution &s) {
    const u64 *n = s.n, one[4] = {1, 0, 0, 0};
    u64 t[4];
    montgomery(t, s.x, squares + 4 * s.prime, n, negated[s.prime]);
    montgomery_power(t, t, exponents + 4 * s.prime, n, negated[s.prime]);
    montgomery(s.result, t, one, n, negated[s.prime]);
    if ((s.result[0] & 1) != 0) subtract_256(s.result, n, s.result);
    montgomery(t, t, t, n, negated[s.prime]);  // the square times 2^256, and x times 2^256
    u64 x[4];
    montgomery(x, s.x, squares + 4 * s.prime, n, negated[s.prime]);
    s.minus = t[0] != x[0] || t[1] != x[1] || t[2] != x[2] || t[3] != x[3];
}

// The quotient of what the equation says is q n.
DEVICE void quotient_of(Solution &s) {
    u64 c[4] = {0, 0, 0, 0}, rest[4];
    if (s.operation == MULTIPLY) copy_256(c, s.z);
    if (s.operation == ROOT && s.minus) copy_256(c, s.x);
    multiply_512(s.quotient, s.a, s.b, c);
    bool carry = false, borrow = false;
    if (s.operation == ROOT && !s.minus) {  // + ENOUGH n - x
        u64 product[8], many[4] = {ENOUGH, 0, 0, 0}, zero[4] = {0, 0, 0, 0};
        multiply_512(product, s.n, many, zero);
        NO_UNROLL for (u32 i = 0; i < 8; i++) s.quotient[i] = add_words(carry, s.quotient[i], product[i]);
        NO_UNROLL for (u32 i = 0; i < 8; i++) s.quotient[i] = subtract_words(borrow, s.quotient[i], i < 4 ? s.x[i] : 0);
    }
    divide_512(s.quotient, rest, s.n);  // which an inverse leaves 1 of
    if (s.operation == MULTIPLY) copy_256(s.result, rest);
}

DEVICE_NOINLINE bool solve(Solution &s, const u64 *read) {
    UNROLL for (u32 i = 0; i < 4; i++)
        s.n[i] = read[i], s.y[i] = read[5 + i], s.z[i] = read[9 + i], s.x[i] = read[13 + i];
    s.operation = read[4], s.prime = PRIMES, s.minus = false;
    const bool below_two = s.n[0] < 2 && (s.n[1] | s.n[2] | s.n[3]) == 0;
    if (s.operation > ROOT || is_zero_256(s.n) || (s.operation == INVERSE && below_two)) return false;
    copy_256(s.a, s.x), copy_256(s.b, s.y);
    if (s.operation == INVERSE) {
        if (!invert_256(s.result, s.x, s.n)) return false;
        copy_256(s.a, s.result), copy_256(s.b, s.x);
    }
    if (s.operation == ROOT) {
        NO_UNROLL for (u32 i = 0; i < PRIMES; i++) {
            const u64 *p = primes + 4 * i;
            if (((p[0] ^ s.n[0]) | (p[1] ^ s.n[1]) | (p[2] ^ s.n[2]) | (p[3] ^ s.n[3])) == 0) s.prime = i;
        }
        if (s.prime == PRIMES) return false;
        root_of(s);
        copy_256(s.a, s.result), copy_256(s.b, s.result);
    }
    quotient_of(s);
    return true;
}

DEVICE bool compute(const u64 (&read)[17], u64 (&written)[4]) {
    Solution s;
    if (!solve(s, read)) return false;
    copy_256(written, s.result);
    return true;
}

template <class C, class R> DEVICE void own_columns(const R &row, const u64 (&read)[17], const u64 (&)[4]) {
    Solution s;
    solve(s, read);
    row.put(C::inverse, s.operation == INVERSE), row.put(C::minus, s.minus);
    NO_UNROLL for (u32 i = 0; i < PRIMES; i++) row.put(C::root + i, i == s.prime);
    put_digits(row, C::a, s.a, 16), put_digits(row, C::b, s.b, 16), put_digits(row, C::q, s.quotient, 32);
    put_halves(row, C::n, s.n), put_halves(row, C::result, s.result);
    i64 steps[16];
    i32 a[32], b[16];
    clear_steps(steps);
    digits_of(a, s.a, 16), digits_of(b, s.b, 16);
    add_product(steps, 1, a, 16, b, 16);
    digits_of(a, s.quotient, 32), digits_of(b, s.n, 16);
    add_product(steps, -1, a, 32, b, 16);
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
