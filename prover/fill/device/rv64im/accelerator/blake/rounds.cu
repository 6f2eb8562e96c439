// The rounds of a compression function: one row per round, one thread per row, as package blake defines them. The
// state before the round is computed again from what the call read, which is less work than writing the row. FUNCTION
// stands for the name of the table of calls.
#include "columns.cuh"
#include "layout.cuh"
#include "call.cuh"

using namespace accelerator_FUNCTION;

// A row and its columns' destination.
struct RoundRow {
    u64 *cells;
    u64 stride;

    DEVICE_MEMBER void put(u32 column, u64 value) const { cells[column * stride] = value; }
    DEVICE_MEMBER void put_bytes(u32 column, u32 i, u64 word) const {
        UNROLL for (u32 k = 0; k < WORD_BYTES; k++) put(column + WORD_BYTES * i + k, word >> (8 * k) & 0xff);
    }
    DEVICE_MEMBER void put_limbs(u32 column, u32 i, u64 word) const {
        put(column + LIMBS * i, low(word));
        if (LIMBS == 2) put(column + LIMBS * i + 1, high(word));
    }
};

struct PutQuarter {
    RoundRow row;
    DEVICE_MEMBER void operator()(u32 i, const Quarter &q) const {
        row.put_bytes(COLUMN_A1, i, q.a1), row.put_bytes(COLUMN_X1, i, q.x1), row.put_bytes(COLUMN_C1, i, q.c1);
        row.put_bytes(COLUMN_X2, i, q.x2), row.put_bytes(COLUMN_A2, i, q.a2), row.put_bytes(COLUMN_X3, i, q.x3);
        row.put_bytes(COLUMN_C2, i, q.c2), row.put_bytes(COLUMN_X4, i, q.x4), row.put_bytes(COLUMN_B2, i, q.b2);
#ifdef COLUMN_B1
        row.put_bytes(COLUMN_B1, i, q.b1);
#endif
    }
};

KERNEL(fill_FUNCTION_rounds, 128, u64 *columns, u64 stride, u64 rows, u64 first, const u64 *scratch, const u64 *records,
       u64 words, const u64 *read, u64 read_words) {
    const u64 number = global_index();
    if (number >= rows) return;
    const RoundRow row = {columns + number, stride};
    const u64 all = words * sizeof(u64) / sizeof(Call), left = all > first ? all - first : 0, own = number / ROUNDS;
    if (own >= left || own >= rows / ROUNDS) {
        NO_UNROLL for (u32 c = 0; c < COLUMNS; c++) row.put(c, 0);
        return;
    }
    const u32 place = static_cast<u32>(number % ROUNDS);
    row.put(COLUMN_TIME, 4ull * reinterpret_cast<const Call *>(records)[first + own].cycle);
    for (u32 i = 0; i < ROUNDS; i++) row.put(COLUMN_PLACE + i, i == place);
    u64 state[16], block[16];
    inputs_of(state, block, read + (first + own) * READ_WORDS);
    NO_UNROLL for (u32 r = 0; r < place; r++) round_of(state, block, r, PutNothing());
    UNROLL for (u32 i = 0; i < 4; i++) {
        row.put_limbs(COLUMN_A, i, state[i]), row.put_bytes(COLUMN_B, i, state[4 + i]);
        row.put_limbs(COLUMN_C, i, state[8 + i]), row.put_bytes(COLUMN_D, i, state[12 + i]);
    }
    UNROLL for (u32 i = 0; i < 16; i++) row.put_limbs(COLUMN_M, i, block[schedule[16 * place + i]]);
    const PutQuarter put = {row};
    round_of(state, block, place, put);
}
