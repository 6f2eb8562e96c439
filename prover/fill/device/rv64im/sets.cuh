// The parameter of every kernel of the replay: the address and length of each record set. Go generates the sets'
// numbers and structs.
#pragma once
#include "goldilocks.cuh"
#include "records.cuh"

template <class T> DEVICE T *set_of(const Sets &sets, u32 number) {
    return reinterpret_cast<T *>(sets.address[number]);
}
template <class T> DEVICE u64 length_of(const Sets &sets, u32 number) {
    return sets.words[number] * sizeof(u64) / sizeof(T);
}

// A fault ends the replay: the first by cycle is kept, and later kernels do nothing.
DEVICE void report(const Sets &sets, u64 cycle, u32 fault) {
    atomicMin(set_of<u64>(sets, SET_STATUS), cycle << 8 | fault);
}
DEVICE bool faulty(const Sets &sets) { return set_of<const u64>(sets, SET_STATUS)[0] != ~0ull; }
