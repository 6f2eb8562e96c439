// The keccak-f table of the keccak machine, and of others with states in other words: 24 rows per permutation, with
// round 23 in the first of them.
//
// A thread computes one permutation and writes the rows' values, as lanes, to scratch memory; then a thread for two
// rows and one lane writes the 64 columns of the lane's bits. Adjacent threads have adjacent rows, so a warp writes
// 512 consecutive bytes of a column, and all blocks work on the same few columns at a time. A row has 61 words of
// scratch memory and 2,315 of columns: the time is that of writing the columns. A table without columns of mixed
// parities has ROW_THETA = ROW_MIXED, and five words less.
//
// Word w of row k of permutation p is at (ROW_WORDS k + w) permutations + p of the scratch memory. The record set has
// RECORD_WORDS words per permutation, from which input_lane computes the input's lanes; later permutations have input
// zero and are not exported.
#include "columns.cuh"
#include "record.cuh"
#include "rounds_layout.cuh"
#include "words.cuh"

// The columns of the bits are adjacent.
static_assert(COLUMN_THETA == COLUMN_PARITY + 64 * (ROW_THETA - ROW_PARITY), "");
#if ROW_THETA != ROW_MIXED
static_assert(COLUMN_MIXED == COLUMN_PARITY + 64 * (ROW_MIXED - ROW_PARITY), "");
#endif

// The table's permutations, including the one that its end cuts off.
DEVICE u64 permutations_of(u64 rows) { return (rows + ROUNDS - 1) / ROUNDS; }

// The number of this instance's records, with first records before them: the permutation that is cut off belongs to
// the next instance.
DEVICE u64 used_of(u64 words, u64 first, u64 rows) {
    const u64 records = words / RECORD_WORDS, left = records > first ? records - first : 0, room = rows / ROUNDS;
    return left < room ? left : room;
}

