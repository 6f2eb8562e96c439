// Package kernels holds the project's CUDA sources, embedded in the binary: .cuh files are device primitives, .cu
// files are translation units with entry points.
//
// All are written in one dialect (dialect.cuh) that NVRTC, nvcc and the host's g++ accept. Inline PTX is only in
// ptx.cuh, one function per instruction, each with a portable twin. Entry points are named chiasmus_NAME.
//
// Generated kernels (constraints, traces) include the same headers, which [headerFiles] returns.
package kernels
