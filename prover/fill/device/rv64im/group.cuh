// A group of chunks: the trace is replayed group by group, and carries state from one group to the next.
#pragma once
#include "sets.cuh"

struct Group {
    u64 first, end, chunks;
    bool keeps;  // its records are those of the run, or of the shard; else later ones overwrite them
    bool ends;   // the program ends with it
};

// A group as launches name it: its first chunk, and the chunk after it with flags above.
DEVICE Group group_of(u64 a, u64 b) {
    const u64 end = low(b);
    return {a, end, end - a, (b & GROUP_KEEPS) != 0, (b & GROUP_ENDS) != 0};
}

// Rows are counted by table and chunk of the group, accesses to words in an additional table. Register accesses have
// times, first and last in the chunk; above the last is the register's number, so that a running maximum never carries
// over from one register to the next.
DEVICE u64 count_place(const Group &group, u32 table, u64 own) { return table * group.chunks + own; }
#define CLOCK_BITS 40
DEVICE u64 clock_word(u32 r, u64 time) { return static_cast<u64>(r) << CLOCK_BITS | time; }
DEVICE u64 clock_place(const Group &group, u32 r, u64 own) { return r * (group.chunks + 1) + own; }

// The number of rows of a table in the group's chunks before this one.
DEVICE u64 count_before(const Sets &sets, const Group &group, u32 table, u64 own) {
    const u64 *counts = set_of<const u64>(sets, SET_COUNTS);
    return counts[count_place(group, table, own)] - counts[count_place(group, table, 0)];
}

// The carried state: rows of each table, accesses, refreshes, then the last time of each register and the number of
// words of memory that are known. It exists twice, before and after the group; the rows, accesses and refreshes of
// the group follow.
DEVICE u64 *carried_before(const Sets &sets) { return set_of<u64>(sets, SET_CARRIED); }
DEVICE u64 *carried_behind(const Sets &sets) { return set_of<u64>(sets, SET_CARRIED) + CARRIED_WORDS; }
DEVICE u64 *carried_own(const Sets &sets) { return set_of<u64>(sets, SET_CARRIED) + 2 * CARRIED_WORDS; }
