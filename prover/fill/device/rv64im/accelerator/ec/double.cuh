// A call reads the curve's number and the point, which stands for both points of a sum.
DEVICE_NOINLINE bool solve(Sum &s, const u64 *read) {
    if (read[0] >= CURVES) return false;
    s.curve = static_cast<u32>(read[0]);
    load_point(s.x1, s.y1, read + 1), load_point(s.x2, s.y2, read + 1);
    const u64 *p = primes + WORDS * s.curve;
    if (!is_less(s.y1, p) || is_zero(s.y1)) return false;
    u64 above[WORDS], below[WORDS], x[WORDS];
    const u64 minus_coefficient[WORDS] = {coefficients[s.curve]};
    reduce(x, s.x1, p);
    multiply_mod(x, x, x, s.curve);
    add_mod(above, x, x, p), add_mod(above, above, x, p);
    subtract_mod(above, above, minus_coefficient, p);
    add_mod(below, s.y1, s.y1, p);
    sum_of(s, above, below);
    return true;
}

DEVICE bool compute(const u64 (&read)[1 + 2 * WORDS], u64 (&written)[2 * WORDS]) {
    Sum s;
    if (!solve(s, read)) return false;
    copy_number(written, s.x3), copy_number(written + WORDS, s.y3);
    return true;
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[1 + 2 * WORDS], const u64 (&)[2 * WORDS]) {
    Sum s;
    solve(s, read);
    put_sum<C>(row, s);
    put_less(row, C::y1Differs, C::y1Difference, s.y1, primes + WORDS * s.curve);
    u64 limbs = 0;
    NO_UNROLL for (u32 i = 0; i < LIMBS; i++) limbs += limb_32(s.y1, i);
    row.put(C::inverse, inverse_words(limbs));
    i64 steps[STEPS];
    i32 slope[DIGITS], x[DIGITS], y[DIGITS];
    clear_steps(steps);
    digits_of(slope, s.slope, DIGITS), digits_of(x, s.x1, DIGITS), digits_of(y, s.y1, DIGITS);
    add_product(steps, 2, slope, DIGITS, y, DIGITS), add_product(steps, -3, x, DIGITS, x, DIGITS);
    const u64 minus_coefficient[WORDS] = {coefficients[s.curve]};
    add_limbs(steps, 1, minus_coefficient);
    u64 wide[LONG], factor[LONG], r[LONG] = {}, square[LONG] = {};
    extend(wide, s.slope, false), extend(factor, s.y1, false);
    add_product_long(r, wide, factor), add_product_long(r, wide, factor);
    extend(factor, s.x1, false);
    add_product_long(square, factor, factor);
    NO_UNROLL for (u32 i = 0; i < 3; i++) {
        bool borrow = false;
        NO_UNROLL for (u32 k = 0; k < LONG; k++) r[k] = subtract_words(borrow, r[k], square[k]);
    }
    add_long(r, minus_coefficient);
    const Equation e = {C::slopeQuotient, C::slopeQuotientTop, C::slopeCarry, C::slopeTop, slope_offsets, slope_tops,
        -static_cast<i64>(LEAST_TOP)};
    put_equation(row, e, r, steps, s.curve);
}
