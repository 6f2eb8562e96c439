
// What the kernels of constraints need in addition to rows.cuh.

// ---- cells

// ExtendedRow with the addresses of its cells in registers. Otherwise the compiler computes the addresses again in
// every iteration of a loop; the empty instruction hides how they were computed. No thread writes the columns while
// the kernel runs.
#ifdef __CUDACC__
DEVICE u64 held_address(const u64 *word) { u64 r = __cvta_generic_to_global(word); asm("" : "+l"(r)); return r; }
DEVICE u32 held(u32 x) { asm("" : "+r"(x)); return x; }
DEVICE u64 load_held(u64 address) { u64 r; asm("ld.global.nc.u64 %0, [%1];" : "=l"(r) : "l"(address)); return r; }
// An asynchronous copy of a cell to shared memory, through the first-level cache, because other iterations read some
// cells too.
DEVICE void ask_cell(u64 *to, u64 address) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(to))),
        "l"(address) : "memory");
}
#else
DEVICE u64 held_address(const u64 *word) { return reinterpret_cast<u64>(word); }
DEVICE u32 held(u32 x) { return x; }
DEVICE u64 load_held(u64 address) { return *reinterpret_cast<const u64 *>(address); }
DEVICE void ask_cell(u64 *to, u64 address) { *to = load_held(address); }
#endif

// The number of iterations whose cells are in shared memory: one that is being read, the others being copied. Four
// blocks of nine cells for three iterations take 141 KB, which multiprocessors of some architectures lack.
#if defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define ASKED_TURNS 2
#else
#define ASKED_TURNS 3
#endif

struct HeldRow : ExtendedRow {
    u64 main_at, main_after;
    DEVICE_MEMBER u64 main_at_column(u32 column) const { return main_at + ptx::mul_wide(column, rows.main_stride); }
    DEVICE_MEMBER u64 main_next_at(u32 column) const { return main_after + ptx::mul_wide(column, rows.main_stride); }
    DEVICE_MEMBER u64 main(u32 column) const { return load_held(main_at_column(column)); }
    DEVICE_MEMBER u64 main_next(u32 column) const { return load_held(main_next_at(column)); }
};

DEVICE HeldRow held_row(const ExtendedRows &rows, u64 i) {
    HeldRow row;
    static_cast<ExtendedRow &>(row) = extended_row(rows, i);
    row.main_at = held_address(rows.main_columns + row.at);
    row.main_after = held_address(rows.main_columns + row.after);
    return row;
}

// ---- sums by Horner's rule, in words that are not reduced
//
// The third word is signed and has room for carries. residue accepts any: t + w2 (2^32 - 1) overflows by -1, 0 or 1
// and leaves at least 2^63 or less than 2^63, so that the second fold does not overflow.

// (p + 1)/2 and (p - 1)/2.
#define HALF 0x7fffffff80000001ull
#define MINUS_HALF 0x7fffffff80000000ull

// Reduces a product's four words, as multiply_residues computes them, to three by (r0, r1) - r3 + r2 EPSILON: the
// overflow, -1, 0 or 1, is the third word and is not folded.
DEVICE_BODY void lazy_product_into(Lazy &r, u64 a, u64 b) {
    u64 bottom = ptx::mul_wide(low(a), low(b)), top = ptx::mul_wide(high(a), high(b)),
        crossed = ptx::mul_wide(low(a), high(b));
    Carry c;
    u32 c0 = ptx::mad_lo_cc(high(a), low(b), low(crossed), c);
    u32 c1 = ptx::madc_hi_cc(high(a), low(b), high(crossed), c);
    u32 r3 = ptx::addc(high(top), 0, c);
    u32 r1 = ptx::add_cc(high(bottom), c0, c);
    u32 r2 = ptx::addc_cc(low(top), c1, c);
    r3 = ptx::addc(r3, 0, c);
    r.w0 = ptx::sub_cc(low(bottom), r3, c);
    r.w1 = ptx::subc_cc(r1, 0, c);
    u32 over = ptx::subc(0, 0, c);
    r.w0 = ptx::mad_lo_cc(r2, EPSILON, r.w0, c);
    r.w1 = ptx::madc_hi_cc(r2, EPSILON, r.w1, c);
    r.w2 = ptx::addc(over, 0, c);
}

