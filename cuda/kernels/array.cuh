// Arrays of field elements in device memory. An extension element is three words, one in each of three columns.
#pragma once
#include "goldilocks.cuh"

struct FpArray {
    u64 *words;
    DEVICE_MEMBER Fp get(u64 i) const { return fp(words[i]); }
    DEVICE_MEMBER void put(u64 i, Fp a) const { words[i] = a.value; }
};

struct Fp3Array {
    u64 *words;
    u64 stride;  // from coordinate to coordinate
    DEVICE_MEMBER Fp3 get(u64 i) const { return fp3(fp(words[i]), fp(words[stride + i]), fp(words[2 * stride + i])); }
    DEVICE_MEMBER void put(u64 i, const Fp3 &a) const { words[i] = a.a0.value, words[stride + i] = a.a1.value, words[2 * stride + i] = a.a2.value; }
};

// at_offset is the address a number of bytes from base, in any buffer. An address that comes as a number by itself would be of
// no known memory, and its loads would be generic ones.
DEVICE const u64 *at_offset(const u64 *base, u64 bytes) { return reinterpret_cast<const u64 *>(reinterpret_cast<const u8 *>(base) + bytes); }