KERNEL(trace_keccak_f_rounds, 128, u64 *columns, u64 stride, u64 rows, u64 first, u64 *scratch, const u64 *records,
    u64 words) {
    const u64 permutations = permutations_of(rows), used = used_of(words, first, rows);
    u64 p = global_index();
    if (p >= permutations) return;
    u64 a[STATE_LANES];
    const u64 *record = records + RECORD_WORDS * (first + p);
    UNROLL for (u32 i = 0; i < STATE_LANES; i++) a[i] = p < used ? input_lane(record, i) : 0;
    NO_UNROLL for (u32 round = 0; round < ROUNDS; round++) {
        u64 *row = scratch + static_cast<u64>(ROUNDS - 1 - round) * ROW_WORDS * permutations + p;
        u64 parity[5], effect[5];
        UNROLL for (u32 x = 0; x < 5; x++) parity[x] = xor3(xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
        UNROLL for (u32 x = 0; x < 5; x++) {
            effect[x] = parity[(x + 4) % 5] ^ rotate<1>(parity[(x + 1) % 5]);
            row[(ROW_PARITY + x) * permutations] = parity[x];
            if (ROW_THETA != ROW_MIXED) row[(ROW_MIXED + x) * permutations] = parity[x] ^ effect[x];
        }
        UNROLL for (u32 i = 0; i < STATE_LANES; i++) row[(ROW_THETA + i) * permutations] = a[i] ^ effect[i % 5];
        keccak_round(a, keccak_round_constants[round]);
        UNROLL for (u32 i = 0; i < STATE_LANES; i++) row[(ROW_OUTPUT + i) * permutations] = a[i];
        row[ROW_CHI * permutations] = a[0] ^ keccak_round_constants[round];
    }
}

// Two rows of a column, written at once. Both belong to one permutation, because 24 is even.
struct alignas(16) RowPair {
    u64 even, odd;
};

DEVICE RowPair row_pair(u64 even, u64 odd) { RowPair pair; pair.even = even, pair.odd = odd; return pair; }

// The index in scratch memory of a word of the row, from which the next row's follows.
DEVICE const u64 *scratch_word(const u64 *scratch, u64 row, u32 word, u64 permutations) {
    return scratch + (row % ROUNDS * ROW_WORDS + word) * permutations + row / ROUNDS;
}

// One row of blocks per lane.
KERNEL(trace_keccak_f_bits, 256, u64 *columns, u64 stride, u64 rows, u64 first, const u64 *scratch, const u64 *records,
    u64 words) {
    const u64 permutations = permutations_of(rows);
    u64 row = 2 * global_index();
    if (row >= rows) return;
    const u64 *place = scratch_word(scratch, row, blockIdx.y, permutations);
    u64 even = place[0], odd = place[ROW_WORDS * permutations];
    u64 *column = columns + (COLUMN_PARITY + 64 * static_cast<u64>(blockIdx.y)) * stride + row;
    UNROLL_BY(16) for (u32 z = 0; z < 64; z++) {
        *reinterpret_cast<RowPair *>(column) = row_pair(even >> z & 1, odd >> z & 1);
        column += stride;
    }
}

// Lanes of a row in scratch memory, and of a permutation's record.
struct OutputLanes {
    const u64 *row;
    u64 permutations;
    DEVICE_MEMBER u64 operator()(u32 i) const { return row[i * permutations]; }
};

struct InputLanes {
    const u64 *record;
    bool used;
    DEVICE_MEMBER u64 operator()(u32 i) const { return used ? input_lane(record, i) : 0; }
};

// One row of blocks for each word of the output, then for each word of the input, then one for all other columns.
KERNEL(trace_keccak_f_words, 256, u64 *columns, u64 stride, u64 rows, u64 first, const u64 *scratch, const u64 *records,
    u64 words) {
    const u64 permutations = permutations_of(rows), used = used_of(words, first, rows);
    u64 row = 2 * global_index();
    if (row >= rows) return;
    const u32 group = blockIdx.y;
    const u64 p = row / ROUNDS;
    if (group < STATE_WORDS) {
        u64 *column = columns + (COLUMN_OUTPUT + group) * stride + row;
        OutputLanes even, odd;
        even.row = scratch_word(scratch, row, ROW_OUTPUT, permutations), even.permutations = permutations;
        odd.row = even.row + ROW_WORDS * permutations, odd.permutations = permutations;
        WordRange range = word_range(group);
        *reinterpret_cast<RowPair *>(column) = row_pair(word_of(range, even), word_of(range, odd));
        return;
    }
    if (group < 2 * STATE_WORDS) {
        u64 *column = columns + (COLUMN_INPUT + group - STATE_WORDS) * stride + row;
        InputLanes input;
        input.record = records + RECORD_WORDS * (first + p), input.used = p < used;
        u64 word = word_of(word_range(group - STATE_WORDS), input);
        *reinterpret_cast<RowPair *>(column) = row_pair(word, word);
        return;
    }
    const u32 k = static_cast<u32>(row % ROUNDS);
    const u64 exported = p < used ? 1 : 0;
    *reinterpret_cast<RowPair *>(columns + COLUMN_EXPORT * stride + row) = row_pair(exported, exported);
    u64 *column = columns + COLUMN_MOD3 * stride + row;
    UNROLL for (u32 digit = 1; digit < 3; digit++, column += stride)
        *reinterpret_cast<RowPair *>(column) = row_pair(k % 3 == digit, (k + 1) % 3 == digit);
    const u64 *place = scratch_word(scratch, row, ROW_CHI, permutations);
    u64 even = place[0], odd = place[ROW_WORDS * permutations];
    column = columns + COLUMN_CHI * stride + row;
    // The bits that some round constant sets: 2^j - 1.
    UNROLL for (u32 j = 0; j < 7; j++, column += stride) {
        const u32 z = (1u << j) - 1;
        *reinterpret_cast<RowPair *>(column) = row_pair(even >> z & 1, odd >> z & 1);
    }
}
