package generate

import _ "embed"

// shared has the kernels that all quotients use.
//
//go:embed quotient.cu
var shared string

// Shared is the unit with what quotients need beside a table's own kernels.
func Shared() Unit {
	s := NewSource()
	s.lines.WriteString(shared)
	return Unit{"quotient_shared.cu", s.String()}
}
