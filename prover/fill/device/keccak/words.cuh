// The words into which the keccak machine splits a state: ranges of its 1,600 bits, bit 64 i + z being bit z of lane
// i. The digest's bits, the rest of the rate's and the capacity's are each split into words of one length; the last
// word of each part is shorter. The numbers are those of words.go, which explains them.
#pragma once
#include "word_numbers.cuh"

struct WordRange {
    u32 first, bits;
};

DEVICE WordRange word_range(u32 word) {
    u32 begin = 0, end = DIGEST_BITS, step = DIGEST_WORD_BITS;
    if (word >= DIGEST_WORDS) word -= DIGEST_WORDS, begin = DIGEST_BITS, end = RATE_BITS, step = WORD_BITS;
    if (word >= RATE_WORDS - DIGEST_WORDS && begin == DIGEST_BITS)
        word -= RATE_WORDS - DIGEST_WORDS, begin = RATE_BITS, end = STATE_BITS;
    WordRange range;
    range.first = begin + word * step;
    range.bits = end - range.first < step ? end - range.first : step;
    return range;
}

// word_of extracts the range from a state; lane(i) returns lane i.
template <class Lane> DEVICE u64 word_of(WordRange range, const Lane &lane) {
    u32 i = range.first / 64, shift = range.first % 64;
    u64 bits = lane(i) >> shift;
    if (shift + range.bits > 64) bits |= lane(i + 1) << (64 - shift);
    return bits & ((1ull << range.bits) - 1);
}
