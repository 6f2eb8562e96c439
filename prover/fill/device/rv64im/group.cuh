// A group of chunks: the trace is replayed group by group, and what one needs of those before it is carried.
#pragma once
#include "sets.cuh"

struct Group {
    u64 first, end, chunks;
    bool keeps;  // its records are those of the run, or of the shard; else others will come in their place
    bool ends;   // the program ends with it
};

// As launches name it: its first chunk, and the one behind it with flags above.
DEVICE Group group_of(u64 a, u64 b) {
    const u64 end = low(b);
    return {a, end, end - a, (b & GROUP_KEEPS) != 0, (b & GROUP_ENDS) != 0};
}

// Rows are counted by table and chunk of the group, accesses to words in a table of their own behind. Register accesses
// have times in slots, first and last in the chunk; of the last the register's number is the high half, so that a
// running maximum never carries over from one register to the next.
DEVICE u64 count_place(const Group &group, u32 table, u64 own) { return table * group.chunks + own; }
DEVICE u64 clock_place(const Group &group, u32 r, u64 own) { return r * (group.chunks + 1) + own; }

// How many rows of a table the group's chunks before one have.
DEVICE u64 count_before(const Sets &sets, const Group &group, u32 table, u64 own) {
    const u64 *counts = set_of<const u64>(sets, SET_COUNTS);
    return counts[count_place(group, table, own)] - counts[count_place(group, table, 0)];
}

// What is carried: rows of each table, accesses, refreshes, then the last time of each register and the number of words
// of memory that are known. It is there twice, before the group and behind it; then come the rows, accesses and
// refreshes of the group.
DEVICE u64 *carried_before(const Sets &sets) { return set_of<u64>(sets, SET_CARRIED); }
DEVICE u64 *carried_behind(const Sets &sets) { return set_of<u64>(sets, SET_CARRIED) + CARRIED_WORDS; }
DEVICE u64 *carried_own(const Sets &sets) { return set_of<u64>(sets, SET_CARRIED) + 2 * CARRIED_WORDS; }
