// A call of the product modulo 256 bits on a device. Numbers have their least significant word first.

// a - b; the borrow is returned.
DEVICE bool subtract_256(u64 (&difference)[4], const u64 (&a)[4], const u64 (&b)[4]) {
    bool borrow = false;
    UNROLL for (u32 i = 0; i < 4; i++) {
        const u64 d = a[i] - b[i];
        const bool again = d < static_cast<u64>(borrow);
        difference[i] = d - static_cast<u64>(borrow);
        borrow = a[i] < b[i] || again;
    }
    return borrow;
}

DEVICE void multiply_256(u64 (&product)[8], const u64 *x, const u64 *y) {
    UNROLL for (u32 i = 0; i < 8; i++) product[i] = 0;
    UNROLL for (u32 i = 0; i < 4; i++) {
        u64 carry = 0;
        UNROLL for (u32 j = 0; j < 4; j++) {  // at most (2^64-1)^2 + 2 (2^64-1) = 2^128 - 1
            const u64 lower = x[i] * y[j], sum = lower + product[i + j], all = sum + carry;
            carry = __umul64hi(x[i], y[j]) + (sum < lower) + (all < sum);
            product[i + j] = all;
        }
        product[i + 4] = carry;
    }
}

// Long division, one bit at a time: the dividend moves up into the remainder, and the quotient's bits replace it.
DEVICE void divide_512(u64 (&quotient)[8], u64 (&remainder)[4], const u64 (&n)[4]) {
    UNROLL for (u32 i = 0; i < 4; i++) remainder[i] = 0;
    NO_UNROLL for (u32 bit = 0; bit < 512; bit++) {
        const bool beyond = remainder[3] >> 63 != 0;
        UNROLL for (u32 i = 3; i > 0; i--) remainder[i] = remainder[i] << 1 | remainder[i - 1] >> 63;
        remainder[0] = remainder[0] << 1 | quotient[7] >> 63;
        UNROLL for (u32 i = 7; i > 0; i--) quotient[i] = quotient[i] << 1 | quotient[i - 1] >> 63;
        quotient[0] <<= 1;
        u64 less[4];
        if (subtract_256(less, remainder, n) && !beyond) continue;
        UNROLL for (u32 i = 0; i < 4; i++) remainder[i] = less[i];
        quotient[0] |= 1;
    }
}

// A call reads the modulus n, then y, then x.
DEVICE void modulus_of(u64 (&n)[4], const u64 (&read)[12]) {
    UNROLL for (u32 i = 0; i < 4; i++) n[i] = read[i];
}

DEVICE bool compute(const u64 (&read)[12], u64 (&written)[4]) {
    u64 n[4], quotient[8];
    modulus_of(n, read);
    if ((n[0] | n[1] | n[2] | n[3]) == 0) return false;
    multiply_256(quotient, read + 8, read + 4);
    divide_512(quotient, written, n);
    return true;
}

DEVICE u64 digit_16(const u64 *number, u32 i) { return number[i / 4] >> (16 * (i % 4)) & 0xffff; }
DEVICE u32 limb_32(const u64 *number, u32 i) { return i % 2 == 0 ? low(number[i / 2]) : high(number[i / 2]); }


// The sum in digit k of x y - q n - r.
DEVICE_BODY i64 coefficient(const u64 *x, const u64 *y, const u64 *q, const u64 *n, const u64 *r, u32 k) {
    i64 sum = k < 16 ? -static_cast<i64>(digit_16(r, k)) : 0;
    UNROLL for (u32 i = 0; i < 16; i++) {
        if (i > k) continue;
        if (k - i < 16) sum += static_cast<i64>(digit_16(x, k - i) * digit_16(y, i));
        sum -= static_cast<i64>(digit_16(q, k - i) * digit_16(n, i));
    }
    return sum;
}

// The carries of the steps, of two digits each: see the package's documentation.
template <class C, class R>
DEVICE void put_carries(const R &row, const u64 *x, const u64 *y, const u64 *q, const u64 *n, const u64 *r) {
    i64 carry = 0;
    UNROLL for (u32 k = 0; k < CARRIES; k++) {
        carry = (coefficient(x, y, q, n, r, 2 * k) + coefficient(x, y, q, n, r, 2 * k + 1) * (1 << 16) + carry) >> 32;
        if (FIRST_WIDE <= k && k <= LAST_WIDE) {
            const u64 v = static_cast<u64>(carry + (1 << 20));
            row.put(C::carryTop + k - FIRST_WIDE, v >> 20), row.put(C::carry + k, v & 0xfffff);
        } else {
            row.put(C::carry + k, static_cast<u64>(carry + (1 << 19)));
        }
    }
}

// The highest limb in which modulus and remainder differ, and by how much.
template <class C, class R> DEVICE void put_difference(const R &row, const u64 *n, const u64 *r) {
    bool found = false;
    u32 difference = 0;
    UNROLL for (u32 above = 0; above < 8; above++) {
        const u32 i = 7 - above, a = limb_32(n, i), b = limb_32(r, i);
        const bool here = !found && a != b;
        if (i < 7) row.put(C::differs + i, here);
        if (here) difference = a - b - 1;
        found = found || here;
    }
    row.put(C::d0, difference & 0xffff), row.put(C::d1, difference >> 16);
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[12], const u64 (&written)[4]) {
    u64 n[4], quotient[8], remainder[4];
    modulus_of(n, read);
    multiply_256(quotient, read + 8, read + 4);
    divide_512(quotient, remainder, n);
    UNROLL for (u32 i = 0; i < 8; i++) {
        row.put(C::n + i, limb_32(read, i) >> 16), row.put(C::y + i, limb_32(read + 4, i) >> 16);
        row.put(C::x + i, limb_32(read + 8, i) >> 16), row.put(C::r + i, limb_32(written, i) >> 16);
    }
    UNROLL for (u32 i = 0; i < 32; i++) row.put(C::q + i, digit_16(quotient, i));
    put_carries<C>(row, read + 8, read + 4, quotient, read, written);
    put_difference<C>(row, read, written);
}
