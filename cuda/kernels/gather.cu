// Rows of matrices and nodes of trees, wherever they lie, brought together for one download.
#include "dialect.cuh"

// What is asked of a matrix: word (row, c) of it stands at base[row * row_stride + c / group + c % group * stride]. Rows of so many
// words go to out[place] and on, one behind the other.
struct Gathering {
    const u64 *base, *rows;
    u64 row_stride, stride, group, width, count, place;
};

// A row of blocks for each gathering.
KERNEL(gather, 128, u64 *out, const u64 *list) {
    const Gathering g = reinterpret_cast<const Gathering *>(list)[blockIdx.y];
    for (u64 i = global_index(); i < g.count * g.width; i += global_threads()) {
        const u64 c = i % g.width;
        out[g.place + i] = g.base[g.rows[i / g.width] * g.row_stride + c / g.group + c % g.group * g.stride];
    }
}
