// Extension elements as residues of their coordinates, and sums of their products that are reduced once, to residues.
// Making a coordinate canonical costs four instructions, so values that are only multiplied stay residues.
#pragma once
#include "goldilocks.cuh"

struct Residues {
    u64 a0, a1, a2;
};

DEVICE Residues residues_of(const Fp3 &a) {
    Residues r;
    r.a0 = a.a0.value, r.a1 = a.a1.value, r.a2 = a.a2.value;
    return r;
}
DEVICE Fp3 canonical(const Residues &a) { return fp3(canonical(a.a0), canonical(a.a1), canonical(a.a2)); }

// Twice a canonical word, as a residue: an overflow leaves less than p - 1, so adding EPSILON for it does not
// overflow again. The highest bit spread over a word is that EPSILON.
DEVICE u64 twice_residue(u64 canonical) {
    return canonical + canonical + static_cast<u32>(static_cast<i32>(high(canonical)) >> 31);
}

// A factor of products in the extension: w^3 is 2, so two coordinates are also needed doubled.
struct Factor {
    u64 a0, a1, a2, twice1, twice2;
};

DEVICE Factor factor(const Fp3 &a) {
    Factor f;
    f.a0 = a.a0.value, f.a1 = a.a1.value, f.a2 = a.a2.value, f.twice1 = twice_residue(f.a1),
        f.twice2 = twice_residue(f.a2);
    return f;
}

DEVICE Factor factor(const Residues &a) { return factor(fp3(fp(a.a0), canonical(a.a1), canonical(a.a2))); }

// An unreduced sum of values times weights in the extension, or of products in it.
struct Weighed {
    Sum c0, c1, c2;
};

DEVICE Weighed weighed_zero() { Weighed s; s.c0 = s.c1 = s.c2 = sum_zero(); return s; }

DEVICE void add_product(Sum &s, u64 a, u64 b) { add_product(s, fp(a), fp(b)); }

DEVICE void add_product(Weighed &s, const Residues &a, const Factor &b) {
    add_product(s.c0, a.a0, b.a0), add_product(s.c0, a.a1, b.twice2), add_product(s.c0, a.a2, b.twice1);
    add_product(s.c1, a.a0, b.a1), add_product(s.c1, a.a1, b.a0), add_product(s.c1, a.a2, b.twice2);
    add_product(s.c2, a.a0, b.a2), add_product(s.c2, a.a1, b.a1), add_product(s.c2, a.a2, b.a0);
}

DEVICE void add_product(Weighed &s, const Residues &a, u64 b) {
    add_product(s.c0, a.a0, b), add_product(s.c1, a.a1, b), add_product(s.c2, a.a2, b);
}

DEVICE Residues residues_of(const Weighed &s) {
    Residues r;
    r.a0 = sum_residue(s.c0), r.a1 = sum_residue(s.c1), r.a2 = sum_residue(s.c2);
    return r;
}

DEVICE Residues multiply(const Residues &a, const Factor &b) {
    Weighed product = weighed_zero();
    add_product(product, a, b);
    return residues_of(product);
}
