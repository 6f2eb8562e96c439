// A call of an operation in a quadratic field on a device. It reads the operation, y and x, each with its real part
// first.
DEVICE_NOINLINE bool result_of(u64 *result, const u64 *read) {
    const u64 *y = read + 1, *x = read + 1 + 2 * WORDS, *p = primes;
    u64 a[WORDS], b[WORDS];
    if (read[0] > SUBTRACT) return false;
    if (read[0] == MULTIPLY) {
        multiply(result, x, y);
        return true;
    }
    NO_UNROLL for (u32 part = 0; part < 2; part++) {
        reduce(a, x + WORDS * part, p), reduce(b, y + WORDS * part, p);
        if (read[0] == ADD) add_mod(result + WORDS * part, a, b, p);
        else subtract_mod(result + WORDS * part, a, b, p);
    }
    return true;
}

DEVICE bool compute(const u64 (&read)[1 + 4 * WORDS], u64 (&written)[2 * WORDS]) { return result_of(written, read); }

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[1 + 4 * WORDS], const u64 (&written)[2 * WORDS]) {
    const u64 one[2 * WORDS] = {1}, *y = read + 1, *x = read + 1 + 2 * WORDS;
    row.put(C::add, read[0] == ADD), row.put(C::subtract, read[0] == SUBTRACT);
    const i64 sign = read[0] == MULTIPLY ? 0 : read[0] == ADD ? 1 : -1;
    put_element<C>(row, x, y, sign == 0 ? y : one, sign, y, written);
}
