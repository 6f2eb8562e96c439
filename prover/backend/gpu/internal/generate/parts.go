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
	// CountedRows is an instance whose messages are counted, all of its rows.
	CountedRows struct {
		Rows       TraceRows `cuda:"TraceRows"`
		Instance   uint64
		FirstBlock uint64
	}

	// FractionRows is some rows of an instance whose fractions are computed.
	FractionRows struct {
		Rows         TraceRows `cuda:"TraceRows"`
		Count        uint64    // of the rows, from Rows.FirstRow on
		Numerators   uint64    `cuda:"u64 *"` // the auxiliary columns
		Stride       uint64    // of those
		Denominators uint64    `cuda:"u64 *"` // of batch b and the k-th of the rows at b Count + k
		FirstBlock   uint64
	}

	// DividedRows is some rows of an instance whose parts of the running sum are stored one column after another.
	DividedRows struct {
		Auxiliary  uint64 `cuda:"u64 *"`
		Stride     uint64
		Batches    uint64
		First      uint64
		Count      uint64 // of the rows, from the First on
		Inverses   uint64 `cuda:"const u64 *"` // of the denominators, as those lie
		Totals     uint64 `cuda:"u64 *"`       // of the instance's rows
		Behind     uint64 // 1 where totals of other instances lie before those
		N          uint64 // rows of the instance
		InverseN   uint64 // 1/n
		Result     uint64 `cuda:"u64 *"` // the number of zero denominators, and behind it the claimed sum
		FirstBlock uint64
	}
)

var (
	countedStruct  = header.New().Struct("CountedRows", CountedRows{})
	fractionStruct = header.New().Struct("FractionRows", FractionRows{})
	dividedStruct  = header.New("goldilocks.cuh").Struct("DividedRows", DividedRows{})
)

// Part is what blocks of a launch do for an instance. Its fields are words.
type Part interface {
	CountedRows | FractionRows | DividedRows
}
