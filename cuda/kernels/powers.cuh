// Powers of a base from two tables, and the order of points in bit-reversed columns.
#pragma once
#include "powers_struct.cuh"

// base^e from its tables. The root whose powers are tabulated has order 2^ROOT_LOG.
DEVICE u64 power_residue(const Powers &p, u32 e) {
    return multiply_residues(p.low[e & ((1u << POWER_LOG) - 1)], p.high[e >> POWER_LOG]);
}

// The low BITS bits of x in reverse.
DEVICE u32 reverse_bits(u32 x, u32 bits) { return bits == 0 ? 0 : __brev(x) >> (32 - bits); }

// root_residue is w^e for w of order 2^order, e below that, from the powers of the root of order 2^26.
DEVICE u64 root_residue(const Powers &root, u32 e, u32 order) { return power_residue(root, e << (ROOT_LOG - order)); }
