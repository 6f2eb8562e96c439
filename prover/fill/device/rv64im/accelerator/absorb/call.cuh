
// A call on a device.
DEVICE bool compute(const u64 (&read)[STATE_AT + 25], u64 (&written)[25]) {
    if (read[0] >= SHIFTS) return false;
    UNROLL for (u32 i = 0; i < 25; i++) written[i] = input_lane(read, i);
    keccak_f1600(written);
    return true;
}

DEVICE u64 byte_of(u64 word, u32 i) { return word >> (8 * i) & 0xff; }

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[STATE_AT + 25], const u64 (&)[25]) {
    const u32 shift = static_cast<u32>(read[0]);
    for (u32 k = 0; k < SHIFTS; k++) row.put(C::shift + k, k == shift);
    // The bytes before the block are in its first word, the bytes after it in the last.
    for (u32 i = 0; i < SHIFTS; i++) row.put(C::outside + i, byte_of(i < shift ? read[1] : read[1 + BLOCK_WORDS], i));
    NO_UNROLL for (u32 i = 0; i < BLOCK_WORDS; i++) {
        const u64 block = block_word(read, i), state = read[STATE_AT + i];
        for (u32 k = 0; k < 8; k++) {
            if (k % 4 != 3) row.put(C::state + 6 * i + k - k / 4, byte_of(state, k));
            row.put(C::block + 8 * i + k, byte_of(block, k));
            row.put(C::mixed + 8 * i + k, byte_of(block ^ state, k));
        }
    }
}
