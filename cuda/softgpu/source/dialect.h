// The host's half of the kernel dialect: what kernels/dialect.cuh needs if the compiler is g++ and the device is
// softgpu. Every name here that CUDA also has means the same as in CUDA.
#pragma once
#include "softgpu_abi.h"

#define SOFTGPU_EXPORT __attribute__((visibility("default")))
#define SOFTGPU_PLAIN __attribute__((no_sanitize("thread")))

// One pointer per kernel library, set by the device when it loads it.
extern "C" {
SOFTGPU_EXPORT const softgpu_abi::Host *softgpu_host = nullptr;
}

namespace softgpu {

template <unsigned long... I> struct Indices {};
template <unsigned long N, unsigned long... I> struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <unsigned long... I> struct MakeIndices<0, I...> { typedef Indices<I...> type; };

// Entry turns a kernel's function into a description: the sizes of its parameters and a call from their addresses.
template <auto Function> struct Entry;
template <class... Parameter, void (*Function)(Parameter...)> struct Entry<Function> {
    static constexpr unsigned count = sizeof...(Parameter);
    static constexpr unsigned sizes[sizeof...(Parameter) + 1] = {sizeof(Parameter)..., 0};
    template <unsigned long... I> SOFTGPU_PLAIN static void call(void **p, Indices<I...>) {
        Function(*static_cast<Parameter *>(p[I])...);
    }
    SOFTGPU_PLAIN static void invoke(void **p) { call(p, typename MakeIndices<sizeof...(Parameter)>::type()); }
};

}  // namespace softgpu

#define DEVICE static inline __attribute__((always_inline, unused))
#define DEVICE_NOINLINE static __attribute__((noinline, unused))
#define DEVICE_BODY static __attribute__((noinline, unused))
#define DEVICE_MEMBER inline __attribute__((always_inline))
#define KERNEL(name, threads, ...)                                                                                     \
    static void softgpu_body_##name(__VA_ARGS__);                                                                      \
    extern "C" SOFTGPU_EXPORT const softgpu_abi::Kernel chiasmus_##name = {                                            \
        softgpu_abi::KERNEL_MAGIC, threads, softgpu::Entry<softgpu_body_##name>::count,                                \
        softgpu::Entry<softgpu_body_##name>::sizes, softgpu::Entry<softgpu_body_##name>::invoke};                      \
    static void softgpu_body_##name(__VA_ARGS__)
#define KERNEL_OCCUPANCY(name, threads, blocks, ...) KERNEL(name, threads, __VA_ARGS__)

#define SHARED(type, name, extent)                                                                                     \
    typedef type name##_shared_type extent;                                                                            \
    static const char name##_shared_site = 0;                                                                          \
    name##_shared_type &name =                                                                                         \
        *static_cast<name##_shared_type *>(softgpu_host->shared(&name##_shared_site, sizeof(name##_shared_type)))
