// The sponge table of the keccak machine: a row a permutation.
//
// Records are the file's length, the 25 lanes of the last permutation's output, and for each permutation its 25 input lanes and
// the 17 lanes of the block that went into them. A permutation's output is the next one's input without the block absorbed there.
// Rows without a record are inert: all zero but the length.
#include "words.cuh"

#define RATE_LANES 17
#define RATE_NIBBLES (2 * RATE_BYTES)
#define RECORD_LAST 1
#define RECORD_HEADER (RECORD_LAST + STATE_LANES)
#define RECORD_WORDS (STATE_LANES + RATE_LANES)

// The columns, by their first number. State, block and mixed are nibbles of their lanes.
#define COLUMN_CAPACITY (3 * RATE_NIBBLES)
#define COLUMN_OUTPUT (COLUMN_CAPACITY + CAPACITY_WORDS)
#define COLUMN_FLAGS (COLUMN_OUTPUT + STATE_WORDS)

// The rows of blocks: one for each lane of state, block and mixed, one for each word, one for the columns behind them.
#define GROUP_CAPACITY (3 * RATE_LANES)
#define GROUP_OUTPUT (GROUP_CAPACITY + CAPACITY_WORDS)
#define GROUP_FLAGS (GROUP_OUTPUT + STATE_WORDS)

struct SpongeRecords {
    const u64 *words;
    u64 used;
    DEVICE_MEMBER u64 input(u64 p, u32 i) const { return words[RECORD_HEADER + RECORD_WORDS * p + i]; }
    DEVICE_MEMBER u64 block(u64 p, u32 i) const { return i < RATE_LANES ? words[RECORD_HEADER + RECORD_WORDS * p + STATE_LANES + i] : 0; }
    DEVICE_MEMBER u64 output(u64 p, u32 i) const { return p + 1 < used ? input(p + 1, i) ^ block(p + 1, i) : words[RECORD_LAST + i]; }
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

DEVICE_BODY void write_flags(u64 *column, u64 stride, const SpongeRecords &records, u64 row) {
    const bool active = row < records.used, last = row + 1 == records.used;
    const u32 place = static_cast<u32>(records.words[0] % RATE_BYTES);  // where the padding begins in the last block
    *column = active;
    for (u32 i = 0; i < RATE_LANES; i++) *(column += stride) = last && place / 8 == i;
    for (u32 i = 0; i < 8; i++) *(column += stride) = last && place % 8 == i;
    *(column += stride) = RATE_BYTES * (active ? row : records.used - 1);
}

KERNEL(trace_sponge, 256, u64 *columns, u64 stride, const u64 *words, u64 used, u64 rows) {
    u64 row = global_index();
    if (row >= rows) return;
    SpongeRecords records;
    records.words = words, records.used = used;
    const bool active = row < used;
    const u32 group = blockIdx.y;
    if (group < GROUP_CAPACITY) {
        const u32 which = group / RATE_LANES, i = group % RATE_LANES;
        u64 lane = 0;
        if (active) {
            u64 input = records.input(row, i), block = records.block(row, i);
            lane = which == 0 ? input ^ block : which == 1 ? block : input;
        }
        u64 *column = columns + 16 * static_cast<u64>(group) * stride + row;
        UNROLL for (u32 k = 0; k < 16; k++, column += stride) *column = lane >> (4 * k) & 15;
        return;
    }
    if (group < GROUP_OUTPUT) {
        SpongeInput input;
        input.records = records, input.p = row;
        u64 word = active ? word_of(word_range(RATE_WORDS + group - GROUP_CAPACITY), input) : 0;
        columns[(COLUMN_CAPACITY + group - GROUP_CAPACITY) * stride + row] = word;
        return;
    }
    if (group < GROUP_FLAGS) {
        SpongeOutput output;
        output.records = records, output.p = row;
        u64 word = active ? word_of(word_range(group - GROUP_OUTPUT), output) : 0;
        columns[(COLUMN_OUTPUT + group - GROUP_OUTPUT) * stride + row] = word;
        return;
    }
    write_flags(columns + COLUMN_FLAGS * stride + row, stride, records, row);
}
