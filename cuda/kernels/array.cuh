// Arrays of field elements in device memory. An extension element is three words, one in each of three columns.
#pragma once
#include "array_struct.cuh"

struct FpArray {
    u64 *words;
};

DEVICE Fp get(const FpArray &a, u64 i) { return fp(a.words[i]); }
DEVICE void put(const FpArray &a, u64 i, Fp x) { a.words[i] = x.value; }

DEVICE Fp3 get(const Fp3Array &a, u64 i) {
    return fp3(fp(a.words[i]), fp(a.words[a.stride + i]), fp(a.words[2 * a.stride + i]));
}
DEVICE void put(const Fp3Array &a, u64 i, const Fp3 &x) {
    a.words[i] = x.a0.value, a.words[a.stride + i] = x.a1.value, a.words[2 * a.stride + i] = x.a2.value;
}

// at_offset is the address at a number of bytes from base, in any buffer. Given the address as an integer, the compiler
// would not know its memory space and would use generic loads.
DEVICE const u64 *at_offset(const u64 *base, u64 bytes) {
    return reinterpret_cast<const u64 *>(reinterpret_cast<const u8 *>(base) + bytes);
}
