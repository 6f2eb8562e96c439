// The accesses to words that are sorted with a group: the state of memory before it, one access per word (at first,
// accesses that supply initial contents or only declare a word), followed by the group's accesses in the order of
// time.
#pragma once
#include "group.cuh"

DEVICE u64 known_words(const Sets &sets) { return carried_before(sets)[CARRIED_STATE]; }
DEVICE u64 all_words(const Sets &sets) { return known_words(sets) + carried_own(sets)[CARRIED_ACCESSES]; }

// state is the set with the state of memory.
DEVICE const WordAccess *word_access(const Sets &sets, u32 state, u32 i) {
    const u32 known = static_cast<u32>(known_words(sets));
    return i < known ? set_of<const WordAccess>(sets, state) + i
        : set_of<const WordAccess>(sets, SET_ACCESSES) + (i - known);
}

DEVICE u32 word_of_key(u64 key) { return high(key); }
