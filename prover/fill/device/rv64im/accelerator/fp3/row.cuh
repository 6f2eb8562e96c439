// A call reads 8 words of a row, 8 coefficients in Fp3, and the sum with the word that records a refusal.
constexpr u32 BLOCK = 8;

DEVICE bool compute(const u64 (&read)[36], u64 (&written)[4]) {
    Fp3 sum = extension_of(read + 4 * BLOCK);
    u64 refused = read[4 * BLOCK + 3];
    NO_UNROLL for (u32 i = 0; i < BLOCK; i++) {
        sum = sum + extension_of(read + BLOCK + 3 * i) * canonical(read[i]);
        if (read[i] >= GOLDILOCKS_P) refused = 1;
    }
    put_extension(written, sum);
    written[3] = refused;
    return true;
}

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[36], const u64 (&written)[4]) {
    u64 excess = 0;
    NO_UNROLL for (u32 i = 0; i < BLOCK; i++) {
        row.put(C::inverse + i, top_inverse(read[i]));
        if (read[i] >= GOLDILOCKS_P) excess += low(read[i]);
    }
    row.put(C::excess, excess), row.put(C::refused, excess != 0), row.put(C::excessInverse, inverse_words(excess));
    put_result<C>(row, written);
}
