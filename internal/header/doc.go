// Package header generates CUDA C++ for the declarations that Go and the kernels share: constants, tables, and the
// structs that kernels take by value. Each is declared once, in Go; the kernels include the generated text.
//
// A struct is generated with assertions of its size and of every field's offset in Go. The kernels' compiler checks
// them, so a field whose CUDA type is named by hand (an address, an element) cannot have another size there.
package header
