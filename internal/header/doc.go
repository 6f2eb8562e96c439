// Package header writes what Go and the kernels share as CUDA C++: constants, tables and the structs that a kernel
// takes by value. Each is declared once, in Go, and the kernel's source includes the text.
//
// A struct is written with assertions of its size and of the place of each field, as Go has them. The compiler of the
// kernels checks them, so that a field whose type in CUDA is named by hand (an address, an element) cannot have another
// size there.
package header
