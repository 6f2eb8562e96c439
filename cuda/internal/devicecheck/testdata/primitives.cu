// Every primitive of ptx.cuh, as the instruction and as its twin, on the same inputs.
#include "ptx.cuh"

#define RESULTS 40

// One list for both namespaces. `flag` puts a carry into the chain; a final addc or subc shows the carry out.
#define EVALUATE(space, r)                                                                                             \
    {                                                                                                                  \
        Carry c;                                                                                                       \
        u32 k = 0;                                                                                                     \
        r[k++] = space::add_cc(a, b, c), r[k++] = space::addc(0, 0, c);                                                \
        space::add_cc(flag, 0xffffffffu, c), r[k++] = space::addc_cc(a, b, c), r[k++] = space::addc(0, 0, c);          \
        space::add_cc(flag, 0xffffffffu, c), r[k++] = space::addc(a, b, c);                                            \
        r[k++] = space::sub_cc(a, b, c), r[k++] = space::subc(0, 0, c);                                                \
        space::sub_cc(0, flag, c), r[k++] = space::subc_cc(a, b, c), r[k++] = space::subc(0, 0, c);                    \
        space::sub_cc(0, flag, c), r[k++] = space::subc(a, b, c);                                                      \
        r[k++] = space::mul_hi(a, b);                                                                                  \
        u64 wide = space::mul_wide(a, b);                                                                              \
        r[k++] = static_cast<u32>(wide), r[k++] = static_cast<u32>(wide >> 32);                                        \
        wide = space::mad_wide(a, b, (static_cast<u64>(d) << 32) | flag);                                              \
        r[k++] = static_cast<u32>(wide), r[k++] = static_cast<u32>(wide >> 32);                                        \
        r[k++] = space::mad_lo_cc(a, b, d, c), r[k++] = space::addc(0, 0, c);                                          \
        space::add_cc(flag, 0xffffffffu, c), r[k++] = space::madc_lo_cc(a, b, d, c), r[k++] = space::addc(0, 0, c);    \
        r[k++] = space::mad_hi_cc(a, b, d, c), r[k++] = space::addc(0, 0, c);                                          \
        space::add_cc(flag, 0xffffffffu, c), r[k++] = space::madc_hi_cc(a, b, d, c), r[k++] = space::addc(0, 0, c);    \
        space::add_cc(flag, 0xffffffffu, c), r[k++] = space::madc_hi(a, b, d, c);                                      \
        wide = space::mad_wide_cc(a, b, (static_cast<u64>(d) << 32) | flag, c), r[k++] = space::addc(0, 0, c);         \
        r[k++] = static_cast<u32>(wide), r[k++] = static_cast<u32>(wide >> 32);                                        \
        space::add_cc(flag, 0xffffffffu, c), wide = space::madc_wide_cc(a, b, (static_cast<u64>(d) << 32) | a, c);     \
        r[k++] = space::addc(0, 0, c), r[k++] = static_cast<u32>(wide), r[k++] = static_cast<u32>(wide >> 32);         \
        r[k++] = space::shf_l_wrap(a, b, d), r[k++] = space::shf_r_wrap(a, b, d);                                      \
        r[k++] = space::prmt(a, b, d & 0x7777u);                                                                       \
        r[k++] = space::lop3_xor(a, b, d), r[k++] = space::lop3_chi(a, b, d), r[k++] = space::mad_sum(a, b);           \
    }

// in: four words per case (a, b, d, flag). out: RESULTS words of the instructions, then RESULTS of the twins.
KERNEL(check_ptx, 128, u32 *out, const u32 *in, u64 n) {
    for (u64 i = global_index(); i < n; i += global_threads()) {
        u32 a = in[4 * i], b = in[4 * i + 1], d = in[4 * i + 2], flag = in[4 * i + 3] & 1;
        u32 instructions[RESULTS] = {}, twins[RESULTS] = {};
        EVALUATE(ptx, instructions)
        EVALUATE(portable, twins)
        for (u32 k = 0; k < RESULTS; k++) {
            out[2 * RESULTS * i + k] = instructions[k];
            out[2 * RESULTS * i + RESULTS + k] = twins[k];
        }
    }
}