#define DYNAMIC_SHARED(type, name) type *name = static_cast<type *>(softgpu_host->dynamic_shared())
#define CONSTANT static const
#define CONSTANT_TABLE(type, name, extent) \
    extern "C" { SOFTGPU_EXPORT type chiasmus_##name extent; } static_assert(true, "")

#define INDEXED const
#define SOFTGPU_PRAGMA(text) _Pragma(#text)
#define UNROLL SOFTGPU_PRAGMA(GCC unroll 4096)
#define UNROLL_BY(n) SOFTGPU_PRAGMA(GCC unroll n)
#define NO_UNROLL SOFTGPU_PRAGMA(GCC unroll 1)

#define threadIdx (softgpu_host->self()->thread)
#define blockIdx (softgpu_host->self()->block)
#define blockDim (softgpu_host->self()->block_dim)
#define gridDim (softgpu_host->self()->grid_dim)
#define __syncthreads() softgpu_host->barrier(__FILE__, __LINE__)
#define __syncwarp() softgpu_host->warp(softgpu_abi::WARP_BARRIER, 0xffffffffu, 0, 0, 32, __FILE__, __LINE__)
#define __trap() softgpu_host->trap(__FILE__, __LINE__)
#define SOFTGPU_WARP(operation, mask, value, lane)                                                                     \
    static_cast<decltype((value) + 0)>(softgpu_host->warp(softgpu_abi::operation, mask,                                \
        static_cast<unsigned long long>(value), lane, 32, __FILE__, __LINE__))
#define __shfl_sync(mask, value, lane) SOFTGPU_WARP(SHUFFLE, mask, value, lane)
#define __shfl_xor_sync(mask, value, lane) SOFTGPU_WARP(SHUFFLE_XOR, mask, value, lane)
#define __shfl_up_sync(mask, value, delta) SOFTGPU_WARP(SHUFFLE_UP, mask, value, delta)
#define __shfl_down_sync(mask, value, delta) SOFTGPU_WARP(SHUFFLE_DOWN, mask, value, delta)
#define __ballot_sync(mask, predicate)                                                                                 \
    static_cast<unsigned>(softgpu_host->warp(softgpu_abi::BALLOT, mask, (predicate) ? 1 : 0, 0, 32, __FILE__, __LINE__))
#define __match_any_sync(mask, value)                                                                                  \
    static_cast<unsigned>(softgpu_host->warp(softgpu_abi::MATCH, mask, static_cast<unsigned long long>(value), 0, 32,  \
        __FILE__, __LINE__))
// A warp's product of bytes, see softgpu_abi::ByteTile.
#define softgpu_multiply_bytes(c, a0, a1, b)                                                                           \
    do {                                                                                                               \
        softgpu_abi::ByteTile softgpu_tile = {{a0, a1}, b, c};                                                         \
        softgpu_host->warp(softgpu_abi::MULTIPLY_BYTES, 0xffffffffu,                                                   \
            reinterpret_cast<unsigned long long>(&softgpu_tile), 0, 32, __FILE__, __LINE__);                           \
    } while (0)
#define __any_sync(mask, predicate) (__ballot_sync(mask, predicate) != 0)
#define __all_sync(mask, predicate) (__ballot_sync(mask, !(predicate)) == 0)

DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
DEVICE int __clz(unsigned x) { return x == 0 ? 32 : __builtin_clz(x); }
DEVICE int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
DEVICE unsigned __brev(unsigned x) {
    x = (x >> 16) | (x << 16);
    x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
    x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
    return ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
}

// Atomics. The access is reported first, and then done by the compiler's own builtin, which must not be instrumented
// too.
template <class T> SOFTGPU_PLAIN __attribute__((noinline)) void softgpu_atomic_access(T *p) {
#ifdef SOFTGPU_CHECKED
    softgpu_host->access(p, sizeof(T), softgpu_abi::ATOMIC, __builtin_return_address(0));
#else
    (void)p;
#endif
}
template <class T> SOFTGPU_PLAIN T atomicAdd(T *p, T v) {
    softgpu_atomic_access(p);
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
template <class T> SOFTGPU_PLAIN T atomicOr(T *p, T v) {
    softgpu_atomic_access(p);
    return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}
template <class T> SOFTGPU_PLAIN T atomicExch(T *p, T v) {
    softgpu_atomic_access(p);
    return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
template <class T> SOFTGPU_PLAIN T atomicCAS(T *p, T compare, T v) {
    softgpu_atomic_access(p);
    __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return compare;
}
template <class T> SOFTGPU_PLAIN T softgpu_extreme(T *p, T v, bool least) {
    softgpu_atomic_access(p);
    T seen = __atomic_load_n(p, __ATOMIC_RELAXED);
    while ((least ? v < seen : seen < v) &&
        !__atomic_compare_exchange_n(p, &seen, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return seen;
}
template <class T> SOFTGPU_PLAIN T atomicMin(T *p, T v) { return softgpu_extreme(p, v, true); }
template <class T> SOFTGPU_PLAIN T atomicMax(T *p, T v) { return softgpu_extreme(p, v, false); }

#ifdef SOFTGPU_CHECKED
// g++ -fsanitize=thread inserts calls of these at every load and store. ThreadSanitizer's own library is not linked.
#define SOFTGPU_HOOK(name, size, kind)                                                                                 \
    SOFTGPU_PLAIN __attribute__((used)) void name(void *p) {                                                           \
        softgpu_host->access(p, size, softgpu_abi::kind, __builtin_return_address(0));                                 \
    }
extern "C" {
SOFTGPU_HOOK(__tsan_read1, 1, READ)
SOFTGPU_HOOK(__tsan_read2, 2, READ)
SOFTGPU_HOOK(__tsan_read4, 4, READ)
SOFTGPU_HOOK(__tsan_read8, 8, READ)
SOFTGPU_HOOK(__tsan_read16, 16, READ)
SOFTGPU_HOOK(__tsan_write1, 1, WRITE)
SOFTGPU_HOOK(__tsan_write2, 2, WRITE)
SOFTGPU_HOOK(__tsan_write4, 4, WRITE)
SOFTGPU_HOOK(__tsan_write8, 8, WRITE)
SOFTGPU_HOOK(__tsan_write16, 16, WRITE)
SOFTGPU_HOOK(__tsan_unaligned_read2, 2, READ)
SOFTGPU_HOOK(__tsan_unaligned_read4, 4, READ)
SOFTGPU_HOOK(__tsan_unaligned_read8, 8, READ)
SOFTGPU_HOOK(__tsan_unaligned_read16, 16, READ)
SOFTGPU_HOOK(__tsan_unaligned_write2, 2, WRITE)
SOFTGPU_HOOK(__tsan_unaligned_write4, 4, WRITE)
SOFTGPU_HOOK(__tsan_unaligned_write8, 8, WRITE)
SOFTGPU_HOOK(__tsan_unaligned_write16, 16, WRITE)
SOFTGPU_PLAIN __attribute__((used)) void __tsan_read_range(void *p, unsigned long size) {
    softgpu_host->access(p, size, softgpu_abi::READ, __builtin_return_address(0));
}
SOFTGPU_PLAIN __attribute__((used)) void __tsan_write_range(void *p, unsigned long size) {
    softgpu_host->access(p, size, softgpu_abi::WRITE, __builtin_return_address(0));
}
SOFTGPU_PLAIN __attribute__((used)) void __tsan_func_entry(void *) {}
SOFTGPU_PLAIN __attribute__((used)) void __tsan_func_exit() {}
SOFTGPU_PLAIN __attribute__((used)) void __tsan_init() {}
}
#undef SOFTGPU_HOOK
#endif
