// Package keccakf is the accelerator for the permutation Keccak-f[1600].
//
// Its table KECCAKF is the keccak machine's table of permutations (package circuit/keccak), with two differences:
//
//   - States are split into 50 32-bit limbs like memory's words, two per lane, the low one first.
//   - There are no columns C', because lookups show that 320 sums are even: a row has 81 cells of lookups in place of
//     320 columns.
//
// The row of a call sends the limbs that it reads and writes, and the table receives the inputs and outputs of its
// permutations. The table packs each limb from 32 bits, so the written limbs are in range.
package keccakf

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	permutations "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

const workTable = "KECCAKF"

// Kind permutes 25 words in place. Lane (x, y) is word x + 5y.
var Kind = accelerator.Kind{
	Name:     "keccak-f",
	Code:     0x100,
	Operands: []accelerator.Operand{{Argument: 0, Words: 25, Slot: 2, Writes: true}},
	Compute:  permute,
	Tables: table.Accelerator{
		Calls: "KECCAK", Cells: 306,
		Work: &table.Work{Name: workTable, Cells: 2114, Rows: 24, Instances: 2},
	},
	Declare: declare,
}

func permute(written, read []uint64) error {
	copy(written, read)
	keccak.Permute((*[25]uint64)(written))
	return nil
}

// message is the input and the output of a permutation.
type message struct{ Input, Output [permutations.Limbs]air.Expr }

// Permutations connects rows of calls with a table of permutations, by a bus that has the table's name.
type Permutations struct {
	bus     air.CallBus[message]
	lookups accelerator.Lookups
}

// NewPermutations adds the bus of the table with this name.
func NewPermutations(buses *air.Buses, lookups accelerator.Lookups, table string) Permutations {
	return Permutations{air.NewCall[message](buses, table), lookups}
}

// Call sends limbs and their permutation's result from the row of a call, whose multiplicity m is 0 or 1.
func (p Permutations) Call(b *air.Builder, m air.Expr, input, output []air.Expr) {
	p.bus.Call(b, m, newMessage(input, output))
}

// Work declares the table. It packs the limbs of inputs and outputs from 32 bits each.
func (p Permutations) Work(b *air.Builder) {
	served, input, output := permutations.DeclareLimbs(b, func(numbers []air.Expr) {
		for digits := range slices.Chunk(numbers, accelerator.EvenDigits) {
			p.lookups.Even(b, b.Constant(1), digits)
		}
	})
	p.bus.Serve(b, served, newMessage(input, output))
}

func newMessage(input, output []air.Expr) message {
	return message{[permutations.Limbs]air.Expr(input), [permutations.Limbs]air.Expr(output)}
}

func declare(buses *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	p := NewPermutations(buses, lookups, workTable)
	return accelerator.Circuit{
		Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) { p.Call(b, m, read, written) },
		Work: p.Work,
	}
}
