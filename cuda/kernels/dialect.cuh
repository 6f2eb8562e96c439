// The dialect of all kernel sources. NVRTC and nvcc compile it for a GPU; the host's g++ compiles it for the software
// device, which supplies its part in softgpu_dialect.h. There is no standard header, because NVRTC has none.
//
//   KERNEL(fill, 256, u64 *out, u64 value, u64 n) { ... }   an entry point, exported as chiasmus_fill, launched with
//                                                            at most 256 threads a block
//   SHARED(u64, tile, [256]);                                static shared memory, first thing in a kernel's body
//   DYNAMIC_SHARED(u64, tile);                               the launch's dynamic shared memory, 16-byte aligned
//   CONSTANT u64 table[4] = {...};                           a table in constant memory
//   CONSTANT_TABLE(u64, challenges, [64]);                   one that the host fills, exported as chiasmus_challenges
//   INDEXED Rows rows                                        a struct parameter that stays in constant memory although
//                                                            it is indexed, instead of being copied to the stack
//   UNROLL for (...)                                         unroll fully; UNROLL_BY(4), NO_UNROLL
//
// threadIdx, blockIdx, blockDim, gridDim, __syncthreads, __syncwarp, the warp shuffles and votes, and atomicAdd, Or,
// Exch, CAS, Min, Max are CUDA's own. Rules: no kernel waits for another block of its launch, no thread returns
// before a barrier, a warp operation names the full warp, challenges are passed as parameters or constants.
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;

#ifdef __CUDACC__

#define DEVICE static __device__ __forceinline__
#define DEVICE_NOINLINE static __device__ __noinline__
// Inlined on a GPU, where a call costs more than the body; a function on the host, to save compile time. It returns a
// scalar or nothing: g++ does not instrument the store of a struct that a call returns, so checked mode would miss
// it.
#define DEVICE_BODY static __device__ __forceinline__
#define DEVICE_MEMBER __device__ __forceinline__  // for member functions, which are not static
#define KERNEL(name, threads, ...) extern "C" __global__ void __launch_bounds__(threads) chiasmus_##name(__VA_ARGS__)
// The second bound asks for that many concurrent blocks per multiprocessor, which limits the registers.
#define KERNEL_OCCUPANCY(name, threads, blocks, ...) \
    extern "C" __global__ void __launch_bounds__(threads, blocks) chiasmus_##name(__VA_ARGS__)
#define SHARED(type, name, extent) __shared__ type name extent
#define DYNAMIC_SHARED(type, name)                                                                                     \
    extern __shared__ __align__(16) unsigned char chiasmus_dynamic_shared[];                                           \
    type *name = reinterpret_cast<type *>(chiasmus_dynamic_shared)
#define CONSTANT static __constant__ const
#define CONSTANT_TABLE(type, name, extent) \
    extern "C" { __constant__ type chiasmus_##name extent; } static_assert(true, "")
#define INDEXED const __grid_constant__
#define CHIASMUS_PRAGMA(text) _Pragma(#text)
#define UNROLL CHIASMUS_PRAGMA(unroll)
#define UNROLL_BY(n) CHIASMUS_PRAGMA(unroll n)
#define NO_UNROLL CHIASMUS_PRAGMA(unroll 1)

#else

#include "softgpu_dialect.h"

#endif

// The offset of a field in a struct, as a constant. NVRTC has no header that defines offsetof.
#ifdef __CUDACC_RTC__
#define OFFSET_OF(type, field) __INTADDR__(&static_cast<type *>(nullptr)->field)
#else
#define OFFSET_OF(type, field) __builtin_offsetof(type, field)
#endif

#define FULL_WARP 0xffffffffu

// The index of this thread among all of a one-dimensional launch, in 64 bits.
DEVICE u64 global_index() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }
DEVICE u64 global_threads() { return static_cast<u64>(gridDim.x) * blockDim.x; }
