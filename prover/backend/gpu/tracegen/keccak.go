package tracegen

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

const (
	keccakRounds     = 24
	keccakLanes      = 25
	keccakScratchRow = 61 // ROW_WORDS
	keccakBitLanes   = 35 // BIT_LANES
	keccakWordGroups = 2*29 + 1
)

// keccakF is the keccak-f table: see keccak_f.cu.
var keccakF = &Generator{
	machine: "keccak", table: "keccak-f", width: 2315, file: "keccak_f.cu",
	recordWords: func(rows uint64) uint64 { return keccakLanes * (rows / keccakRounds) },
	workWords:   func(rows uint64) uint64 { return keccakScratchRow * keccakRounds * keccakPermutations(rows) },
	recordRows:  func(words uint64) uint64 { return words / keccakLanes * keccakRounds },
	fill:        fillKeccakF,
}

// keccakPermutations counts the one that the end of the table cuts off.
func keccakPermutations(rows uint64) uint64 { return (rows + keccakRounds - 1) / keccakRounds }

func fillKeccakF(launch launcher, job *Job) error {
	if job.Rows%2 != 0 || job.Columns.Stride%2 != 0 {
		return fmt.Errorf("table keccak-f: %d rows at a distance of %d words, want even numbers", job.Rows, job.Columns.Stride)
	}
	permutations := keccakPermutations(job.Rows)
	columns, stride := cuda.Address(job.Columns.Span), cuda.U64(job.Columns.Stride)
	scratch, records, used := cuda.Address(job.Work), address(job.Records), cuda.U64(job.recordWords()/keccakLanes)
	pairs := func(groups uint64) cuda.Shape {
		return cuda.Shape{Grid: cuda.Dim{X: (job.Rows/2 + 255) / 256, Y: groups}, Block: cuda.Dim{X: 256}}
	}
	if err := launch("trace_keccak_f_rounds", cuda.Linear(permutations, 128), scratch, records, used, cuda.U64(permutations)); err != nil {
		return err
	}
	if err := launch("trace_keccak_f_bits", pairs(keccakBitLanes), columns, stride, scratch, cuda.U64(permutations), cuda.U64(job.Rows)); err != nil {
		return err
	}
	return launch("trace_keccak_f_words", pairs(keccakWordGroups), columns, stride, scratch, records, used, cuda.U64(permutations), cuda.U64(job.Rows))
}

// address is null for no memory.
func address(span cuda.Span) cuda.Argument {
	if span.Size() == 0 {
		return cuda.Null()
	}
	return cuda.Address(span)
}

const (
	spongeHeader = 26 // RECORD_HEADER
	spongeRecord = 42 // RECORD_WORDS
	spongeGroups = 3*17 + 9 + 29 + 1
)

// sponge is the sponge table: see sponge.cu.
var sponge = &Generator{
	machine: "keccak", table: "sponge", width: 881, file: "sponge.cu",
	recordWords: func(rows uint64) uint64 { return spongeHeader + spongeRecord*rows },
	recordRows:  spongeRows,
	fill: func(launch launcher, job *Job) error {
		used := spongeRows(job.recordWords())
		if used == 0 || job.recordWords() != spongeHeader+spongeRecord*used {
			return fmt.Errorf("table sponge: %d words of records, want %d and %d for each of at least one row", job.recordWords(), spongeHeader, spongeRecord)
		}
		shape := cuda.Shape{Grid: cuda.Dim{X: (job.Rows + 255) / 256, Y: spongeGroups}, Block: cuda.Dim{X: 256}}
		return launch("trace_sponge", shape, cuda.Address(job.Columns.Span), cuda.U64(job.Columns.Stride), cuda.Address(job.Records), cuda.U64(used), cuda.U64(job.Rows))
	},
}

func spongeRows(words uint64) uint64 { return (max(words, spongeHeader) - spongeHeader) / spongeRecord }

// xor4 is the lookup table's preprocessed columns: see xor4.cu.
var xor4 = &Generator{
	machine: "keccak", table: "xor4", width: 3, file: "xor4.cu",
	recordRows: func(uint64) uint64 { return 0 },
	fill: func(launch launcher, job *Job) error {
		return launch("preprocess_xor4", cuda.Linear(job.Rows, 256), cuda.Address(job.Columns.Span), cuda.U64(job.Columns.Stride), cuda.U64(job.Rows))
	},
}
