package blake

import (
	_ "embed" // the kernels
	"slices"
	"strings"

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

// callText is what devices compute, with what distinguishes the function.
func (f *Function) callText() string {
	var schedule []uint64
	for _, order := range f.Schedule {
		for _, k := range order {
			schedule = append(schedule, uint64(k))
		}
	}
	feed := uint64(0)
	if f.Feed {
		feed = 1
	}
	h := header.New().Scoped("LIMBS", uint64(f.Limbs)).Scoped("ROUNDS", uint64(f.Rounds())).Scoped("FEED", feed)
	for i, name := range []string{"TURN_0", "TURN_1", "TURN_2", "TURN_3"} {
		h.Scoped(name, uint64(f.Rotations[i]))
	}
	return h.Table("iv", slices.Clone(f.IV[:])).Table("schedule", schedule).Text() + callSource
}

// roundThreads is how many threads a block has that fills rounds: one a row.
const roundThreads = 128

func (f *Function) device() accelerator.Device {
	kernel := "fill_" + f.Table + "_rounds"
	return accelerator.Device{Call: f.callText(), Work: func(calls, read int) *machine.DeviceFiller {
		layout := header.New("goldilocks.cuh").Struct("Call", record.Call{})
		return &machine.DeviceFiller{
			Source: strings.ReplaceAll(roundsSource, "FUNCTION", f.Table),
			Headers: map[string]string{
				"call.cuh": accelerator.CallHeader(f.Table, f.callText()), "layout.cuh": layout.String(),
			},
			Records:      []int{calls, read},
			RowsOfRecord: f.Rounds(),
			Kernels: []machine.Kernel{{Name: kernel, Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(rows, roundThreads)
			}}},
		}
	}}
}
