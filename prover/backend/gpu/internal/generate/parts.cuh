// Several tables share a launch: each has its own blocks, after those of the previous table. A list of the tables is
// in memory, and first_block is the first block of each.
#pragma once
#include "dialect.cuh"

// The block's number in the list's numbering: a launch may cover only the end of a list.
template <class Part> DEVICE u64 numbered_block(const Part *parts) { return parts[0].first_block + blockIdx.x; }

// part_of_block finds the part of this block by bisection: the last part that begins there or before.
template <class Part> DEVICE const Part &part_of_block(const Part *parts, u32 count) {
    const u64 block = numbered_block(parts);
    u32 at = 0;
    for (u32 end = count; end - at > 1;) {
        const u32 middle = (at + end) / 2;
        if (parts[middle].first_block <= block) at = middle;
        else end = middle;
    }
    return parts[at];
}

// index_in_part numbers the threads of a part's blocks.
template <class Part> DEVICE u64 index_in_part(const Part *parts, const Part &own) {
    return (numbered_block(parts) - own.first_block) * blockDim.x + threadIdx.x;
}
