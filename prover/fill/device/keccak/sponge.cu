// The sponge table of the keccak machine: one row per permutation.
//
// One record set is the 25 input lanes of each permutation. The other is the file's length, for each permutation the 17
// lanes of the block that it absorbed, and the 25 lanes of the last permutation's output. A permutation's output is the
// next one's input without the block absorbed there. Rows without a record are inert: all zero except the length.
#include "columns.cuh"
#include "sponge_layout.cuh"
#include "words.cuh"

struct SpongeRecords {
    const u64 *inputs, *file;
    u64 used;
    DEVICE_MEMBER u64 length() const { return file[FILE_LENGTH]; }
    DEVICE_MEMBER u64 input(u64 p, u32 i) const { return inputs[STATE_LANES * p + i]; }
    DEVICE_MEMBER u64 block(u64 p, u32 i) const { return i < RATE_LANES ? file[FILE_BLOCKS + RATE_LANES * p + i] : 0; }
    DEVICE_MEMBER u64 output(u64 p, u32 i) const {
        return p + 1 < used ? input(p + 1, i) ^ block(p + 1, i) : file[FILE_BLOCKS + RATE_LANES * used + i];
    }
};

struct SpongeInput {
    SpongeRecords records;
    u64 p;
    DEVICE_MEMBER u64 operator()(u32 i) const { return records.input(p, i); }
};

struct SpongeOutput {
    SpongeRecords records;
    u64 p;
    DEVICE_MEMBER u64 operator()(u32 i) const { return records.output(p, i); }
};

DEVICE_BODY void write_flags(u64 *cells, u64 stride, const SpongeRecords &records, u64 row) {
    const bool active = row < records.used, last = row + 1 == records.used;
    const u32 place = static_cast<u32>(records.length() % RATE_BYTES);  // where the padding begins in the last block
    cells[COLUMN_ACTIVE * stride] = active;
    for (u32 i = 0; i < RATE_LANES; i++) cells[(COLUMN_LANE + i) * stride] = last && place / 8 == i;
    for (u32 i = 0; i < 8; i++) cells[(COLUMN_BYTE + i) * stride] = last && place % 8 == i;
    cells[COLUMN_LENGTH * stride] = RATE_BYTES * (active ? row : records.used - 1);
}

KERNEL(trace_sponge, 256, u64 *columns, u64 stride, u64 rows, u64 first, u64 *work, const u64 *inputs, u64 input_words,
    const u64 *file, u64 file_words) {
    u64 row = global_index();
    if (row >= rows) return;
    SpongeRecords records;
    records.inputs = inputs, records.file = file, records.used = input_words / STATE_LANES;
    const bool active = row < records.used;
    const u32 group = blockIdx.y;
    u64 *cells = columns + row;
    if (group < GROUP_CAPACITY) {
        const u32 which = group / RATE_LANES, i = group % RATE_LANES;
        u64 lane = 0;
        if (active) {
            u64 input = records.input(row, i), block = records.block(row, i);
            lane = which == 0 ? input ^ block : which == 1 ? block : input;
        }
        const u64 base = which == 0 ? COLUMN_STATE : which == 1 ? COLUMN_BLOCK : COLUMN_MIXED;
        u64 *cell = cells + (base + 16 * i) * stride;
        UNROLL for (u32 k = 0; k < 16; k++, cell += stride) *cell = lane >> (4 * k) & 15;
        return;
    }
    if (group < GROUP_OUTPUT) {
        SpongeInput input;
        input.records = records, input.p = row;
        u64 word = active ? word_of(word_range(RATE_WORDS + group - GROUP_CAPACITY), input) : 0;
        cells[(COLUMN_CAPACITY + group - GROUP_CAPACITY) * stride] = word;
        return;
    }
    if (group < GROUP_FLAGS) {
        SpongeOutput output;
        output.records = records, output.p = row;
        u64 word = active ? word_of(word_range(group - GROUP_OUTPUT), output) : 0;
        cells[(COLUMN_OUTPUT + group - GROUP_OUTPUT) * stride] = word;
        return;
    }
    write_flags(cells, stride, records, row);
}
