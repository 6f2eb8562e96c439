// A call reads the block's shift, the words around the block, and the state.

// The block's word i.
DEVICE u64 block_word(const u64 *read, u32 i) {
    const u32 bits = 8 * static_cast<u32>(read[0]);
    return bits == 0 ? read[1 + i] : read[1 + i] >> bits | read[2 + i] << (64 - bits);
}

// Word i of the permutation's input.
DEVICE u64 input_lane(const u64 *read, u32 i) {
    const u64 word = read[STATE_AT + i];
    return i < BLOCK_WORDS ? word ^ block_word(read, i) : word;
}
