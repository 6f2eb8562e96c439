// The words that the keccak machine cuts a state into: ranges of its 1,600 bits, bit 64 i + z being bit z of lane i. The
// digest's 256 bits in words of 48, the rest of the rate's 1,088 in words of 60, the capacity's 512 in words of 60; the last
// word of each part is shorter. The same as words.go, which says why.
#pragma once
#include "keccak.cuh"

#define STATE_LANES 25
#define STATE_WORDS 29
#define RATE_WORDS 20
#define CAPACITY_WORDS 9
#define RATE_BYTES 136

struct WordRange {
    u32 first, bits;
};

DEVICE WordRange word_range(u32 word) {
    u32 begin = 0, end = 256, step = 48;
    if (word >= 6) word -= 6, begin = 256, end = 8 * RATE_BYTES, step = 60;
    if (word >= 14 && begin == 256) word -= 14, begin = 8 * RATE_BYTES, end = 64 * STATE_LANES;
    WordRange range;
    range.first = begin + word * step;
    range.bits = end - range.first < step ? end - range.first : step;
    return range;
}

// word_of cuts the range out of a state; lane(i) gives lane i.
template <class Lane> DEVICE u64 word_of(WordRange range, const Lane &lane) {
    u32 i = range.first / 64, shift = range.first % 64;
    u64 bits = lane(i) >> shift;
    if (shift + range.bits > 64) bits |= lane(i + 1) << (64 - shift);
    return bits & ((1ull << range.bits) - 1);
}
