// The results of accelerators' calls: one kernel per accelerator, one thread per call. The replay has stored what a
// call reads in place of what it writes (ROLE_CALL), so the kernels need only its accesses. The calls are those of a
// group of chunks.
#include "group.cuh"
#include "accelerators.cuh"

template <u32 NUMBER, u32 NUMBERS, u32 WORDS>
DEVICE void words_read(const Call &call, const WordAccess *accesses, u64 (&read)[NUMBERS + WORDS]) {
    UNROLL for (u32 i = 0; i < NUMBERS; i++) read[i] = call.arguments[call_argument[NUMBER * ARGUMENTS + i]];
    UNROLL for (u32 i = 0; i < WORDS; i++) read[NUMBERS + i] = accesses[i].value;
}

// The call writes the last words that it accesses.
template <u32 WORDS, u32 WRITTEN> DEVICE void put_written(WordAccess *accesses, const u64 (&written)[WRITTEN]) {
    UNROLL for (u32 i = 0; i < WRITTEN; i++) accesses[WORDS - WRITTEN + i].value = written[i];
}

template <u32 WORDS> DEVICE void keep_read(u64 *to, const u64 (&read)[WORDS]) {
    UNROLL for (u32 i = 0; i < WORDS; i++) to[i] = read[i];
}

#define WRITE_CALLS(NAME, NUMBER, NUMBERS, WORDS, WRITTEN, READ)                                                       \
    KERNEL(calls_##NAME, CALL_THREADS, Sets sets, u64 a, u64 b) {                                                      \
        if (faulty(sets) || global_index() >= carried_own(sets)[TABLE_##NAME]) return;                                 \
        const u64 i = carried_before(sets)[TABLE_##NAME] + global_index();                                             \
        const Call *call = set_of<const Call>(sets, TABLE_##NAME) + i;                                                 \
        const u64 access = call->access - carried_before(sets)[CARRIED_ACCESSES];                                      \
        WordAccess *accesses = set_of<WordAccess>(sets, SET_ACCESSES) + access;                                        \
        u64 read[NUMBERS + WORDS], written[WRITTEN];                                                                   \
        words_read<NUMBER, NUMBERS, WORDS>(*call, accesses, read);                                                     \
        if (READ != NO_SET) keep_read(set_of<u64>(sets, READ) + i * (NUMBERS + WORDS), read);                          \
        if (accelerator_##NAME::compute(read, written))                                                                \
            put_written<WORDS>(accesses, written);                                                                     \
        else                                                                                                           \
            report(sets, call->cycle, FAULT_CALL);                                                                     \
    }

EACH_ACCELERATOR(WRITE_CALLS)
