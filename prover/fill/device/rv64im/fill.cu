// Fills the tables of instructions, registers and memory from their records: one kernel per table.
#include "add.cuh"
#include "calls.cuh"
#include "chains.cuh"
#include "compare.cuh"
#include "divide.cuh"
#include "fill.cuh"
#include "logic.cuh"
#include "multiply.cuh"
#include "shift.cuh"
#include "unaligned.cuh"

#define PROGRAM_ROW const ProgramRow k = reinterpret_cast<const ProgramRow *>(program)[x.row];

#define FILLER_OF_TOKENS(NAME, RECORD, FILL)                                                        \
    KERNEL(fill_##NAME, 256, Instances instances, const u64 *records, u64 words) {                  \
        ROW_OF_RECORD(NAME, RECORD)                                                                 \
        FILL(row, x);                                                                               \
    }

#define FILLER(NAME, RECORD, FILL)                                                                                     \
    KERNEL(fill_##NAME, 256, Instances instances, const u64 *records, u64 words, const u64 *program,                   \
           u64 program_words) {                                                                                        \
        ROW_OF_RECORD(NAME, RECORD)                                                                                    \
        PROGRAM_ROW                                                                                                    \
        FILL(row, x, k);                                                                                               \
    }

#define FILLER_WITH_ACCESSES(NAME, RECORD, FILL)                                                                       \
    KERNEL(fill_##NAME, 256, Instances instances, const u64 *records, u64 words, const u64 *program,                   \
           u64 program_words, const u64 *old, u64 old_words, const u64 *previous, u64 previous_words) {                \
        ROW_OF_RECORD(NAME, RECORD)                                                                                    \
        PROGRAM_ROW                                                                                                    \
        const Accesses accesses = {old, previous};                                                                     \
        FILL(row, x, k, accesses);                                                                                     \
    }

FILLER(J, Plain, jump)
FILLER(UJ, Constant, constant)
FILLER(MV, Unary, move)
FILLER(ADDI, Unary, add_constant)
FILLER(ADDIQ, Unary, add_in_place)
FILLER(ADDIW, Unary, add_constant32)
FILLER(ADD, Binary, add)
FILLER(SUB, Binary, subtract)
FILLER(LOGR, Binary, logic)
FILLER(LOGI, Unary, logic_constant)
FILLER(SHI, Unary, shift_constant)
FILLER(SHWI, Unary, shift_constant32)
FILLER(SHR, Binary, shift_register)
FILLER(SHWR, Binary, shift_register32)
FILLER(BEQZ, Branch, if_zero)
FILLER(BEQ, Branch, if_equal)
FILLER(BLTU, Branch, if_less)
FILLER(BLT, Branch, if_less_signed)
FILLER(SLTU, Binary, set_less)
FILLER(SLT, Binary, set_less_signed)
FILLER(JALR, Unary, jump_register_link)
FILLER(JR, Branch, jump_register)
FILLER(MUL, Binary, multiply)
FILLER(MULHU, Binary, multiply_high)
FILLER(MULH, Binary, multiply_high_signed)
FILLER(DIV, Binary, divide)
FILLER(HALT, Halt, halt)
FILLER(CALL, Call, call)
FILLER_WITH_ACCESSES(LD, Load, load_double)
FILLER_WITH_ACCESSES(LW, Load, load_word)
FILLER_WITH_ACCESSES(LBH, Load, load_small)
FILLER_WITH_ACCESSES(SD, Store, store_double)
FILLER_WITH_ACCESSES(SW, Store, store_word)
FILLER_WITH_ACCESSES(SBH, Store, store_small)
FILLER_WITH_ACCESSES(UNAL, Load, unaligned)
FILLER_OF_TOKENS(REFRESH, Refresh, refresh)
FILLER_OF_TOKENS(REG, Final, final_token)

// The boundary has an entry in every row: what its order needs, and words that were never touched.
KERNEL(fill_MB, 256, Instances instances, const u64 *must, u64 words) {
    typedef ColumnsMB C;
    const u64 number = global_index();
    Row<C> row;
    if (!place_row(instances, number, row.cells, row.stride)) return;
    const u64 rows = instances.first[instances.count];
    BoundaryRows boundary;
    boundary_rows(boundary, reinterpret_cast<const Touched *>(must), words / (sizeof(Touched) / sizeof(u64)), rows);
    Touched t, next;
    boundary_row(t, boundary, number);
    boundary_row(next, boundary, number + 1 < rows ? number + 1 : number);
    row.put(C::w, t.word), row.put(C::d, number + 1 < rows ? next.word - t.word - 1 : 0), row.put(C::fts, t.last);
    row.put_limbs(C::lo, C::hi, t.value);
}

// The private input: its words in order. Accessed words have the index in records, others 0.
KERNEL(fill_PRIV, 256, Instances instances, const u64 *records, u64 words) {
    typedef ColumnsPRIV C;
    const u64 number = global_index();
    Row<C> row;
    if (!place_row(instances, number, row.cells, row.stride)) return;
    const bool found = number < words / (sizeof(InitialWord) / sizeof(u64)) &&
        reinterpret_cast<const InitialWord *>(records)[number].index != 0;
    const u64 value = found ? reinterpret_cast<const InitialWord *>(records)[number].value : 0;
    row.put(C::m, found), row.put(C::w, PRIVATE_INPUT_WORD + number);
    row.put_halves(C::c0, C::c1, low(value)), row.put_halves(C::c2, C::c3, high(value));
}
