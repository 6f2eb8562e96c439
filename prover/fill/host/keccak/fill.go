// Package keccak fills the tables of the machine keccak on the host.
package keccak

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// File is a padded file and its absorption, from which the tables are filled.
type File struct {
	Length int      // in bytes, without padding
	Blocks []uint64 // the words of the padded file
	Inputs []uint64 // of each permutation, 25 lanes each
	Final  [lanes]uint64
}

func (f *File) permutations() int { return len(f.Inputs) / lanes }

// blocks returns the words of the blocks from first to end.
func (f *File) blocks(first, end int) []uint64 { return f.Blocks[rateLanes*first : rateLanes*end] }

// source is an execution that the tables are filled from, true or forged.
type source interface {
	machine.Execution

	// FillTable writes the columns of a table; see [FillSponge] and [FillPermutations].
	FillTable(pool *parallel.Pool, table int, columns [][]goldilocks.Element)
}

// FillLimbs writes the columns that the circuit's DeclareLimbs declares. inputs has 25 lanes for each permutation; at
// most one fits in each 24 rows.
func FillLimbs(pool *parallel.Pool, columns [][]goldilocks.Element, inputs []uint64) {
	FillPermutations(&keccak.LimbForm, pool, columns, inputs)
}

// Filler fills a table of an execution that is a [source].
func Filler(c *keccak.Claims, table int) func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
	return func(pool *parallel.Pool, execution machine.Execution, instance int, columns [][]goldilocks.Element) error {
		t := c.Machine().Tables[table]
		e, ok := execution.(source)
		if !ok {
			return fmt.Errorf("keccak: an execution of type %T is not this machine's", execution)
		}
		if len(columns) != len(t.Main) {
			return fmt.Errorf("keccak: %d columns of table %s, want %d", len(columns), t.Name, len(t.Main))
		}
		rows := 1 << e.Instances()[instance].LogHeight
		for i, column := range columns {
			if len(column) != rows {
				return fmt.Errorf("keccak: column %s of table %s has %d rows, want %d", t.Main[i], t.Name, len(column), rows)
			}
		}
		e.FillTable(pool, table, columns)
		return nil
	}
}