DEVICE_BODY void add_product(Lazy &s, u64 a, u64 b) {
    Lazy product;
    lazy_product_into(product, a, b);
    add_into(s, s, product);
}

DEVICE_BODY void subtract_product(Lazy &s, u64 a, u64 b) {
    Lazy product;
    lazy_product_into(product, a, b);
    subtract_into(s, s, product);
}

// shift_left multiplies by 2^bits, 0 < bits < 32.
DEVICE_BODY void shift_left(Lazy &s, u32 bits) {
    s.w2 = ptx::shf_l_wrap(s.w1, s.w2, bits);
    s.w1 = ptx::shf_l_wrap(s.w0, s.w1, bits);
    s.w0 <<= bits;
}

// a + 2b of any residues. An overflow, at most 2, is worth that many EPSILON, and adding them leaves less than 2^34
// if it overflows.
DEVICE_BODY u64 add_twice(u64 a, u64 b) {
    Carry c;
    Lazy r;
    r.w0 = ptx::add_cc(low(b) << 1, low(a), c);
    r.w1 = ptx::addc_cc(ptx::shf_l_wrap(low(b), high(b), 1), high(a), c);
    r.w2 = ptx::addc(high(b) >> 31, 0, c);
    return positive_residue(r);
}

// ---- sums of exclusive ors, see exclusiveOr in xor.go

// (a b + c) 2^shift of any residues, shift below 32: like multiply_add, with the four words shifted into five.
DEVICE_BODY u64 multiply_add_shifted(u64 a, u64 b, u64 c, u32 shift) {
    Words w;
    multiply_add_into(w, a, b, c);
    return reduce_words(w.r0 << shift, ptx::shf_l_wrap(w.r0, w.r1, shift), ptx::shf_l_wrap(w.r1, w.r2, shift),
        ptx::shf_l_wrap(w.r2, w.r3, shift), ptx::shf_l_wrap(w.r3, 0, shift));
}

// (2^length - 1)/2, 0 < length < 32: half of an odd number plus p, whose last bit a shift drops.
DEVICE u64 half_of_ones(u32 length) { return (GOLDILOCKS_P + (1ull << length)) >> 1; }

// a minus twice a sum. The sum's words go through memory, three words of the thread's own. Otherwise a loop that is
// followed by arithmetic on their halves keeps them in registers that are not pairs, and moves them for every
// product: 50 moves per iteration for 45 multiply-adds.
#define LESS_WORDS 3

DEVICE_BODY u64 less_twice(u64 a, const Sum &sum, u64 (*words)[128]) {
    volatile u64 *word[LESS_WORDS];
    UNROLL for (u32 k = 0; k < LESS_WORDS; k++) word[k] = &words[k][threadIdx.x];
    *word[0] = sum.r01, *word[1] = sum.r23, *word[2] = sum.c01;
    Sum s = sum;
    s.r01 = *word[0], s.r23 = *word[1], s.c01 = *word[2];
    const u64 b = canonical_word(sum_residue(s));
    return subtract_words(subtract_words(a, b), b);
}

// ---- weighing on tensor cores
//
// A warp's 32 values of a constraint are a column of bytes each. A weight's coordinate times 2^(8a) modulo p is a row
// of bytes c for each byte a of a value. So the sum over constraints and a is a product of matrices of bytes, 32 x 8m
// by 8m x 24 for m constraints, and a coordinate of the weighed sum is the sum over c of 2^(8c) times its columns.
// Sums of bytes stay below 2^32 up to 8,256 constraints. One instruction multiplies 16 values of four constraints
// with eight columns. A lane supplies whole words, because the order of the 32 bytes in between is free: of values,
// row g and g + 8 of constraint t, and of weights, byte g of constraint t times 2^(8a) for all a, in lane 4g + t.

// A warp's values of four constraints; the stride between rows spreads a quad's reads over the banks.
#define STAGED_STRIDE 36
#define STAGED_WORDS (4 * STAGED_STRIDE)

