// A call of a product of 256 bits without a modulus on a device. It reads y, x and the accumulator.

DEVICE bool compute(const u64 (&read)[17], u64 (&written)[9]) {
    UNROLL for (u32 i = 0; i < 9; i++) written[i] = read[8 + i];
    NO_UNROLL for (u32 i = 0; i < 4; i++) {
        u64 carry = 0;
        UNROLL for (u32 j = 0; j < 4; j++)
            written[i + j] = multiply_add_words(carry, read[4 + i], read[j], written[i + j], carry);
        bool over = false;
        written[i + 4] = add_words(over, written[i + 4], carry);
        NO_UNROLL for (u32 k = i + 5; k < 9; k++) written[k] = add_words(over, written[k], 0);
    }
    return (read[16] | written[8]) >> 32 == 0;
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[17], const u64 (&written)[9]) {
    put_halves(row, C::y, read), put_halves(row, C::x, read + 4);
    put_halves(row, C::sum, written), put_halves(row, C::sum + 8, written + 4);
    row.put(C::sum + 16, low(written[8]) >> 16), row.put(C::overflow, written[8] != read[16]);
    i64 steps[16];
    i32 x[16], y[16];
    clear_steps(steps);
    digits_of(x, read + 4, 16), digits_of(y, read, 16);
    add_product(steps, 1, x, 16, y, 16);
    // The overflow is in the last step, out of which nothing is carried.
    add_limbs(steps, 1, read + 8), add_limbs(steps + 8, 1, read + 12);
    add_limbs(steps, -1, written), add_limbs(steps + 8, -1, written + 4);
    put_carries(row, C::sumCarry, 0, steps, sum_offsets, sum_tops);  // no carry has tops, so they need no column
}
