// One inversion for all threads of a block: Montgomery's trick as a tree.
#pragma once
#include "goldilocks.cuh"

DEVICE Fp one_of(Fp) { return fp(1); }
DEVICE Fp3 one_of(const Fp3 &) { return fp3(fp(1)); }
DEVICE Fp zero_of(Fp) { return fp(0); }
DEVICE Fp3 zero_of(const Fp3 &) { return fp3(fp(0)); }
DEVICE bool is_zero(Fp a) { return a.value == 0; }
DEVICE bool is_zero(const Fp3 &a) { return (a.a0.value | a.a1.value | a.a2.value) == 0; }

// invert_in_block gives each of THREADS threads the inverse of its own product, which must not be zero. The products
// go up a tree in shared memory, a heap of 2 THREADS elements with its root at 1; the root is inverted once; inverses
// go down, each node computing its children's by two multiplications.
template <u32 THREADS, class Element> DEVICE Element invert_in_block(Element *tree, const Element &product) {
    u32 x = threadIdx.x;
    tree[THREADS + x] = product;
    NO_UNROLL for (u32 width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (x < width) tree[width + x] = tree[2 * (width + x)] * tree[2 * (width + x) + 1];
    }
    __syncthreads();
    if (x == 0) tree[1] = inverse(tree[1]);
    NO_UNROLL for (u32 width = 1; width < THREADS; width *= 2) {
        __syncthreads();
        if (x < width) {
            Element up = tree[width + x], left = tree[2 * (width + x)];
            tree[2 * (width + x)] = up * tree[2 * (width + x) + 1];
            tree[2 * (width + x) + 1] = up * left;
        }
    }
    __syncthreads();
    return tree[THREADS + x];
}
