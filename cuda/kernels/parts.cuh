// The parts of a launch that processes many sizes at once.
#pragma once
#include "dialect.cuh"

// part_of is the part that a number, such as a block's, belongs to: the last part whose first number is not above it.
template <auto FIRST, class Part> DEVICE const Part &part_of(const Part *parts, u32 count, u32 number) {
    u32 low = 0, high = count;
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (parts[middle].*FIRST <= number) low = middle;
        else high = middle;
    }
    return parts[low];
}
