// Package all lists the accelerators.
package all

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/absorb"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake2b"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake3"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/keccakf"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

var kinds []*accelerator.Kind

func init() {
	for _, k := range []*accelerator.Kind{&keccakf.Kind, &sha256.Kind, &modmul.Kind, &blake2b.Kind, &blake3.Kind,
		&field.Of256.Kind, &ec.Of256.Add, &ec.Of256.Double, &fp2.OfBN254.Operation, &wide256.Kind,
		&fp3.Row, &fp3.MultiplyAdd, &fp2.OfBN254.Sum,
		&field.Of384.Kind, &ec.Of384.Add, &ec.Of384.Double, &fp2.OfBLS12381.Operation, &fp2.OfBLS12381.Sum,
		&absorb.Kind} {
		Add(k)
	}
}

// Kinds returns the accelerators, in the order of their tables.
func Kinds() []*accelerator.Kind { return kinds }

// Add adds an accelerator to the list, and assigns the numbers of its tables. This changes the machine, so Add must be
// called before any machine is declared. It panics if the Kind breaks a rule ([accelerator.Kind.Check]), or has the
// code or the name of another Kind.
func Add(k *accelerator.Kind) {
	if err := k.Check(); err != nil {
		panic(err)
	}
	for _, other := range kinds {
		if other.Code == k.Code || other.Name == k.Name {
			panic(fmt.Sprintf("accelerators %s and %s have the same name or code (%#x)", other.Name, k.Name, k.Code))
		}
	}
	k.Table, k.Work = table.Add(k.Tables)
	kinds = append(kinds, k)
}

// ByCode returns the accelerator with this code, or nil.
func ByCode(code uint64) *accelerator.Kind {
	for _, k := range kinds {
		if uint64(k.Code) == code {
			return k
		}
	}
	return nil
}
