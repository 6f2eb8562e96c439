// Element-wise operations on columns of field elements.
#include "goldilocks.cuh"

// out[i] = value. Grid-stride: any launch covers any n.
KERNEL(fill, 256, u64 *out, u64 value, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) out[i] = value;
}

// out[i] = a[i] + b[i]; out may be a or b.
KERNEL(vector_add, 256, Fp *out, const Fp *a, const Fp *b, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) out[i] = a[i] + b[i];
}

// out[i] = a[i] - b[i]
KERNEL(vector_subtract, 256, Fp *out, const Fp *a, const Fp *b, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) out[i] = a[i] - b[i];
}

// out[i] = a[i] b[i]
KERNEL(vector_multiply, 256, Fp *out, const Fp *a, const Fp *b, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) out[i] = a[i] * b[i];
}

// out[i] = a[i] + scale b[i]
KERNEL(vector_axpy, 256, Fp *out, const Fp *a, const Fp *b, Fp scale, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) out[i] = a[i] + scale * b[i];
}
