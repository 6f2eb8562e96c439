
// The parts of quotients that are the same for all tables.

// out[i] = x - 1 for the points x of the first n entries. Inverted, they are the selectors.
KERNEL(quotient_offsets, 256, u64 *out, const u64 *points, u64 n) {
    u64 i = global_index();
    if (i < n) out[i] = subtract_words(points[i], 1);
}

// Initializes the sums: zero in three columns of 2n entries and in the next three of n.
KERNEL(quotient_clear, 256, u64 *sums, u64 stride, u64 n) {
    u64 i = global_index();
    if (i >= 2 * n) return;
    UNROLL for (u32 k = 0; k < 3; k++) {
        sums[k * stride + i] = 0;
        if (i < n) sums[(k + 3) * stride + i] = 0;
    }
}

// Splits coefficients into halves. Columns 0 to 2 hold 2n coefficients, 3 to 5 n coefficients that belong to the
// lower half. After that each holds n, the lower half in 0 to 2 and the upper in 3 to 5.
KERNEL(quotient_join, 256, u64 *columns, u64 stride, u64 n) {
    u64 i = global_index();
    if (i >= n) return;
    UNROLL for (u32 k = 0; k < 3; k++) {
        u64 *lower = columns + k * stride + i, *upper = columns + (k + 3) * stride + i;
        u64 sum = add_words(*lower, *upper);
        *upper = lower[n];
        *lower = sum;
    }
}

// Computes weights in place from their descriptions of three words: the number of a constraint, a factor, and in the
// last word's lower half the number of a challenge that is another factor, 0 for none, with an addend to the challenge
// in the upper half. The weight is the constraint challenge to the power of the constraint's number, times both
// factors.
KERNEL(quotient_weights, 128, u64 *weights, const u64 *challenges, u64 challenge0, u64 challenge1, u64 challenge2,
    u64 count) {
    u64 i = global_index();
    if (i >= count) return;
    u64 *own = weights + 3 * i;
    Fp3 power = fp3(fp(1), fp(0), fp(0)), square = fp3(fp(challenge0), fp(challenge1), fp(challenge2));
    for (u32 number = static_cast<u32>(own[0]); number != 0; number >>= 1) {
        if (number & 1) power = power * square;
        square = square * square;
    }
    power = power * fp(own[1]);
    if (u32 which = low(own[2])) {
        const u64 *by = challenges + 3 * (which - 1);
        power = power * fp3(fp(by[0]) + fp(high(own[2])), fp(by[1]), fp(by[2]));
    }
    own[0] = power.a0.value, own[1] = power.a1.value, own[2] = power.a2.value;
}

// The bytes that weigh constraints on tensor cores, see constraints.cuh: for four constraints and coordinate k, lane
// 4g + t has byte g of the weight of constraint t times 2^(8a), for a from 0 to 7 in one word.
KERNEL(quotient_bytes, 128, u64 *table, const u64 *weights, u32 words) {
    u32 i = static_cast<u32>(global_index());
    if (i >= words) return;
    u32 constraint = i / 96 * 4 + i % 4, k = i / 32 % 3, g = i / 4 % 8;
    Fp weight = fp(weights[3 * constraint + k]);
    u64 word = 0;
    NO_UNROLL for (u32 a = 0; a < 8; a++) {
        word |= (weight.value >> (8 * g) & 0xff) << (8 * a);
        weight = weight * fp(256);
    }
    table[i] = word;
}
