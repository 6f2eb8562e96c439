// The sum of two points, or the double of one, on a device.

struct Sum {
    u64 x1[WORDS], y1[WORDS], x2[WORDS], y2[WORDS], x3[WORDS], y3[WORDS], slope[WORDS];
    u32 curve;
};

DEVICE void load_point(u64 *x, u64 *y, const u64 *words) { copy_number(x, words), copy_number(y, words + WORDS); }

// The slope above/below, and the point that follows from it. Both are below p, and below is not 0.
DEVICE void sum_of(Sum &s, const u64 *above, const u64 *below) {
    const u64 *p = primes + WORDS * s.curve, n = negated[s.curve];
    u64 t[WORDS], x[WORDS];
    montgomery(t, below, squares + WORDS * s.curve, p, n);
    montgomery_power(t, t, exponents + WORDS * s.curve, p, n);
    montgomery(s.slope, above, t, p, n);
    multiply_mod(t, s.slope, s.slope, s.curve);
    reduce(x, s.x2, p), subtract_mod(t, t, x, p);
    reduce(x, s.x1, p), subtract_mod(s.x3, t, x, p);
    subtract_mod(t, x, s.x3, p);
    multiply_mod(t, s.slope, t, s.curve);
    reduce(x, s.y1, p), subtract_mod(s.y3, t, x, p);
}

// The equations for x3 and y3.
template <class C, class R> DEVICE void put_sum(const R &row, const Sum &s) {
    i64 steps[STEPS];
    i32 slope[DIGITS], a[DIGITS];
    u64 wide[LONG], factor[LONG], r[LONG] = {};
    const u64 *p = primes + WORDS * s.curve;
    put_curve<C>(row, s.curve);
    put_halves(row, C::x1, s.x1), put_halves(row, C::y1, s.y1), put_halves(row, C::x3, s.x3);
    put_halves(row, C::y3, s.y3), put_digits(row, C::slope, s.slope, DIGITS);
    put_less(row, C::x3Differs, C::x3Difference, s.x3, p), put_less(row, C::y3Differs, C::y3Difference, s.y3, p);
    digits_of(slope, s.slope, DIGITS);

    extend(wide, s.slope, false);
    add_product_long(r, wide, wide);
    subtract_long(r, s.x1), subtract_long(r, s.x2), subtract_long(r, s.x3);
    clear_steps(steps);
    add_product(steps, 1, slope, DIGITS, slope, DIGITS);
    add_limbs(steps, -1, s.x1), add_limbs(steps, -1, s.x2), add_limbs(steps, -1, s.x3);
    const Equation x = {C::x3Quotient, C::x3QuotientTop, C::x3Carry, C::x3Top, x_offsets, x_tops, -1};
    put_equation(row, x, r, steps, s.curve);

    const bool borrow = subtract_number(factor, s.x1, s.x3);
    extend(factor, factor, borrow);
    NO_UNROLL for (u32 i = 0; i < LONG; i++) r[i] = 0;
    add_product_long(r, wide, factor);
    subtract_long(r, s.y1), subtract_long(r, s.y3);
    clear_steps(steps);
    NO_UNROLL for (u32 i = 0; i < DIGITS; i++)
        a[i] = static_cast<i32>(digit_16(s.x1, i)) - static_cast<i32>(digit_16(s.x3, i));
    add_product(steps, 1, slope, DIGITS, a, DIGITS);
    add_limbs(steps, -1, s.y1), add_limbs(steps, -1, s.y3);
    const Equation y = {C::y3Quotient, C::y3QuotientTop, C::y3Carry, C::y3Top, y_offsets, y_tops, -1};
    put_equation(row, y, r, steps, s.curve);
}
