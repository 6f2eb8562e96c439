package guests

import _ "embed"

//go:embed elf/aggregator.elf
var aggregator []byte

// Aggregator returns the ELF of the guest that verifies other proofs: see package aggregate. The caller must not change
// it.
func Aggregator() []byte { return aggregator }
