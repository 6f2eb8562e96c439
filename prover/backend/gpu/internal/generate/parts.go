package generate

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
)

// PartThreads is the number of threads of a block in launches that instances share.
const PartThreads = 128

// PartBlocks returns the number of blocks for the given number of rows in such a launch.
func PartBlocks(rows uint64) uint64 { return (rows + PartThreads - 1) / PartThreads }

//go:embed parts.cuh
var partsHeader string

// Instances share launches. Each struct of a list in device memory says what a range of blocks does, starting with
// FirstBlock. Lists are sorted by FirstBlock.
type (
	// CountedRows describes an instance whose messages are counted in all rows.
	CountedRows struct {
		Rows       TraceRows `cuda:"TraceRows"`
		Instance   uint64
		FirstBlock uint64
	}

	// FractionRows describes some rows of an instance whose fractions are computed.
	FractionRows struct {
		Rows         TraceRows `cuda:"TraceRows"`
		Count        uint64    // of the rows, from Rows.FirstRow on
		Numerators   uint64    `cuda:"u64 *"` // the auxiliary columns
		Stride       uint64    // of the auxiliary columns
		Denominators uint64    `cuda:"u64 *"` // batch b in row FirstRow + k: at b*Count + k
		FirstBlock   uint64
	}

	// DividedRows describes some rows of an instance whose fractions are divided, and the instance's running sum.
	DividedRows struct {
		Auxiliary  uint64 `cuda:"u64 *"`
		Stride     uint64
		Batches    uint64
		First      uint64
		Count      uint64 // of the rows, from First on
		Inverses   uint64 `cuda:"const u64 *"` // of the denominators, in the layout of FractionRows
		Totals     uint64 `cuda:"u64 *"`       // of the instance's rows
		Behind     uint64 // 1 if totals of other instances precede Totals, else 0
		N          uint64 // rows of the instance
		InverseN   uint64 // 1/n
		Result     uint64 `cuda:"u64 *"` // the number of zero denominators, followed by the claimed sum
		FirstBlock uint64
	}
)

var (
	countedStruct  = header.New().Struct("CountedRows", CountedRows{})
	fractionStruct = header.New().Struct("FractionRows", FractionRows{})
	dividedStruct  = header.New("goldilocks.cuh").Struct("DividedRows", DividedRows{})
)

// Part describes the work of a range of blocks for an instance. Its fields are words.
type Part interface {
	CountedRows | FractionRows | DividedRows
}
