// Package nvrtc binds the functions of NVRTC, NVIDIA's run-time compiler for CUDA C++: it finds the library and
// compiles a source into a cubin.
//
// NVRTC needs neither a GPU nor a driver. It is part of the CUDA toolkit, and is available separately as the Python
// package nvidia-cuda-nvrtc. Packages cuda/compile and cuda/kernels add the cache, parallel builds and the kernels.
package nvrtc