#ifdef __CUDACC__
// c += a b. Rows g and g + 8 of a have the words of lower, four bytes each, and then the words of upper; c has
// columns 2t and 2t + 1 of both.
DEVICE void multiply_bytes(u32 (&c)[4], u64 lower, u64 upper, u64 b) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(low(lower)), "r"(high(lower)), "r"(low(upper)), "r"(high(upper)), "r"(low(b)), "r"(high(b)));
}
#else
DEVICE void multiply_bytes(u32 (&c)[4], u64 lower, u64 upper, u64 b) {
    softgpu_multiply_bytes(c, pack(low(lower), low(upper)), pack(high(lower), high(upper)), b);
}
#endif

// Where a lane's value is staged, in separate halves: two lanes' lower words and then their upper ones, one row each,
// so that an instruction's operands are loaded into the registers from which it reads them.
struct alignas(16) StagedPair {
    u64 lower, upper;
};

struct StagedSums {
    u32 bytes[2][3][4];  // values 16 m to 16 m + 15, coordinate k; row g is value 2 g and row g + 8 the next value
    u64 *staged;
    const u64 *weights;  // three words a lane and four constraints, from quotient_bytes
    u32 lane;

    DEVICE_MEMBER void begin(u64 *of_warp, const u64 *table) {
        staged = of_warp, lane = threadIdx.x & 31, weights = table + lane;
        UNROLL for (u32 m = 0; m < 2; m++) UNROLL for (u32 k = 0; k < 3; k++) UNROLL for (u32 j = 0; j < 4; j++)
            bytes[m][k][j] = 0;
    }
    DEVICE_MEMBER void stage(u32 slot, u64 value) {
        u32 *to = reinterpret_cast<u32 *>(staged + slot * STAGED_STRIDE + (lane & ~1u)) + (lane & 1);
        to[0] = low(value), to[2] = high(value);
    }
    DEVICE_MEMBER StagedPair *quad() const {
        return reinterpret_cast<StagedPair *>(staged + (lane & 3) * STAGED_STRIDE) + (lane >> 2);
    }
    // Weighs the staged values.
    DEVICE_MEMBER void weigh() {
        __syncwarp();
        u64 weight[3];
        StagedPair pair[2];
        UNROLL for (u32 k = 0; k < 3; k++) weight[k] = weights[32 * k];
        UNROLL for (u32 m = 0; m < 2; m++) pair[m] = quad()[8 * m];
        weights += 96;
        __syncwarp();
        UNROLL for (u32 m = 0; m < 2; m++) UNROLL for (u32 k = 0; k < 3; k++)
            multiply_bytes(bytes[m][k], pair[m].lower, pair[m].upper, weight[k]);
    }
    // A coordinate of the weighed sum of this lane's values: a quad's columns, two per lane, are combined in a word
    // and exchanged through the staging memory.
    DEVICE_MEMBER u64 total(u32 k) const {
        UNROLL for (u32 m = 0; m < 2; m++) {
            StagedPair pair;
            pair.lower = bytes[m][k][0] + (static_cast<u64>(bytes[m][k][1]) << 8);
            pair.upper = bytes[m][k][2] + (static_cast<u64>(bytes[m][k][3]) << 8);
            quad()[8 * m] = pair;
        }
        __syncwarp();
        Packed p;
        p.lower = staged[lane] + (staged[STAGED_STRIDE + lane] << 16);
        p.upper = staged[2 * STAGED_STRIDE + lane] + (staged[3 * STAGED_STRIDE + lane] << 16);
        __syncwarp();
        return packed_residue(p);
    }
};

// Adds to the sums of an entry, if the lane has one.
DEVICE_BODY void add_staged_to_sums(const ExtendedRow &row, const StagedSums &s, u64 scale, bool inside) {
    u64 *to = row.rows.sums + row.at;
    u64 stride = row.rows.sums_stride / 8;
    UNROLL for (u32 k = 0; k < 3; k++) {
        u64 sum = s.total(k);
        if (inside) to[k * stride] = add_words(to[k * stride], canonical_word(multiply_residues(sum, scale)));
    }
}
