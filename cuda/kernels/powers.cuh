// Powers of a base from two tables, and the order of points in bit-reversed columns.
#pragma once
#include "goldilocks.cuh"

// Powers of one base by two tables: base^e = low[e mod 2^13] high[e / 2^13], for e below 2^26.
#define POWER_LOG 13
#define ROOT_LOG 26  // the order of the root whose powers are kept

struct Powers {
    const u64 *low, *high;
};

DEVICE u64 power_residue(const Powers &p, u32 e) {
    return multiply_residues(p.low[e & ((1u << POWER_LOG) - 1)], p.high[e >> POWER_LOG]);
}

// The low BITS bits of x in reverse.
DEVICE u32 reverse_bits(u32 x, u32 bits) { return bits == 0 ? 0 : __brev(x) >> (32 - bits); }

// root_residue is w^e for w of order 2^order, e below that, from the powers of the root of order 2^26.
DEVICE u64 root_residue(const Powers &root, u32 e, u32 order) { return power_residue(root, e << (ROOT_LOG - order)); }
