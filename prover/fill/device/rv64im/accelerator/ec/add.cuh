// A call reads the curve's number, then the second point, then the first.
DEVICE_NOINLINE bool solve(Sum &s, const u64 *read) {
    if (read[0] >= CURVES) return false;
    s.curve = static_cast<u32>(read[0]);
    load_point(s.x2, s.y2, read + 1), load_point(s.x1, s.y1, read + 1 + 2 * WORDS);
    const u64 *p = primes + WORDS * s.curve;
    u64 above[WORDS], below[WORDS], y[WORDS];
    if (!is_less(s.x1, p) || !is_less(s.x2, p)) return false;
    subtract_mod(below, s.x2, s.x1, p);
    if (is_zero(below)) return false;
    reduce(above, s.y2, p), reduce(y, s.y1, p);
    subtract_mod(above, above, y, p);
    sum_of(s, above, below);
    return true;
}

DEVICE bool compute(const u64 (&read)[1 + 4 * WORDS], u64 (&written)[2 * WORDS]) {
    Sum s;
    if (!solve(s, read)) return false;
    copy_number(written, s.x3), copy_number(written + WORDS, s.y3);
    return true;
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[1 + 4 * WORDS], const u64 (&)[2 * WORDS]) {
    Sum s;
    solve(s, read);
    put_sum<C>(row, s);
    const u64 *p = primes + WORDS * s.curve;
    put_halves(row, C::x2, s.x2), put_halves(row, C::y2, s.y2);
    put_less(row, C::x1Differs, C::x1Difference, s.x1, p), put_less(row, C::x2Differs, C::x2Difference, s.x2, p);
    i64 steps[STEPS];
    i32 slope[DIGITS], difference[DIGITS];
    u64 squares_of_differences = 0;
    NO_UNROLL for (u32 i = 0; i < DIGITS; i++) {
        difference[i] = static_cast<i32>(digit_16(s.x2, i)) - static_cast<i32>(digit_16(s.x1, i));
        squares_of_differences += static_cast<u64>(static_cast<i64>(difference[i]) * difference[i]);
    }
    row.put(C::inverse, inverse_words(squares_of_differences));
    clear_steps(steps);
    digits_of(slope, s.slope, DIGITS);
    add_product(steps, 1, slope, DIGITS, difference, DIGITS);
    add_limbs(steps, 1, s.y1), add_limbs(steps, -1, s.y2);
    u64 wide[LONG], factor[LONG], r[LONG] = {};
    const bool borrow = subtract_number(factor, s.x2, s.x1);
    extend(factor, factor, borrow), extend(wide, s.slope, false);
    add_product_long(r, wide, factor);
    add_long(r, s.y1), subtract_long(r, s.y2);
    const Equation e = {C::slopeQuotient, C::slopeQuotientTop, C::slopeCarry, C::slopeTop, slope_offsets, slope_tops,
        -1};
    put_equation(row, e, r, steps, s.curve);
}
