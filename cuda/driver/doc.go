// Package driver loads the CUDA driver library and binds the functions that this module uses. It opens libcuda with
// dlopen, so a binary built with CGO_ENABLED=0 runs with and without a driver.
//
// [Symbols] is the only list of functions: versioned name, number of arguments, and minimum driver version. The
// software device of cuda/softgpu implements exactly this list.
//
// The package has no state besides the library: package cuda adds contexts, errors as Go values, and memory.
package driver
