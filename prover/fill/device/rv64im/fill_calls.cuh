// The kernel of an accelerator's rows. Each accelerator has a file of its own, because its arithmetic takes seconds to
// compile and most programs call few of them.
#pragma once
#include "calls.cuh"
#include "fill.cuh"

// The rows of an accelerator's calls. The written values are computed again.
#define FILLER_OF_CALLS(NAME, NUMBER, NUMBERS, WORDS, WRITTEN, READ)                                                   \
    KERNEL(fill_##NAME, 256, Instances instances, const u64 *records, u64 words, const u64 *old, u64 old_words,        \
           const u64 *previous, u64 previous_words) {                                                                  \
        ROW_OF_RECORD(NAME, Call)                                                                                      \
        const Accesses accesses = {old, previous};                                                                     \
        u64 read[NUMBERS + WORDS], written[WRITTEN];                                                                   \
        called<NUMBER, NUMBERS, WORDS>(row, x, accesses, read);                                                        \
        accelerator_##NAME::compute(read, written);                                                                    \
        put_written(row, written);                                                                                     \
        accelerator_##NAME::own_columns<Columns##NAME>(row, read, written);                                            \
    }
