// Batch inversion by Montgomery's trick: one inversion per block.
//
// A block of 128 threads inverts 1,024 elements. A thread multiplies its 8; the block inverts the 128 products
// together (batch.cuh); the thread goes back through its 8. That is about 3 multiplications per element. Values that
// are only multiplied are residues.
//
// Zeros have no inverse: they count as one in products, give zero, and are counted.
#include "array.cuh"
#include "batch.cuh"
#include "extension.cuh"

#define INVERT_THREADS 128
#define INVERT_EACH 8

DEVICE u64 residues_of(Fp a) { return a.value; }
DEVICE u64 times(u64 a, Fp b) { return multiply_residues(a, b.value); }
DEVICE Residues times(const Residues &a, const Fp3 &b) { return multiply(a, factor(b)); }

template <class Element, class Residue, class Array>
DEVICE void invert_block(const Array &out, const Array &in, u64 n, u64 *zeros) {
    SHARED(Element, tree, [2 * INVERT_THREADS]);
    u32 x = threadIdx.x;
    u64 first = static_cast<u64>(blockIdx.x) * (INVERT_THREADS * INVERT_EACH) + x;
    const Element one = one_of(Element());
    Element value[INVERT_EACH];
    Residue before[INVERT_EACH], product = residues_of(one);  // before[k] is the product of the values before value k
    u32 zero = 0;
    UNROLL for (u32 k = 0; k < INVERT_EACH; k++) {
        u64 i = first + k * INVERT_THREADS;
        value[k] = i < n ? get(in, i) : one;
        if (is_zero(value[k])) value[k] = one, zero |= 1u << k;
        before[k] = product;
        product = k == 0 ? residues_of(value[0]) : times(product, value[k]);
    }
    if (zero != 0) atomicAdd(zeros, static_cast<u64>(__popc(zero)));
    Element rest = invert_in_block<INVERT_THREADS>(tree, canonical(product));
    UNROLL for (u32 k = INVERT_EACH; k-- > 0;) {
        u64 i = first + k * INVERT_THREADS;
        Element result = k == 0 ? rest : canonical(times(before[k], rest));
        if (zero >> k & 1) result = zero_of(result);
        if (i < n) put(out, i, result);
        if (k > 0) rest = canonical(times(residues_of(rest), value[k]));
    }
}

KERNEL(invert_base, INVERT_THREADS, FpArray out, FpArray in, u64 n, u64 *zeros) {
    invert_block<Fp, u64>(out, in, n, zeros);
}
KERNEL(invert_extension, INVERT_THREADS, Fp3Array out, Fp3Array in, u64 n, u64 *zeros) {
    invert_block<Fp3, Residues>(out, in, n, zeros);
}
