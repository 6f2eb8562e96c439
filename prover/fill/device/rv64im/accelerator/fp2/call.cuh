// A call of an operation in BN254's quadratic field on a device. It reads the operation, y and x, of which the real
// part comes first.
DEVICE_NOINLINE bool result_of(u64 *result, const u64 *read) {
    const u64 *y = read + 1, *x = read + 9, *p = primes;
    u64 a[4], b[4];
    if (read[0] > SUBTRACT) return false;
    if (read[0] == MULTIPLY) {
        NO_UNROLL for (u32 part = 0; part < 2; part++) {
            multiply_mod(a, x, y + 4 * part, 0);
            multiply_mod(b, x + 4, y + 4 * (1 - part), 0);
            if (part == 0) subtract_mod(result, a, b, p);
            else add_mod(result + 4, a, b, p);
        }
        return true;
    }
    NO_UNROLL for (u32 part = 0; part < 2; part++) {
        reduce(a, x + 4 * part, p), reduce(b, y + 4 * part, p);
        if (read[0] == ADD) add_mod(result + 4 * part, a, b, p);
        else subtract_mod(result + 4 * part, a, b, p);
    }
    return true;
}

DEVICE bool compute(const u64 (&read)[17], u64 (&written)[8]) { return result_of(written, read); }

// What x is multiplied by: y, or 1.
DEVICE void factor_of(u64 *factor, const u64 *y, u64 operation, u32 part) {
    const u64 one[4] = {part == 0, 0, 0, 0};
    extend(factor, operation == MULTIPLY ? y + 4 * part : one, false);
}

// Adds sign times what is not the result's, of a part.
DEVICE void add_part(i64 *steps, u64 *r, i64 sign, const u64 *x, const u64 *factor) {
    i32 a[16], b[16];
    u64 wide[5], product[5] = {0, 0, 0, 0, 0};
    bool carry = false;
    digits_of(a, x, 16), digits_of(b, factor, 16);
    add_product(steps, sign, a, 16, b, 16);
    extend(wide, x, false);
    add_product_320(product, wide, factor);
    NO_UNROLL for (u32 i = 0; i < 5; i++)
        r[i] = sign > 0 ? add_words(carry, r[i], product[i]) : subtract_words(carry, r[i], product[i]);
}

// The equation of a part.
template <class R>
DEVICE void put_part(const R &row, const Equation &e, u32 less, u32 difference, u32 part, const u64 *read,
    const u64 *result) {
    const u64 *y = read + 1, *x = read + 9;
    u64 factor[5], r[5] = {0, 0, 0, 0, 0};
    i64 steps[16];
    clear_steps(steps);
    factor_of(factor, y, read[0], part);
    add_part(steps, r, 1, x, factor);
    factor_of(factor, y, read[0], 1 - part);
    add_part(steps, r, part == 0 ? -1 : 1, x + 4, factor);
    if (read[0] == ADD) add_limbs(steps, 1, y + 4 * part), add_320(r, y + 4 * part);
    if (read[0] == SUBTRACT) add_limbs(steps, -1, y + 4 * part), subtract_320(r, y + 4 * part);
    add_limbs(steps, -1, result), subtract_320(r, result);
    put_equation(row, e, r, steps, 0);
    put_less(row, less, difference, result, primes);
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[17], const u64 (&written)[8]) {
    row.put(C::add, read[0] == ADD), row.put(C::subtract, read[0] == SUBTRACT);
    put_halves(row, C::y0, read + 1), put_halves(row, C::y1, read + 5);
    put_halves(row, C::x0, read + 9), put_halves(row, C::x1, read + 13);
    put_halves(row, C::real, written), put_halves(row, C::imaginary, written + 4);
    const i64 least = -static_cast<i64>(LEAST_TOP);
    const Equation real = {C::realQuotient, C::realQuotient + 16, C::realCarry, C::realTop, real_offsets, real_tops,
        least};
    const Equation imaginary = {C::imaginaryQuotient, C::imaginaryQuotient + 16, C::imaginaryCarry, C::imaginaryTop,
        imaginary_offsets, imaginary_tops, least};
    put_part(row, real, C::realDiffers, C::realDifference, 0, read, written);
    put_part(row, imaginary, C::imaginaryDiffers, C::imaginaryDifference, 1, read, written + 4);
}
