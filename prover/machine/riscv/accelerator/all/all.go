// Package all lists the accelerators.
package all

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/keccakf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/sha256"
)

var kinds = []*accelerator.Kind{&keccakf.Kind, &sha256.Kind, &modmul.Kind}

// Kinds are the accelerators, by code.
func Kinds() []*accelerator.Kind { return kinds }

// ByCode is the accelerator with a code, nil where there is none.
func ByCode(code uint64) *accelerator.Kind {
	for _, k := range kinds {
		if uint64(k.Code) == code {
			return k
		}
	}
	return nil
}
