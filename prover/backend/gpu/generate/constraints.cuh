
// What the kernels of constraints have beside rows.cuh.

// ---- cells

// ExtendedRow with the addresses of its cells in registers: else the compiler finds them anew in every turn of a loop, as the empty
// instruction hides how they were found. No thread writes the columns while the kernel runs.
#ifdef __CUDACC__
DEVICE u64 held_address(const u64 *word) { u64 r = __cvta_generic_to_global(word); asm("" : "+l"(r)); return r; }
DEVICE u64 load_held(u64 address) { u64 r; asm("ld.global.nc.u64 %0, [%1];" : "=l"(r) : "l"(address)); return r; }
#else
DEVICE u64 held_address(const u64 *word) { return reinterpret_cast<u64>(word); }
DEVICE u64 load_held(u64 address) { return *reinterpret_cast<const u64 *>(address); }
#endif

struct HeldRow : ExtendedRow {
    u64 main_at, main_after;
    DEVICE_MEMBER u64 main(u32 column) const { return load_held(main_at + static_cast<u64>(column) * rows.main_stride); }
    DEVICE_MEMBER u64 main_next(u32 column) const { return load_held(main_after + static_cast<u64>(column) * rows.main_stride); }
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
// The third word is signed and has room for what is added. residue takes any: t + w2 (2^32 - 1) overflows by -1, 0 or 1 and leaves at
// least 2^63 or less than 2^63, so that the second fold does not overflow.

DEVICE_BODY void add_word(Lazy &s, u64 a) {
    Carry c;
    s.w0 = ptx::add_cc(s.w0, low(a), c);
    s.w1 = ptx::addc_cc(s.w1, high(a), c);
    s.w2 = ptx::addc(s.w2, 0, c);
}

DEVICE_BODY void subtract_word(Lazy &s, u64 a) {
    Carry c;
    s.w0 = ptx::sub_cc(s.w0, low(a), c);
    s.w1 = ptx::subc_cc(s.w1, high(a), c);
    s.w2 = ptx::subc(s.w2, 0, c);
}

// A product's four words, as multiply_residues finds them, to three by (r0, r1) - r3 + r2 EPSILON: what overflows, -1, 0 or 1, is the
// third word and not folded.
DEVICE_BODY void lazy_product_into(Lazy &r, u64 a, u64 b) {
    u64 bottom = ptx::mul_wide(low(a), low(b)), top = ptx::mul_wide(high(a), high(b)), crossed = ptx::mul_wide(low(a), high(b));
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
