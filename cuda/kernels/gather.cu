// Rows of matrices and nodes of trees, gathered from anywhere for one download, with numbers between them, in the
// layout of a proof, whose 64-bit words are aligned to 32 bits.
#include "goldilocks.cuh"
#include "parts.cuh"

// A request to one matrix: word (row, c) is at base[row * row_stride + c / group + c % group * stride]. Numbers of 32
// bits are written from out[place] on, followed by rows of the given number of words, one after another, starting
// with the launch's block first_block.
struct Gathering {
    const u64 *base, *rows;
    const u32 *numbers;
    u64 row_stride, stride, group, width, count, number_count, place, first_block;
};

KERNEL(gather, 128, u32 *out, const u64 *list, u32 count) {
    const Gathering g = part_of<&Gathering::first_block>(reinterpret_cast<const Gathering *>(list), count, blockIdx.x);
    const u32 i = static_cast<u32>(blockIdx.x - g.first_block) * blockDim.x + threadIdx.x;
    const u32 width = static_cast<u32>(g.width), group = static_cast<u32>(g.group);
    u32 *to = out + g.place;
    if (i < g.number_count) to[i] = g.numbers[i];
    to += g.number_count;
    if (i < width * static_cast<u32>(g.count)) {
        const u32 c = i % width;
        const u64 word = g.base[g.rows[i / width] * g.row_stride + c / group + c % group * g.stride];
        to[2 * i] = low(word);
        to[2 * i + 1] = high(word);
    }
}
