package memory

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// Inputs are the inputs of a program. Check checks their lengths.
type Inputs struct {
	Private []byte // returned by read_input; not part of the statement
	Public  []byte // part of the statement
}

// Check returns an error if an input is too long.
func (in Inputs) Check() error {
	if len(in.Private) > memorymap.MaxPrivateBytes {
		return fmt.Errorf("the private input has %d bytes, at most %d fit", len(in.Private), memorymap.MaxPrivateBytes)
	}
	if len(in.Public) > memorymap.MaxPublicBytes {
		return fmt.Errorf("the public input has %d bytes, at most %d fit: hash it, or make it private", len(in.Public),
			memorymap.MaxPublicBytes)
	}
	return nil
}
