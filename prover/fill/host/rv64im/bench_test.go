package rv64im

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// BenchmarkFill fills instances of 2^14 rows from random records, on one worker: tables with and without inverses, with
// few columns and with many.
func BenchmarkFill(b *testing.B) {
	const rows = 1 << 14
	random := rand.New(rand.NewPCG(1, 2))
	f := &Filler{program: &program.Program{}, set: new(record.Set)}
	f.accesses = &f.set.Accesses
	f.program.Rows = []rv64im.Row{{PC: 0x1000, Rd: 3, Rs1: 1, Rs2: 2, K: [6]goldilocks.Element{1}}}
	for i := range rows {
		cycle, value := uint32(1000+i), random.Uint64()
		f.accesses.Time = append(f.accesses.Time, 4*uint64(cycle)+2)
		f.accesses.Previous = append(f.accesses.Previous, 4*uint64(cycle)-uint64(random.IntN(2000)))
		f.accesses.Old = append(f.accesses.Old, value)
		binary := record.Binary{Cycle: cycle, Previous1: 4 * cycle, Previous2: 4 * cycle, PreviousD: 4 * cycle, A: value,
			B: random.Uint64(), Old: value, Result: random.Uint64()}
		unary := record.Unary{Cycle: cycle, Previous1: 4 * cycle, PreviousD: 4 * cycle, A: value, Result: value + 1}
		load := record.Load{Cycle: cycle, Previous1: 4 * cycle, Base: uint32(value) &^ 7, Access: uint32(i), Result: value}
		f.set.Binary[table.ADD] = append(f.set.Binary[table.ADD], binary)
		f.set.Binary[table.LOGR] = append(f.set.Binary[table.LOGR], binary)
		f.set.Binary[table.DIV] = append(f.set.Binary[table.DIV], binary)
		f.set.Unary[table.ADDI] = append(f.set.Unary[table.ADDI], unary)
		f.set.Load[table.LD] = append(f.set.Load[table.LD], load)
	}
	declared, err := rv64im.Declare(nil, rv64im.Heights{Image: 8, Program: 8})
	if err != nil {
		b.Fatal(err)
	}
	pool := parallel.New(1)
	for _, t := range []table.Table{table.ADD, table.ADDI, table.LOGR, table.LD, table.DIV} {
		width := len(declared.Tables[slices.Index(declared.Number, t)].Main)
		columns := make([][]goldilocks.Element, width)
		for i := range columns {
			columns[i] = make([]goldilocks.Element, rows)
		}
		b.Run(t.String(), func(b *testing.B) {
			b.SetBytes(int64(8 * width * rows))
			for range b.N {
				if err := f.Fill(pool, t, 0, columns); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
