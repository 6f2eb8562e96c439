// Batch inversion by Montgomery's trick: one inversion a block.
//
// A block of 128 threads inverts 1,024 elements. A thread multiplies up its 8; the 128 products go up a tree in shared
// memory; the root is inverted once; inverses come down the tree, each node giving its children their inverses by two
// multiplications; the thread comes back down its 8. About 4.3 multiplications an element in all.
//
// Zeros have no inverse: they count as one on the way, give zero, and are counted.
#include "goldilocks.cuh"

#define INVERT_THREADS 128
#define INVERT_EACH 8

DEVICE Fp one_of(Fp) { return fp(1); }
DEVICE Fp3 one_of(Fp3) { return fp3(fp(1)); }
DEVICE bool is_zero(Fp a) { return a.value == 0; }
DEVICE bool is_zero(const Fp3 &a) { return (a.a0.value | a.a1.value | a.a2.value) == 0; }
DEVICE Fp zero_of(Fp) { return fp(0); }
DEVICE Fp3 zero_of(const Fp3 &) { return fp3(fp(0)); }

// The columns of an array of base elements, or of extension elements by coordinates.
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

template <class Element, class Array> DEVICE void invert_block(const Array &out, const Array &in, u64 n, u64 *zeros) {
    SHARED(Element, tree, [2 * INVERT_THREADS]);  // a heap: the root at 1, the threads' products from INVERT_THREADS on
    u32 x = threadIdx.x;
    u64 first = static_cast<u64>(blockIdx.x) * (INVERT_THREADS * INVERT_EACH) + x;
    Element value[INVERT_EACH], before[INVERT_EACH];
    Element product = one_of(value[0]);
    u32 zero = 0;
    UNROLL for (u32 k = 0; k < INVERT_EACH; k++) {
        u64 i = first + k * INVERT_THREADS;
        value[k] = i < n ? in.get(i) : product;
        if (i >= n) value[k] = one_of(product);
        if (is_zero(value[k])) value[k] = one_of(product), zero |= 1u << k;
        before[k] = product;
        product = product * value[k];
    }
    if (zero != 0) atomicAdd(zeros, static_cast<u64>(__popc(zero)));
    tree[INVERT_THREADS + x] = product;
    NO_UNROLL for (u32 width = INVERT_THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (x < width) tree[width + x] = tree[2 * (width + x)] * tree[2 * (width + x) + 1];
    }
    __syncthreads();
    if (x == 0) tree[1] = inverse(tree[1]);
    NO_UNROLL for (u32 width = 1; width < INVERT_THREADS; width *= 2) {
        __syncthreads();
        if (x < width) {
            Element up = tree[width + x], left = tree[2 * (width + x)];
            tree[2 * (width + x)] = up * tree[2 * (width + x) + 1];
            tree[2 * (width + x) + 1] = up * left;
        }
    }
    __syncthreads();
    Element rest = tree[INVERT_THREADS + x];
    UNROLL for (u32 k = INVERT_EACH; k-- > 0;) {
        u64 i = first + k * INVERT_THREADS;
        Element result = rest * before[k];
        if (zero >> k & 1) result = zero_of(result);
        if (i < n) out.put(i, result);
        rest = rest * value[k];
    }
}

KERNEL(invert_base, INVERT_THREADS, FpArray out, FpArray in, u64 n, u64 *zeros) { invert_block<Fp>(out, in, n, zeros); }
KERNEL(invert_extension, INVERT_THREADS, Fp3Array out, Fp3Array in, u64 n, u64 *zeros) { invert_block<Fp3>(out, in, n, zeros); }
