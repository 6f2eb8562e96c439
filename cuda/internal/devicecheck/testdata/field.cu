// Every field operation of goldilocks.cuh and lazy.cuh.
#include "keccak.cuh"
#include "lazy.cuh"

#define RESULTS 35

// in: six canonical words per case; x and y are any 64-bit words. out: RESULTS words per case.
KERNEL(check_field, 128, u64 *out, const u64 *in, const u64 *raw, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) {
        const Fp *e = reinterpret_cast<const Fp *>(in) + 6 * i;
        Fp a = e[0], b = e[1];
        Fp3 s = fp3(e[0], e[1], e[2]), t = fp3(e[3], e[4], e[5]);
        u64 x = raw[2 * i], y = raw[2 * i + 1];
        u64 *r = out + RESULTS * i;
        u32 k = 0;
        r[k++] = (a + b).value, r[k++] = (a - b).value, r[k++] = (a * b).value, r[k++] = (-a).value;
        r[k++] = inverse(a).value, r[k++] = power(a, x).value, r[k++] = canonical(x).value;
        r[k++] = multiply_residues(x, y), r[k++] = canonical(reduce(low(x), high(x), low(y), high(y))).value;
        Fp3 results[6] = {s + t, s - t, s * t, -s, inverse(s), s * a};
        for (u32 j = 0; j < 6; j++)
            r[k++] = results[j].a0.value, r[k++] = results[j].a1.value, r[k++] = results[j].a2.value;
        Sum sum = sum_zero();
        for (u32 j = 0; j < 1000; j++) add_product(sum, e[j % 6], e[(j + 1) % 6]);
        r[k++] = total(sum).value;
        r[k++] = residue(lazy(x) + lazy(y)), r[k++] = residue(lazy(x) - lazy(y));
        Lazy grown = lazy(x), shrunk = lazy(0) - lazy(x);
        for (u32 j = 0; j < 12; j++) grown = grown + grown, shrunk = shrunk + shrunk;
        r[k++] = residue(grown), r[k++] = residue(shrunk);
        r[k++] = reduce_words(low(x), high(x), low(y), high(y), high(x) >> 1);
        Lazy above = lazy(x), below = lazy(0) - lazy(x);
        for (u32 j = 0; j < 4; j++) above = above + above, below = below + below;
        r[k++] = positive_residue(lifted(above + lazy(y))), r[k++] = positive_residue(lifted(below - lazy(y)));
    }
}

// times_power by every multiple of 3, the powers of the root of order 64, of a value with a third word.
template <u32 SHIFT> DEVICE void shifts(u64 *out, Lazy a) {
    out[SHIFT / 3] = residue(times_power<SHIFT>(a));
    if constexpr (SHIFT + 3 < 192) shifts<SHIFT + 3>(out, a);
}

KERNEL(check_shifts, 64, u64 *out, const u64 *raw, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) {
        Lazy sum = lazy(raw[2 * i]) + lazy(raw[2 * i + 1]), difference = lazy(raw[2 * i]) - lazy(raw[2 * i + 1]);
        for (u32 j = 0; j < 6; j++) sum = sum + sum, difference = difference + difference;
        shifts<0>(out + 128 * i, sum);
        shifts<0>(out + 128 * i + 64, difference);
    }
}

// The hash of two digests, and the permutation.
KERNEL(check_keccak, 64, u64 *out, const u64 *in, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) {
        const Digest *pair = reinterpret_cast<const Digest *>(in + 8 * i);
        Digest d = keccak_pair(pair[0], pair[1]);
        for (u32 k = 0; k < 4; k++) out[4 * i + k] = d.lanes[k];
    }
}
