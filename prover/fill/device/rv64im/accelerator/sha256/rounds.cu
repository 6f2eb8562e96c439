// Table SHA256F: 17 rows per call, as package sha256 defines them.
//
// A thread per call writes the words of the sequences A, E and W to scratch memory, four of each per row: word j of a
// row is word 4 row + j. Then a thread per row writes some of its columns; a row of blocks writes the same columns of
// all rows. The rows after the calls have zeros for words, but the values that follow from the words of adjacent
// rows, also across the table's end, need not be 0.
#include "columns.cuh"
#include "layout.cuh"
#include "call.cuh"

using namespace accelerator_SHA256;

#define SEQUENCE_A 0u
#define SEQUENCE_E 1u
#define SEQUENCE_W 2u
#define SEQUENCES 3u

static_assert(COLUMN_E == COLUMN_A + WORDS_OF_ROW * 32 && COLUMN_W == COLUMN_E + WORDS_OF_ROW * 32, "");
static_assert(GROUP_PLACE == SEQUENCES * WORDS_OF_ROW && GROUP_CARRIES == GROUP_PLACE + 1 &&
    GROUPS == GROUP_CARRIES + WORDS_OF_ROW, "");

// The number of calls in the instance, with first calls in earlier ones.
DEVICE u64 calls_of(u64 rows, u64 first, u64 words) {
    const u64 all = words * sizeof(u64) / sizeof(Call), left = all > first ? all - first : 0,
        room = rows / ROWS_OF_CALL;
    return left < room ? left : room;
}

// Writes the sequences of a call.
struct PutSequences {
    u32 *to;
    u64 length;  // of a sequence
    DEVICE_MEMBER void operator()(u32 i, u32 a, u32 e, u32 w) const {
        to[SEQUENCE_A * length + i] = a, to[SEQUENCE_E * length + i] = e, to[SEQUENCE_W * length + i] = w;
    }
};

KERNEL(fill_sha256_sequences, 128, u64 *columns, u64 stride, u64 rows, u64 first, u64 *scratch, const u64 *records,
    u64 words,
       const u64 *read, u64 read_words) {
    const u64 call = global_index();
    if (call >= calls_of(rows, first, words)) return;
    Sha256Inputs s;
    sha256_inputs(s, read + (first + call) * READ_WORDS);
    PutSequences put;
    put.to = reinterpret_cast<u32 *>(scratch) + call * ROWS_OF_CALL * WORDS_OF_ROW, put.length = rows * WORDS_OF_ROW;
    sha256_run(s, put);
}

// The words of rows, with the first row following the last.
struct Sequences {
    const u32 *words;
    u64 rows, used;
    DEVICE_MEMBER u32 at(u32 sequence, u64 row, u32 j) const {
        row = (row + rows + j / WORDS_OF_ROW) % rows;
        return row < used ? words[(sequence * rows + row) * WORDS_OF_ROW + j % WORDS_OF_ROW] : 0;
    }
    // The initial value that a row passes down the schedule for its word j.
    DEVICE_MEMBER u64 begun(u64 row, u32 j) const {
        return static_cast<u64>(at(SEQUENCE_W, row, j)) + sha256_small0(at(SEQUENCE_W, row, j + 1));
    }
};

// A cell of a row: column is the address of the row 0 cell.
DEVICE void put(u64 *columns, u64 stride, u64 row, u32 column, u64 value) { columns[column * stride + row] = value; }

// The carry from a sum into a word, in units of 2^32: low + factor high. Where no constraint binds them, low is 0,
// and high satisfies the equation.
struct Carried {
    u64 low, high;
};

DEVICE void carried(Carried &c, u64 sum, u64 word, u32 factor, u64 inverse, bool bound) {
    const u64 count = (sum - word) >> 32;
    c.low = bound ? count % factor : 0;
    c.high = bound ? count / factor : ((fp(sum) - fp(word)) * fp(inverse)).value;
}

