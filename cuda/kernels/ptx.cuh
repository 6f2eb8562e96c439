// Single PTX instructions that C++ cannot express: arithmetic with the carry flag, wide multiply-adds, funnel shifts.
// Each function is one instruction and has its name.
//
// Each has a twin in plain C++, in namespace portable, that models the flag in a Carry. The software device runs the
// twins; on a GPU they exist too, so that a test compares both on the device. A Carry is empty on a GPU: the flag is
// the hardware's, so no other carry arithmetic may occur within a chain.
#pragma once
#include "dialect.cuh"

struct Carry {
    u32 flag;
};

namespace portable {

DEVICE u32 add_cc(u32 a, u32 b, Carry &c) {
    u64 s = static_cast<u64>(a) + b;
    c.flag = static_cast<u32>(s >> 32);
    return static_cast<u32>(s);
}
DEVICE u32 addc_cc(u32 a, u32 b, Carry &c) {
    u64 s = static_cast<u64>(a) + b + c.flag;
    c.flag = static_cast<u32>(s >> 32);
    return static_cast<u32>(s);
}
DEVICE u32 addc(u32 a, u32 b, Carry &c) { return a + b + c.flag; }

// PTX keeps a borrow in the same flag: it is 1 if the difference is below zero, and subc subtracts it.
DEVICE u32 sub_cc(u32 a, u32 b, Carry &c) {
    u64 d = static_cast<u64>(a) - b;
    c.flag = static_cast<u32>(d >> 63);
    return static_cast<u32>(d);
}
DEVICE u32 subc_cc(u32 a, u32 b, Carry &c) {
    u64 d = static_cast<u64>(a) - b - c.flag;
    c.flag = static_cast<u32>(d >> 63);
    return static_cast<u32>(d);
}
DEVICE u32 subc(u32 a, u32 b, Carry &c) { return a - b - c.flag; }

DEVICE u32 mul_hi(u32 a, u32 b) { return static_cast<u32>((static_cast<u64>(a) * b) >> 32); }
DEVICE u64 mul_wide(u32 a, u32 b) { return static_cast<u64>(a) * b; }
DEVICE u64 mad_wide(u32 a, u32 b, u64 d) { return static_cast<u64>(a) * b + d; }
DEVICE u32 mad_sum(u32 a, u32 b) { return a + b; }

// Multiply-adds of one half of the product, setting or taking the flag.
DEVICE u32 mad_lo_cc(u32 a, u32 b, u32 d, Carry &c) { return add_cc(a * b, d, c); }
DEVICE u32 madc_lo_cc(u32 a, u32 b, u32 d, Carry &c) { return addc_cc(a * b, d, c); }
DEVICE u32 mad_hi_cc(u32 a, u32 b, u32 d, Carry &c) { return add_cc(mul_hi(a, b), d, c); }
DEVICE u32 madc_hi_cc(u32 a, u32 b, u32 d, Carry &c) { return addc_cc(mul_hi(a, b), d, c); }
DEVICE u32 madc_hi(u32 a, u32 b, u32 d, Carry &c) { return mul_hi(a, b) + d + c.flag; }

// Wide multiply-adds that set the flag, or read and set it: two instructions of PTX and one of the hardware. Their
// addend stays in one pair of registers. Given halves, the compiler would have to move them into a pair again and
// again if registers are scarce.
DEVICE u64 mad_wide_cc(u32 a, u32 b, u64 d, Carry &c) {
    u32 lo = mad_lo_cc(a, b, static_cast<u32>(d), c), hi = madc_hi_cc(a, b, static_cast<u32>(d >> 32), c);
    return (static_cast<u64>(hi) << 32) | lo;
}
DEVICE u64 madc_wide_cc(u32 a, u32 b, u64 d, Carry &c) {
    u32 lo = madc_lo_cc(a, b, static_cast<u32>(d), c), hi = madc_hi_cc(a, b, static_cast<u32>(d >> 32), c);
    return (static_cast<u64>(hi) << 32) | lo;
}

// The high word of (hi:lo) << (s mod 32), and the low word of (hi:lo) >> (s mod 32).
DEVICE u32 shf_l_wrap(u32 lo, u32 hi, u32 s) {
    s &= 31;
    return static_cast<u32>((((static_cast<u64>(hi) << 32) | lo) << s) >> 32);
}
DEVICE u32 shf_r_wrap(u32 lo, u32 hi, u32 s) {
    s &= 31;
    return static_cast<u32>(((static_cast<u64>(hi) << 32) | lo) >> s);
}

// Bytes selected from the eight of (b:a): nibble i of the selector selects byte i. Selectors use no sign bit.
DEVICE u32 prmt(u32 a, u32 b, u32 selector) {
    u64 bytes = (static_cast<u64>(b) << 32) | a;
    u32 result = 0;
    UNROLL for (u32 i = 0; i < 4; i++)
        result |= static_cast<u32>((bytes >> (8 * (selector >> (4 * i) & 7))) & 0xff) << (8 * i);
    return result;
}

// a ^ b ^ c, and a ^ (~b & c), in one instruction each.
DEVICE u32 lop3_xor(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
DEVICE u32 lop3_chi(u32 a, u32 b, u32 c) { return a ^ (~b & c); }

// An asynchronous copy of a word from global to shared memory; this thread sees it after waiting for its copies.
DEVICE void copy_async(u64 *to, const u64 *from) { *to = *from; }
DEVICE void copy_async_wait() {}

// A group is the copies that a thread has started since it closed the last group. Waiting ends when at most the given
// number of groups are pending.
DEVICE void close_group() {}
template <u32 GROUPS> DEVICE void wait_for_groups() {}

}  // namespace portable

#ifdef __CUDACC__

namespace ptx {

// volatile keeps the instructions of a chain in order; nothing else modifies the flag.
DEVICE u32 add_cc(u32 a, u32 b, Carry &) {
    u32 r;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
DEVICE u32 addc_cc(u32 a, u32 b, Carry &) {
    u32 r;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
DEVICE u32 addc(u32 a, u32 b, Carry &) {
    u32 r;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
DEVICE u32 sub_cc(u32 a, u32 b, Carry &) {
    u32 r;
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
DEVICE u32 subc_cc(u32 a, u32 b, Carry &) {
    u32 r;
    asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
DEVICE u32 subc(u32 a, u32 b, Carry &) {
    u32 r;
    asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
DEVICE u32 mul_hi(u32 a, u32 b) { u32 r; asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
DEVICE u64 mul_wide(u32 a, u32 b) { u64 r; asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b)); return r; }
// A sum as a multiply-add: they have a pipe of their own. The factor is the launch's number of layers of blocks, which
// the compiler does not know. It is 1: Set.launch rejects more for all kernels but the passes of transforms.
DEVICE u32 mad_sum(u32 a, u32 b) {
    u32 r;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(gridDim.z), "r"(b));
    return r;
}
DEVICE u64 mad_wide(u32 a, u32 b, u64 d) {
    u64 r;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(d));
    return r;
}
DEVICE u32 mad_lo_cc(u32 a, u32 b, u32 d, Carry &) {
    u32 r;
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(d));
    return r;
}
DEVICE u32 madc_lo_cc(u32 a, u32 b, u32 d, Carry &) {
    u32 r;
    asm volatile("madc.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(d));
    return r;
}
DEVICE u32 mad_hi_cc(u32 a, u32 b, u32 d, Carry &) {
    u32 r;
    asm volatile("mad.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(d));
    return r;
}
DEVICE u32 madc_hi_cc(u32 a, u32 b, u32 d, Carry &) {
    u32 r;
    asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(d));
    return r;
}
DEVICE u32 madc_hi(u32 a, u32 b, u32 d, Carry &) {
    u32 r;
    asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(d));
    return r;
}
DEVICE u64 mad_wide_cc(u32 a, u32 b, u64 d, Carry &) {
    asm volatile("{.reg .u32 lo, hi;\n mov.b64 {lo, hi}, %0;\n mad.lo.cc.u32 lo, %1, %2, lo;\n "
        "madc.hi.cc.u32 hi, %1, %2, hi;\n mov.b64 %0, {lo, hi};}" : "+l"(d) : "r"(a), "r"(b));
    return d;
}
DEVICE u64 madc_wide_cc(u32 a, u32 b, u64 d, Carry &) {
    asm volatile("{.reg .u32 lo, hi;\n mov.b64 {lo, hi}, %0;\n madc.lo.cc.u32 lo, %1, %2, lo;\n "
        "madc.hi.cc.u32 hi, %1, %2, hi;\n mov.b64 %0, {lo, hi};}" : "+l"(d) : "r"(a), "r"(b));
    return d;
}
DEVICE u32 shf_l_wrap(u32 lo, u32 hi, u32 s) {
    u32 r;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
    return r;
}
DEVICE u32 shf_r_wrap(u32 lo, u32 hi, u32 s) {
    u32 r;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
    return r;
}
DEVICE u32 prmt(u32 a, u32 b, u32 selector) {
    u32 r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector));
    return r;
}
// The immediates are the truth tables: the operation applied to 0xf0, 0xcc, 0xaa.
DEVICE u32 lop3_xor(u32 a, u32 b, u32 c) {
    u32 r;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
DEVICE u32 lop3_chi(u32 a, u32 b, u32 c) {
    u32 r;
    asm("lop3.b32 %0, %1, %2, %3, 0xd2;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}

DEVICE void copy_async(u64 *to, const u64 *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(to))),
        "l"(__cvta_generic_to_global(from)) : "memory");
}
DEVICE void copy_async_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }
DEVICE void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <u32 GROUPS> DEVICE void wait_for_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}

}  // namespace ptx

#else

namespace ptx = portable;

#endif
