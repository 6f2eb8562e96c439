// A call that adds a product in a quadratic field on a device. It reads x, y and z, each with its real part first.
DEVICE bool compute(const u64 (&read)[6 * WORDS], u64 (&written)[2 * WORDS]) {
    u64 z[WORDS];
    multiply(written, read, read + 2 * WORDS);
    NO_UNROLL for (u32 part = 0; part < 2; part++) {
        reduce(z, read + (4 + part) * WORDS, primes);
        add_mod(written + WORDS * part, written + WORDS * part, z, primes);
    }
    return true;
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[6 * WORDS], const u64 (&written)[2 * WORDS]) {
    const u64 *y = read + 2 * WORDS;
    put_element<C>(row, read, y, y, 1, read + 4 * WORDS, written);
}
