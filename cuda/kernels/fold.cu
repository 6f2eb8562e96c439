// Folding FRI codewords.
//
// A codeword holds f at w^rev(i), w of its size's order. Entries 2P and 2P + 1 are f(y) and f(-y), and fold to
//   (f(y) + f(-y)) / 2 + beta (f(y) - f(-y)) / (2 y),
// an entry of the codeword over the squares. Folding a row of 2^A entries is A such steps, the l-th with beta^(2^l).
// In pair P of a step, bit k of P stands for the root of order 2^(k+2): the low bits, the index in the row, give
// powers of two, and the others, the row, give a factor that is squared from step to step.
#include "array.cuh"
#include "powers.cuh"

#define FOLD_THREADS 128

// 2^e modulo p.
DEVICE constexpr u64 power_of_two(u32 e) {
    u64 x = 1;
    for (u32 i = 0; i < e; i++) x = x < GOLDILOCKS_P - x ? 2 * x : x - (GOLDILOCKS_P - x);
    return x;
}
// PairPoint::inverse is the inverse of the product of the roots of order 2^(k+2) over the bits k of PAIR. The root of
// order 2^(k+2) is 2^(48 / 2^k), and 2 has order 192.
template <u32 PAIR> struct PairPoint {
    static constexpr u32 exponent = 48 * (PAIR & 1) + 24 * (PAIR >> 1 & 1) + 12 * (PAIR >> 2 & 1);
    static constexpr u64 inverse = power_of_two(192 - exponent);
};

// Fold<LEVELS, PLACE> folds 2^LEVELS entries, part number PLACE of that size in the row, to one; factors[l] is
// beta^(2^l) over the row's part of the point of step l. The halvings are omitted: the caller divides by 2^A at the
// end.
template <u32 LEVELS, u32 PLACE> struct Fold {
    DEVICE_MEMBER static Fp3 of(const Fp3Array &in, u64 first, const Fp3 *factors) {
        Fp3 here = Fold<LEVELS - 1, 2 * PLACE>::of(in, first, factors),
            opposite = Fold<LEVELS - 1, 2 * PLACE + 1>::of(in, first, factors);
        Fp3 factor = factors[LEVELS - 1];
        if constexpr (PLACE != 0) factor = factor * fp(PairPoint<PLACE>::inverse);
        return here + opposite + (here - opposite) * factor;
    }
};
template <u32 PLACE> struct Fold<0, PLACE> {
    DEVICE_MEMBER static Fp3 of(const Fp3Array &in, u64 first, const Fp3 *) { return get(in, first + PLACE); }
};

// out[i] = the fold of entries 2^A i to 2^A (i + 1) - 1 of a codeword of 2^log_size, plus, unless null, beta^(2^A)
// joining[i]. beta is the three words at drawn, unless null.
template <u32 A>
DEVICE void fold_rows(const Fp3Array &out, const Fp3Array &in, const Fp3Array &joining, const Powers &root, Fp3 beta,
    const u64 *drawn, u32 log_size) {
    const u64 rows = 1ull << (log_size - A);
    Fp3 powers[A + 1];
    powers[0] = drawn != nullptr ? fp3(fp(drawn[0]), fp(drawn[1]), fp(drawn[2])) : beta;
    UNROLL for (u32 l = 0; l < A; l++) powers[l + 1] = powers[l] * powers[l];
    for (u64 row = global_index(); row < rows; row += global_threads()) {
        // y = w^rev(2P), with P = 2^(A-1) row for the row's first pair; its inverse is w to minus that exponent.
        u32 e = (0u - reverse_bits(static_cast<u32>(row), log_size - A)) & ((1u << log_size) - 1);
        Fp point = canonical(root_residue(root, e, log_size));
        Fp3 factors[A];
        UNROLL for (u32 l = 0; l < A; l++) {
            factors[l] = powers[l] * point;
            point = square(point);
        }
        Fp3 sum = Fold<A, 0>::of(in, row << A, factors) * fp(power_of_two(192 - A));
        if (joining.words != nullptr) sum = sum + get(joining, row) * powers[A];
        put(out, row, sum);
    }
}

KERNEL(fold_1, FOLD_THREADS, Fp3Array out, Fp3Array in, Fp3Array joining, Powers root, Fp3 beta, const u64 *drawn,
    u32 log_size) {
    fold_rows<1>(out, in, joining, root, beta, drawn, log_size);
}
KERNEL(fold_2, FOLD_THREADS, Fp3Array out, Fp3Array in, Fp3Array joining, Powers root, Fp3 beta, const u64 *drawn,
    u32 log_size) {
    fold_rows<2>(out, in, joining, root, beta, drawn, log_size);
}
KERNEL(fold_3, FOLD_THREADS, Fp3Array out, Fp3Array in, Fp3Array joining, Powers root, Fp3 beta, const u64 *drawn,
    u32 log_size) {
    fold_rows<3>(out, in, joining, root, beta, drawn, log_size);
}
KERNEL(fold_4, FOLD_THREADS, Fp3Array out, Fp3Array in, Fp3Array joining, Powers root, Fp3 beta, const u64 *drawn,
    u32 log_size) {
    fold_rows<4>(out, in, joining, root, beta, drawn, log_size);
}
