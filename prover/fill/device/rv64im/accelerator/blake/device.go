// Package blake fills the tables of the accelerators for the BLAKE family on devices.
package blake

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

var (
	//go:embed call.cuh
	callSource string
	//go:embed rounds.cu
	roundsSource string
)

// callText returns the device source of the rows of calls, with the constants of the function.
func callText(f *circuit.Function) string {
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

// roundThreads is the number of threads in a block that fills rounds, one a row.
const roundThreads = 128

// Filler returns the filler of the tables of the accelerator for a function.
func Filler(f *circuit.Function, kind *accelerator.Kind) device.Filler {
	kernel := "fill_" + f.Table + "_rounds"
	return device.Filler{Kind: kind, Call: callText(f), Work: func(calls, read int) *machine.DeviceFiller {
		layout := header.New("goldilocks.cuh").Struct("Call", record.Call{})
		return &machine.DeviceFiller{
			Source: strings.ReplaceAll(roundsSource, "FUNCTION", f.Table),
			Headers: map[string]string{
				"call.cuh": device.Header(f.Table, callText(f)), "layout.cuh": layout.String(),
			},
			Records:      []int{calls, read},
			RowsOfRecord: f.Rounds(),
			Kernels: []machine.Kernel{{Name: kernel, Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(rows, roundThreads)
			}}},
		}
	}}
}
