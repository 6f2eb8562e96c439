package sha256

import (
	_ "embed" // the kernels

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

var (
	//go:embed call.cuh
	callSource string
	//go:embed rounds.cu
	roundsSource string
)

var (
	callText = callHeader()
	device   = accelerator.Device{Call: callText, Work: workDevice}
)

// callHeader is what devices compute, with the constants of the rounds.
func callHeader() string {
	words := make([]uint64, len(roundConstants))
	for i, k := range roundConstants {
		words[i] = uint64(k)
	}
	return header.New().Table("sha256_round_constants", words).Text() + callSource
}

// The rows of blocks that fill table Work: one for the bits of each word of a row, one for time and place, and one for
// the sums and carries of each word of the schedule.
const (
	groupPlace   = 3 * wordsOfRow
	groupCarries = groupPlace + 1
	groups       = groupCarries + wordsOfRow
)

// workDevice fills table Work: see rounds.cu.
func workDevice(calls, read int) *machine.DeviceFiller {
	layout := header.New("goldilocks.cuh").Struct("Call", record.Call{}).
		Constant("ROWS_OF_CALL", Rows).Constant("WORDS_OF_ROW", wordsOfRow).Constant("READ_WORDS", readWords).
		Constant("GIVEN_ROWS", given).Constant("INVERSE_2", uint64(inverse2)).Constant("INVERSE_3", uint64(inverse3)).
		Constant("GROUP_PLACE", groupPlace).Constant("GROUP_CARRIES", groupCarries).Constant("GROUPS", groups)
	return &machine.DeviceFiller{
		Source: roundsSource,
		Headers: map[string]string{
			"call.cuh": accelerator.CallHeader(callsName, callText), "layout.cuh": layout.String(),
		},
		Records:      []int{calls, read},
		RowsOfRecord: Rows,
		Work:         func(rows uint64) uint64 { return 3 * wordsOfRow * rows / 2 },
		Kernels: []machine.Kernel{
			{Name: "fill_sha256_sequences", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(rows/Rows, 128)
			}},
			{Name: "fill_sha256_rows", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Launch{BlocksX: (rows + 255) / 256, BlocksY: groups, Threads: 256}
			}},
		},
	}
}
