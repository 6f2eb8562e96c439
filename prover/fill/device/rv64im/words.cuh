// The accesses to words that are sorted with a group: what is known of memory before it, an access for each word (at
// first those that bring initial contents or only say that a word is to be there), and behind them the group's, in the
// order of time.
#pragma once
#include "group.cuh"

DEVICE u64 known_words(const Sets &sets) { return carried_before(sets)[CARRIED_STATE]; }
DEVICE u64 all_words(const Sets &sets) { return known_words(sets) + carried_own(sets)[CARRIED_ACCESSES]; }

// state is the set of what is known.
DEVICE const WordAccess *word_access(const Sets &sets, u32 state, u32 i) {
    const u32 known = static_cast<u32>(known_words(sets));
    return i < known ? set_of<const WordAccess>(sets, state) + i
        : set_of<const WordAccess>(sets, SET_ACCESSES) + (i - known);
}

DEVICE u32 word_of_key(u64 key) { return high(key); }
