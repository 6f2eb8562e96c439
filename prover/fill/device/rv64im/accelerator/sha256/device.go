// Package sha256 fills the tables of the accelerator for SHA-256 on devices.
package sha256

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

var (
	//go:embed call.cuh
	callSource string
	//go:embed rounds.cu
	roundsSource string
)

var callText = callHeader()

// Filler fills the accelerator's tables.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: callText, Work: workDevice}

// callHeader returns the device source of the rows of calls, with the constants of the rounds.
func callHeader() string {
	words := make([]uint64, len(circuit.RoundConstants))
	for i, k := range circuit.RoundConstants {
		words[i] = uint64(k)
	}
	return header.New().Table("sha256_round_constants", words).Text() + callSource
}

// Indices in y of the blocks that fill table Work: one for the bits of each word of a row, one for time and place, and
// one for the sums and carries of each word of the schedule.
const (
	groupPlace   = 3 * circuit.WordsOfRow
	groupCarries = groupPlace + 1
	groups       = groupCarries + circuit.WordsOfRow
)

// workDevice returns the filler of table Work; see rounds.cu.
func workDevice(calls, read int) *machine.DeviceFiller {
	layout := header.New("goldilocks.cuh").Struct("Call", record.Call{}).
		Constant("ROWS_OF_CALL", circuit.Rows).Constant("WORDS_OF_ROW", circuit.WordsOfRow).
		Constant("READ_WORDS", circuit.ReadWords).
		Constant("GIVEN_ROWS", circuit.Given).Constant("INVERSE_2", uint64(inverse(2))).
		Constant("INVERSE_3", uint64(inverse(3))).
		Constant("GROUP_PLACE", groupPlace).Constant("GROUP_CARRIES", groupCarries).Constant("GROUPS", groups)
	return &machine.DeviceFiller{
		Source: roundsSource,
		Headers: map[string]string{
			"call.cuh": accelerator.Header(circuit.Kind.Tables.Calls, callText), "layout.cuh": layout.String(),
		},
		Records:      []int{calls, read},
		RowsOfRecord: circuit.Rows,
		Work:         func(rows uint64) uint64 { return 3 * circuit.WordsOfRow * rows / 2 },
		Kernels: []machine.Kernel{
			{Name: "fill_sha256_sequences", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(rows/circuit.Rows, 128)
			}},
			{Name: "fill_sha256_rows", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Launch{BlocksX: (rows + 255) / 256, BlocksY: groups, Threads: 256}
			}},
		},
	}
}

// inverse returns the inverse of the weight of a high carry, factor 2^32.
func inverse(factor uint64) goldilocks.Element {
	return goldilocks.Element(factor * circuit.Modulus).Inverse()
}
