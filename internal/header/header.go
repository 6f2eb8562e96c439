package header

import (
	"fmt"
	"strings"
)

// Header collects the text of a header file. A wrong declaration is a programming error, so it panics.
type Header struct {
	includes []string
	text     strings.Builder
}

// New starts a header that includes others. They must provide the kernels' dialect (dialect.cuh): u32 and u64, CONSTANT
// and OFFSET_OF.
func New(includes ...string) *Header { return &Header{includes: includes} }

// Constant adds a number as a macro: an unsigned int of C++ if it fits.
func (h *Header) Constant(name string, value uint64) *Header {
	_, literal := number(value)
	fmt.Fprintf(&h.text, "#define %s %s\n", name, literal)
	return h
}

// Scoped adds a number as a constant in the namespace around the text.
func (h *Header) Scoped(name string, value uint64) *Header {
	kind, literal := number(value)
	fmt.Fprintf(&h.text, "constexpr %s %s = %s;\n", kind, name, literal)
	return h
}

// number returns a number as C++, and its type.
func number(value uint64) (kind, literal string) {
	if value>>32 != 0 {
		return "u64", fmt.Sprintf("%dull", value)
	}
	return "u32", fmt.Sprintf("%du", value)
}

// Table adds words in constant memory.
func (h *Header) Table(name string, words []uint64) *Header {
	literals := make([]string, len(words))
	for i, word := range words {
		literals[i] = fmt.Sprintf("%dull", word)
	}
	fmt.Fprintf(&h.text, "CONSTANT u64 %s[%d] = {%s};\n", name, len(words), strings.Join(literals, ", "))
	return h
}

// Text returns the declarations without guard and includes.
func (h *Header) Text() string { return h.text.String() }

// String returns the header file.
func (h *Header) String() string {
	var file strings.Builder
	file.WriteString("// Generated from Go. Do not edit.\n#pragma once\n")
	for _, name := range h.includes {
		fmt.Fprintf(&file, "#include \"%s\"\n", name)
	}
	return file.String() + h.text.String()
}