// The columns of word j of a row that are not bits: the schedule's partial sums, and the carries into the next row's
// words.
DEVICE void put_carries(const Sequences &s, u64 *columns, u64 stride, u64 row, u32 j) {
    const u64 third = s.begun(row - 3, j) + s.at(SEQUENCE_W, row - 1, j + 1);
    put(columns, stride, row, COLUMN_FIRST + j, s.begun(row - 1, j));
    put(columns, stride, row, COLUMN_SECOND + j, s.begun(row - 2, j));
    put(columns, stride, row, COLUMN_THIRD + j, third);
    const u32 place = static_cast<u32>(row % ROWS_OF_CALL), next = WORDS_OF_ROW + j;
    const bool goes_on = row < s.used && place + 1 < ROWS_OF_CALL;
    const u32 new_w = s.at(SEQUENCE_W, row, next), new_e = s.at(SEQUENCE_E, row, next);
    const u32 d = s.at(SEQUENCE_A, row, j), h = s.at(SEQUENCE_E, row, j);
    const u32 a1 = s.at(SEQUENCE_A, row, j + 3), a2 = s.at(SEQUENCE_A, row, j + 2), a3 = s.at(SEQUENCE_A, row, j + 1);
    const u32 e1 = s.at(SEQUENCE_E, row, j + 3), e2 = s.at(SEQUENCE_E, row, j + 2), e3 = s.at(SEQUENCE_E, row, j + 1);

    Carried c;
    carried(c, third + sha256_small1(s.at(SEQUENCE_W, row, j + 2)), new_w, 2, INVERSE_2,
        goes_on && place >= GIVEN_ROWS);
    put(columns, stride, row, COLUMN_SCHEDULELOW + j, c.low),
        put(columns, stride, row, COLUMN_SCHEDULEHIGH + j, c.high);

    u64 sum = static_cast<u64>(d) + h + sha256_large1(e1) + sha256_choice(e1, e2, e3) + new_w;
    if (goes_on) sum += sha256_round_constants[WORDS_OF_ROW * place + j];
    carried(c, sum, new_e, 3, INVERSE_3, goes_on);
    put(columns, stride, row, COLUMN_ELOW + j, c.low), put(columns, stride, row, COLUMN_EHIGH + j, c.high);

    // A's equation is for A_i + A_{i-4}. Its sum includes 2^32, which keeps the carry non-negative.
    sum = static_cast<u64>(new_e) + sha256_large0(a1) + sha256_majority(a1, a2, a3);
    if (goes_on) sum += 1ull << 32;
    const u64 new_a = static_cast<u64>(s.at(SEQUENCE_A, row, next)) + d;
    carried(c, sum, new_a, 2, INVERSE_2, goes_on);
    put(columns, stride, row, COLUMN_ALOW + j, c.low), put(columns, stride, row, COLUMN_AHIGH + j, c.high);
}

// One row of blocks for the bits of each word, one for time and position, and one for each word's other columns.
KERNEL(fill_sha256_rows, 256, u64 *columns, u64 stride, u64 rows, u64 first, const u64 *scratch, const u64 *records,
    u64 words,
       const u64 *read, u64 read_words) {
    const u64 row = global_index();
    if (row >= rows) return;
    Sequences s;
    s.words = reinterpret_cast<const u32 *>(scratch), s.rows = rows,
        s.used = calls_of(rows, first, words) * ROWS_OF_CALL;
    const u32 group = blockIdx.y;
    if (group < GROUP_PLACE) {
        const u32 word = s.at(group / WORDS_OF_ROW, row, group % WORDS_OF_ROW);
        UNROLL for (u32 z = 0; z < 32; z++) put(columns, stride, row, COLUMN_A + 32 * group + z, word >> z & 1);
        return;
    }
    if (group >= GROUP_CARRIES) {
        put_carries(s, columns, stride, row, group - GROUP_CARRIES);
        return;
    }
    const bool used = row < s.used;
    put(columns, stride, row, COLUMN_TIME,
        used ? 4ull * reinterpret_cast<const Call *>(records)[first + row / ROWS_OF_CALL].cycle : 0);
    for (u32 i = 0; i < ROWS_OF_CALL; i++) put(columns, stride, row, COLUMN_PLACE + i, used && row % ROWS_OF_CALL == i);
}
