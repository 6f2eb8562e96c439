// Package kerneltest holds what the tests of several packages' kernels share: NVIDIA's compiler where it is installed, and committed tables of
// the registers, spills and memory of every kernel on every architecture. It is for test files only.
package kerneltest
