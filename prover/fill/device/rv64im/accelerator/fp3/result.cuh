// The element of Fp3 in three words, which may be any 64 bits.
DEVICE Fp3 extension_of(const u64 *words) { return fp3(canonical(words[0]), canonical(words[1]), canonical(words[2])); }

DEVICE void put_extension(u64 *words, Fp3 e) { words[0] = e.a0.value, words[1] = e.a1.value, words[2] = e.a2.value; }

// The inverse of the largest limb minus a word's high limb, or 0 if there is none.
DEVICE u64 top_inverse(u64 word) { return inverse_words(0xffffffffull - (word >> 32)); }

// The columns of the element that is written.
template <class C, class R> DEVICE void put_result(const R &row, const u64 *written) {
    NO_UNROLL for (u32 i = 0; i < 3; i++) {
        row.put(C::result + 2 * i, written[i] >> 16 & 0xffff), row.put(C::result + 2 * i + 1, written[i] >> 48);
        row.put(C::resultInverse + i, top_inverse(written[i]));
    }
}
