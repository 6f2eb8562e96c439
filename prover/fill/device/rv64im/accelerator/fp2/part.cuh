// The equation of a part of an element of a quadratic field on a device, and what both kinds of calls write.

// Adds sign x factor to an equation's steps and to r.
DEVICE void add_part(i64 *steps, u64 *r, i64 sign, const u64 *x, const u64 *factor) {
    i32 a[DIGITS], b[DIGITS];
    u64 wide[LONG], product[LONG] = {};
    bool carry = false;
    digits_of(a, x, DIGITS), digits_of(b, factor, DIGITS);
    add_product(steps, sign, a, DIGITS, b, DIGITS);
    extend(wide, x, false);
    add_product_long(product, wide, factor);
    NO_UNROLL for (u32 i = 0; i < LONG; i++)
        r[i] = sign > 0 ? add_words(carry, r[i], product[i]) : subtract_words(carry, r[i], product[i]);
}

// The equation of a part: x is multiplied by the element with parts same and other, and sign times v is added.
template <class R>
DEVICE void put_part(const R &row, const Equation &e, u32 less, u32 difference, u32 part, const u64 *x, const u64 *same,
    const u64 *other, i64 sign, const u64 *v, const u64 *result) {
    u64 factor[LONG], r[LONG] = {};
    i64 steps[STEPS];
    clear_steps(steps);
    extend(factor, same, false);
    add_part(steps, r, 1, x, factor);
    extend(factor, other, false);
    add_part(steps, r, part == 0 ? -1 : 1, x + WORDS, factor);
    if (sign != 0) add_limbs(steps, sign, v);
    if (sign > 0) add_long(r, v);
    if (sign < 0) subtract_long(r, v);
    add_limbs(steps, -1, result), subtract_long(r, result);
    put_equation(row, e, r, steps, 0);
    put_less(row, less, difference, result, primes);
}

// The columns of a call whose result is x factor + sign v.
template <class C, class R>
DEVICE void put_element(const R &row, const u64 *x, const u64 *y, const u64 *factor, i64 sign, const u64 *v,
    const u64 *result) {
    put_halves(row, C::x0, x), put_halves(row, C::x1, x + WORDS);
    put_halves(row, C::y0, y), put_halves(row, C::y1, y + WORDS);
    put_halves(row, C::real, result), put_halves(row, C::imaginary, result + WORDS);
    const i64 least = -static_cast<i64>(LEAST_TOP);
    const Equation real = {C::realQuotient, C::realQuotient + DIGITS, C::realCarry, C::realTop, real_offsets, real_tops,
        least};
    const Equation imaginary = {C::imaginaryQuotient, C::imaginaryQuotient + DIGITS, C::imaginaryCarry, C::imaginaryTop,
        imaginary_offsets, imaginary_tops, least};
    put_part(row, real, C::realDiffers, C::realDifference, 0, x, factor, factor + WORDS, sign, v, result);
    put_part(row, imaginary, C::imaginaryDiffers, C::imaginaryDifference, 1, x, factor + WORDS, factor, sign, v + WORDS,
        result + WORDS);
}

// result = x y
DEVICE_NOINLINE void multiply(u64 *result, const u64 *x, const u64 *y) {
    u64 a[WORDS], b[WORDS];
    NO_UNROLL for (u32 part = 0; part < 2; part++) {
        multiply_mod(a, x, y + WORDS * part, 0);
        multiply_mod(b, x + WORDS, y + WORDS * (1 - part), 0);
        if (part == 0) subtract_mod(result, a, b, primes);
        else add_mod(result + WORDS, a, b, primes);
    }
}
