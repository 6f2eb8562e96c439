package keccak

import (
	_ "embed" // the kernels

	"github.com/chiasmus/chiasmus/prover/machine"
)

var (
	//go:embed keccak_f.cu
	permutationSource string
	//go:embed sponge.cu
	spongeSource string
	//go:embed words.cuh
	wordsHeader string
)

// permutationDevice fills the keccak-f table: see keccak_f.cu.
func permutationDevice() *machine.DeviceFiller {
	const (
		rowWords = 61 // ROW_WORDS
		bitLanes = 35 // BIT_LANES
	)
	permutations := func(rows uint64) uint64 { return (rows + rounds - 1) / rounds } // with the one that is cut off
	pairs := func(groups uint64) func(uint64, []uint64) machine.Launch {
		return func(rows uint64, _ []uint64) machine.Launch {
			return machine.Launch{BlocksX: (rows/2 + 255) / 256, BlocksY: groups, Threads: 256}
		}
	}
	return &machine.DeviceFiller{
		Source:  permutationSource,
		Headers: map[string]string{"words.cuh": wordsHeader},
		Records: []int{recordInputs},
		Work:    func(rows uint64) uint64 { return rowWords * rounds * permutations(rows) },
		Kernels: []machine.Kernel{
			{Name: "trace_keccak_f_rounds", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(permutations(rows), 128)
			}},
			{Name: "trace_keccak_f_bits", Launch: pairs(bitLanes)},
			{Name: "trace_keccak_f_words", Launch: pairs(2*stateWords + 1)},
		},
	}
}

// spongeDevice fills the sponge table: see sponge.cu.
func spongeDevice() *machine.DeviceFiller {
	const groups = 3*rateLanes + capacityWords + stateWords + 1
	return &machine.DeviceFiller{
		Source:  spongeSource,
		Headers: map[string]string{"words.cuh": wordsHeader},
		Records: []int{recordInputs, recordFile},
		Kernels: []machine.Kernel{{Name: "trace_sponge", Launch: func(rows uint64, _ []uint64) machine.Launch {
			return machine.Launch{BlocksX: (rows + 255) / 256, BlocksY: groups, Threads: 256}
		}}},
	}
}
