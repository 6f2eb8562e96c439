// Batch inversion by Montgomery's trick: one inversion a block.
//
// A block of 128 threads inverts 1,024 elements. A thread multiplies up its 8; the block inverts the 128 products at once
// (batch.cuh); the thread comes back down its 8. About 4.3 multiplications an element in all.
//
// Zeros have no inverse: they count as one on the way, give zero, and are counted.
#include "array.cuh"
#include "batch.cuh"

#define INVERT_THREADS 128
#define INVERT_EACH 8

template <class Element, class Array> DEVICE void invert_block(const Array &out, const Array &in, u64 n, u64 *zeros) {
    SHARED(Element, tree, [2 * INVERT_THREADS]);
    u32 x = threadIdx.x;
    u64 first = static_cast<u64>(blockIdx.x) * (INVERT_THREADS * INVERT_EACH) + x;
    Element value[INVERT_EACH], before[INVERT_EACH];
    Element product = one_of(value[0]);
    u32 zero = 0;
    UNROLL for (u32 k = 0; k < INVERT_EACH; k++) {
        u64 i = first + k * INVERT_THREADS;
        value[k] = i < n ? get(in, i) : product;
        if (i >= n) value[k] = one_of(product);
        if (is_zero(value[k])) value[k] = one_of(product), zero |= 1u << k;
        before[k] = product;
        product = product * value[k];
    }
    if (zero != 0) atomicAdd(zeros, static_cast<u64>(__popc(zero)));
    Element rest = invert_in_block<INVERT_THREADS>(tree, product);
    UNROLL for (u32 k = INVERT_EACH; k-- > 0;) {
        u64 i = first + k * INVERT_THREADS;
        Element result = rest * before[k];
        if (zero >> k & 1) result = zero_of(result);
        if (i < n) put(out, i, result);
        rest = rest * value[k];
    }
}

KERNEL(invert_base, INVERT_THREADS, FpArray out, FpArray in, u64 n, u64 *zeros) { invert_block<Fp>(out, in, n, zeros); }
KERNEL(invert_extension, INVERT_THREADS, Fp3Array out, Fp3Array in, u64 n, u64 *zeros) { invert_block<Fp3>(out, in, n, zeros); }
