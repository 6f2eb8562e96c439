
// What quotients need beside a table's own constraints: the same for all tables.

// out[i] = x - 1 for the points x of the first n entries. Inverted, they are the selectors.
KERNEL(quotient_offsets, 256, u64 *out, const u64 *points, u64 n) {
    u64 i = global_index();
    if (i < n) out[i] = subtract_words(points[i], 1);
}

// Begins the sums: zero in three columns of 2n entries and in the next three of n.
KERNEL(quotient_clear, 256, u64 *sums, u64 stride, u64 n) {
    u64 i = global_index();
    if (i >= 2 * n) return;
    UNROLL for (u32 k = 0; k < 3; k++) {
        sums[k * stride + i] = 0;
        if (i < n) sums[(k + 3) * stride + i] = 0;
    }
}

// The constraints on LogUp's running sum S, with T the total of a row over all batches: First S, Transition (S' - S - T) and
// Last (S + T - claimed). Each multiplies at most two columns, or one and the transition selector, so the first n entries
// determine their quotients. parameters holds their three weights and the claimed sum.
KERNEL(quotient_running_sum, 128, ExtendedRows rows, u32 batches, const u64 *parameters) {
    u64 i = global_index();
    if (i >= rows.entries) return;
    ExtendedRow row = extended_row(rows, i);
    Fp3 total = fp3(fp(0));
    NO_UNROLL for (u32 b = 0; b < batches; b++) total = total + auxiliary_at(row, 3 * b);
    Fp3 sum = auxiliary_at(row, 3 * batches);
    row.at = row.after;
    Fp3 next = auxiliary_at(row, 3 * batches);
    row.at = static_cast<u32>(i);
    // Selectors divided by x^n - 1.
    Fp first = fp(rows.inverses[row.at]), last = fp(rows.inverses[row.after]) * fp(rows.generator), transition = fp(row.transition()) * fp(row.scale());
    Fp3 after = sum + total;
    Fp3 all = sum * first * extension_at(parameters, 0) + (next - after) * transition * extension_at(parameters, 1) +
              (after - extension_at(parameters, 3)) * last * extension_at(parameters, 2);
    add_extension_to_sums(row, all, 1);
}

// Coefficients to halves. Columns 0 to 2 hold 2n coefficients, 3 to 5 n coefficients that belong to the lower half:
// then each holds n, the lower half in 0 to 2 and the upper in 3 to 5.
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
