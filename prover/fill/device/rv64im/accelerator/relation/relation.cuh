// Numbers of WORDS words of 64 bits, least significant word first, and equations between them: package relation of
// the circuits.

// The low word of a b + c + d; its high word becomes high. At most (2^64-1)^2 + 2 (2^64-1) = 2^128 - 1.
DEVICE u64 multiply_add_words(u64 &high, u64 a, u64 b, u64 c, u64 d) {
    const u64 lower = a * b, sum = lower + c, all = sum + d;
    high = __umul64hi(a, b) + (sum < lower) + (all < sum);
    return all;
}

DEVICE u64 add_words(bool &carry, u64 a, u64 b) {
    const u64 sum = a + b, all = sum + static_cast<u64>(carry);
    carry = sum < a || all < sum;
    return all;
}

DEVICE u64 subtract_words(bool &borrow, u64 a, u64 b) {
    const u64 difference = a - b, all = difference - static_cast<u64>(borrow);
    borrow = a < b || difference < static_cast<u64>(borrow);
    return all;
}

// r = a + b; the carry is returned.
DEVICE bool add_number(u64 *r, const u64 *a, const u64 *b) {
    bool carry = false;
    UNROLL for (u32 i = 0; i < WORDS; i++) r[i] = add_words(carry, a[i], b[i]);
    return carry;
}

// r = a - b; the borrow is returned.
DEVICE bool subtract_number(u64 *r, const u64 *a, const u64 *b) {
    bool borrow = false;
    UNROLL for (u32 i = 0; i < WORDS; i++) r[i] = subtract_words(borrow, a[i], b[i]);
    return borrow;
}

DEVICE bool is_less(const u64 *a, const u64 *b) {
    u64 unused[WORDS];
    return subtract_number(unused, a, b);
}

DEVICE bool is_zero(const u64 *a) {
    u64 all = 0;
    UNROLL for (u32 i = 0; i < WORDS; i++) all |= a[i];
    return all == 0;
}
DEVICE void copy_number(u64 *r, const u64 *a) { UNROLL for (u32 i = 0; i < WORDS; i++) r[i] = a[i]; }
DEVICE u64 digit_16(const u64 *number, u32 i) { return number[i / 4] >> (16 * (i % 4)) & 0xffff; }
DEVICE u32 limb_32(const u64 *number, u32 i) { return i % 2 == 0 ? low(number[i / 2]) : high(number[i / 2]); }

// r = a b/R mod n for R = 2^(64 WORDS) and an odd n, where a b is below R n and negated is -1/n mod 2^64
// (Montgomery).
DEVICE_NOINLINE void montgomery(u64 *r, const u64 *a, const u64 *b, const u64 *n, u64 negated) {
    u64 t[WORDS + 1];
    UNROLL for (u32 j = 0; j <= WORDS; j++) t[j] = 0;
    NO_UNROLL for (u32 i = 0; i < WORDS; i++) {
        u64 carry = 0;
        UNROLL for (u32 j = 0; j < WORDS; j++) t[j] = multiply_add_words(carry, a[j], b[i], t[j], carry);
        bool over = false, again = false;
        t[WORDS] = add_words(over, t[WORDS], carry);
        const u64 factor = t[0] * negated;
        multiply_add_words(carry, factor, n[0], t[0], 0);
        UNROLL for (u32 j = 1; j < WORDS; j++) t[j - 1] = multiply_add_words(carry, factor, n[j], t[j], carry);
        t[WORDS - 1] = add_words(again, t[WORDS], carry);
        t[WORDS] = static_cast<u64>(over) + static_cast<u64>(again);
    }
    u64 less[WORDS];
    const bool below = subtract_number(less, t, n) && t[WORDS] == 0;
    UNROLL for (u32 j = 0; j < WORDS; j++) r[j] = below ? t[j] : less[j];
}

// r = a^e R mod n, where a is given times R, and e is not 0.
DEVICE void montgomery_power(u64 *r, const u64 *a, const u64 *e, const u64 *n, u64 negated) {
    u64 power[WORDS];
    bool begun = false;
    NO_UNROLL for (u32 i = 0; i < BITS; i++) {
        const u32 bit = BITS - 1 - i;
        if (begun) montgomery(power, power, power, n, negated);
        if ((e[bit / 64] >> (bit % 64) & 1) == 0) continue;
        if (begun) montgomery(power, power, a, n, negated);
        else copy_number(power, a);
        begun = true;
    }
    copy_number(r, power);
}

DEVICE void digits_of(i32 *digits, const u64 *number, u32 count) {
    NO_UNROLL for (u32 i = 0; i < count; i++) digits[i] = static_cast<i32>(digit_16(number, i));
}

DEVICE void clear_steps(i64 *steps) { NO_UNROLL for (u32 k = 0; k < STEPS; k++) steps[k] = 0; }

// Adds factor a b to an equation's steps, of two digits each. Digits beyond them add nothing.
DEVICE_NOINLINE void add_product(i64 *steps, i64 factor, const i32 *a, u32 digits_a, const i32 *b, u32 digits_b) {
    NO_UNROLL for (u32 i = 0; i < digits_a; i++) {
        const i64 x = factor * a[i];
        NO_UNROLL for (u32 j = 0; j < digits_b && i + j < 2 * STEPS; j++)
            steps[(i + j) / 2] += x * b[j] * ((i + j) % 2 == 0 ? 1 : 1 << 16);
    }
}

DEVICE void add_limbs(i64 *steps, i64 factor, const u64 *number) {
    NO_UNROLL for (u32 k = 0; k < LIMBS; k++) steps[k] += factor * static_cast<i64>(limb_32(number, k));
}

// The carries of an equation. Each has an offset, its smallest value, and a number of columns above 20 bits, its tops.
template <class R>
DEVICE void put_carries(const R &row, u32 column, u32 top, const i64 *steps, const u64 *offsets, const u64 *tops) {
    i64 carry = 0;
    NO_UNROLL for (u32 k = 0; k < STEPS - 1; k++) {
        carry = (steps[k] + carry) >> 32;
        u64 v = static_cast<u64>(carry) - offsets[k];
        row.put(column + k, v & 0xfffff);
        v >>= 20;
        NO_UNROLL for (u32 i = 0; i < tops[k]; i++) row.put(top++, v % 3), v /= 3;
    }
}

template <class R> DEVICE void put_halves(const R &row, u32 column, const u64 *number) {
    NO_UNROLL for (u32 i = 0; i < LIMBS; i++) row.put(column + i, limb_32(number, i) >> 16);
}

template <class R> DEVICE void put_digits(const R &row, u32 column, const u64 *number, u32 digits) {
    NO_UNROLL for (u32 i = 0; i < digits; i++) row.put(column + i, digit_16(number, i));
}

// The highest limb in which two numbers differ, and by how much.
template <class R> DEVICE void put_less(const R &row, u32 differs, u32 difference, const u64 *lower, const u64 *upper) {
    bool found = false;
    u32 by = 0;
    NO_UNROLL for (u32 above = 0; above < LIMBS; above++) {
        const u32 i = LIMBS - 1 - above, a = limb_32(upper, i), b = limb_32(lower, i);
        const bool here = !found && a != b;
        if (i < LIMBS - 1) row.put(differs + i, here);
        if (here) by = a - b - 1;
        found = found || here;
    }
    row.put(difference, by & 0xffff), row.put(difference + 1, by >> 16);
}
