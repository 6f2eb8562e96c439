// The accesses to words: those that bring initial contents or only say that a word is to be there, and behind them the program's,
// in the order of time.
#pragma once
#include "sets.cuh"

DEVICE u64 initial_words(const Sets &sets) { return length_of<WordAccess>(sets, SET_INITIAL); }
DEVICE u64 all_words(const Sets &sets) { return initial_words(sets) + length_of<WordAccess>(sets, SET_ACCESSES); }
DEVICE const WordAccess *word_access(const Sets &sets, u64 i) {
    const u64 initial = initial_words(sets);
    return i < initial ? set_of<const WordAccess>(sets, SET_INITIAL) + i : set_of<const WordAccess>(sets, SET_ACCESSES) + (i - initial);
}

DEVICE u32 word_of_key(u64 key) { return high(key); }
