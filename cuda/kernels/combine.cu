// Linear combinations of columns with coefficients in the extension, at one or two sets of coefficients, and their quotients by
// the distance to a point.
#include "batch.cuh"
#include "combine_structs.cuh"
#include "conjugates.cuh"

#define COMBINE_THREADS 192
#define COMBINE_AHEAD 4  // columns whose words are in flight

// Rows of a thread: row r is at + r step.
template <u32 ROWS> struct Ahead {
    u64 word[COMBINE_AHEAD][ROWS];
    DEVICE_MEMBER void load(const u64 *base, const Term *terms, const u64 *row) {
        UNROLL for (u32 j = 0; j < COMBINE_AHEAD; j++) {
            const u64 *column = at_offset(base, terms[j].offset);
            UNROLL for (u32 r = 0; r < ROWS; r++) word[j][r] = column[row[r]];
        }
    }
};

// Combination is the sums of a thread's rows, by one set of coefficients or by both.
template <u32 ROWS, bool BOTH> struct Combination {
    Sum first[ROWS][3], second[BOTH ? ROWS : 1][3];

    DEVICE_MEMBER void clear() {
        UNROLL for (u32 r = 0; r < ROWS; r++) UNROLL for (u32 k = 0; k < 3; k++) {
            first[r][k] = sum_zero();
            if (BOTH) second[r][k] = sum_zero();
        }
    }
    DEVICE_MEMBER void add(const Term &term, const u64 *word) {
        UNROLL for (u32 k = 0; k < 3; k++) UNROLL for (u32 r = 0; r < ROWS; r++) {
            add_product(first[r][k], fp(word[r]), fp(term.first[k]));
            if (BOTH) add_product(second[r][k], fp(word[r]), fp(term.second[k]));
        }
    }
    DEVICE_MEMBER void add(const Term *terms, const Ahead<ROWS> &ahead) {
        UNROLL for (u32 j = 0; j < COMBINE_AHEAD; j++) add(terms[j], ahead.word[j]);
    }
    // The terms by twice four: while four are multiplied, the next are in flight.
    DEVICE_MEMBER void add_all(const u64 *base, const Term *terms, u32 count, const u64 *row) {
        const u32 paired = count / (2 * COMBINE_AHEAD) * (2 * COMBINE_AHEAD);
        u32 t = 0;
        if (paired != 0) {
            Ahead<ROWS> even, odd;
            even.load(base, terms, row);
            NO_UNROLL for (; t < paired; t += 2 * COMBINE_AHEAD) {
                odd.load(base, terms + t + COMBINE_AHEAD, row);
                add(terms + t, even);
                even.load(base, terms + (t + 2 * COMBINE_AHEAD < paired ? t + 2 * COMBINE_AHEAD : t), row);
                add(terms + t + COMBINE_AHEAD, odd);
            }
        }
        NO_UNROLL for (; t < count; t++) {
            u64 word[ROWS];
            UNROLL for (u32 r = 0; r < ROWS; r++) word[r] = at_offset(base, terms[t].offset)[row[r]];
            add(terms[t], word);
        }
    }
};

DEVICE Fp3 totals(const Sum *s) { return fp3(total(s[0]), total(s[1]), total(s[2])); }

// first[i] = sum over all terms of coefficient times entry i of the column; second[i] = the same with the second coefficients, over
// the first `both` terms, which alone have one. Each column is read once. A thread has two rows; for the terms with two
// coefficients, which take twice the registers, one after the other.
KERNEL_OCCUPANCY(combine_columns, COMBINE_THREADS, 2, Fp3Array out_first, Fp3Array out_second, const u64 *base, const Term *terms, u32 both, u32 count, u64 n) {
    const u64 start = static_cast<u64>(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
    u64 row[2];  // a row past the end reads the last one and stores nothing
    UNROLL for (u32 r = 0; r < 2; r++) row[r] = start + r * blockDim.x < n ? start + r * blockDim.x : n - 1;
    if (both != 0) {
        UNROLL for (u32 r = 0; r < 2; r++) {
            Combination<1, true> sums;
            sums.clear();
            sums.add_all(base, terms, both, row + r);
            if (start + r * blockDim.x < n) {
                put(out_first, row[r], totals(sums.first[0]));  // kept there meanwhile
                put(out_second, row[r], totals(sums.second[0]));
            }
        }
    }
    Combination<2, false> sums;
    sums.clear();
    sums.add_all(base, terms + both, count - both, row);
    UNROLL for (u32 r = 0; r < 2; r++) {
        Fp3 sum = totals(sums.first[r]);
        if (start + r * blockDim.x >= n) continue;
        if (both != 0) sum = sum + get(out_first, row[r]);
        put(out_first, row[r], sum);
    }
}

#define QUOTIENT_THREADS 128

// out[i] = the sum over one or two quotients of (combination[i] - value) / (x[i] - point). The distances of all points are
// inverted together.
template <u32 QUOTIENTS> DEVICE void sum_quotients(const Fp3Array &out, const Quotient *quotients, const u64 *x, u64 n) {
    constexpr u32 ROWS = 8 / QUOTIENTS;
    SHARED(Fp, tree, [2 * QUOTIENT_THREADS]);
    const u64 first = static_cast<u64>(blockIdx.x) * (QUOTIENT_THREADS * ROWS) + threadIdx.x;
    Conjugates c[QUOTIENTS];
    UNROLL for (u32 q = 0; q < QUOTIENTS; q++) c[q] = conjugates(quotients[q].point);
    Fp norm[ROWS][QUOTIENTS], before[ROWS][QUOTIENTS], product = fp(1);
    UNROLL for (u32 r = 0; r < ROWS; r++) UNROLL for (u32 q = 0; q < QUOTIENTS; q++) {
        u64 i = first + r * QUOTIENT_THREADS;
        norm[r][q] = i < n ? c[q].norm(fp(x[i])) : fp(1);
        before[r][q] = product;
        product = product * norm[r][q];
    }
    Fp rest = invert_in_block<QUOTIENT_THREADS>(tree, product);
    UNROLL for (u32 r = ROWS; r-- > 0;) {
        u64 i = first + r * QUOTIENT_THREADS;
        Fp3 sum = fp3(fp(0));
        UNROLL for (u32 q = QUOTIENTS; q-- > 0;) {
            if (i < n) {
                Fp3 above = get(quotients[q].combination, i) - quotients[q].value;
                sum = sum + above * (c[q].numerator(fp(x[i])) * (rest * before[r][q]));
            }
            rest = rest * norm[r][q];
        }
        if (i < n) put(out, i, sum);
    }
}

KERNEL(quotient_of_combination, QUOTIENT_THREADS, Fp3Array out, Quotient quotient, const u64 *x, u64 n) {
    sum_quotients<1>(out, &quotient, x, n);
}

KERNEL(quotients_of_combinations, QUOTIENT_THREADS, Fp3Array out, Quotient first, Quotient second, const u64 *x, u64 n) {
    const Quotient quotients[2] = {first, second};
    sum_quotients<2>(out, quotients, x, n);
}
