// Package nvrtc is the table of the NVRTC functions that this module calls (NVIDIA's run-time compiler for CUDA
// C++), how the library is found, and one call that turns a source into a cubin.
//
// NVRTC needs neither a GPU nor a driver. It comes with the CUDA toolkit and, alone, as the Python package
// nvidia-cuda-nvrtc. The cache, parallel builds and what kernels exist belong to cuda/compile and cuda/kernels.
package nvrtc
