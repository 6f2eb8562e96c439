// Package driver is the table of the CUDA driver functions that this module calls, and the loaded library that
// answers them. It opens libcuda with dlopen, so a binary built with CGO_ENABLED=0 runs with and without a driver.
//
// [Symbols] is the one place that lists a function: its versioned name, its argument count and the least driver
// version that has it. The software device of cuda/softgpu answers exactly this list.
//
// The package holds no state beyond the library: contexts, errors as Go values and memory belong to package cuda.
package driver
