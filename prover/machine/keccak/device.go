package keccak

import (
	_ "embed" // the kernels

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/machine"
)

var (
	//go:embed keccak_f.cu
	permutationSource string
	//go:embed sponge.cu
	spongeSource string
	//go:embed words.cuh
	wordsSource string
)

// The words of a row of the keccak-f table in scratch memory. Parities, mixed parities and the state after theta are in
// the order of the columns of their bits.
const (
	rowParity = 0
	rowMixed  = rowParity + 5
	rowTheta  = rowMixed + 5
	rowOutput = rowTheta + lanes
	rowChi    = rowOutput + lanes
	rowWords  = rowChi + 1
	bitLanes  = rowOutput
)

// The places in the record set of the file: its length, the blocks; behind them the last permutation's output.
const (
	fileLength = 0
	fileBlocks = fileLength + 1
)

// The rows of blocks that fill the sponge table: one for each lane of state, block and mixed, one for each word of
// capacity and output, one for the columns behind them.
const (
	groupCapacity = 3 * rateLanes
	groupOutput   = groupCapacity + capacityWords
	groupFlags    = groupOutput + stateWords
	groups        = groupFlags + 1
)

var (
	roundsHeader = header.New().Constant("ROUNDS", rounds).Constant("ROW_PARITY", rowParity).
			Constant("ROW_MIXED", rowMixed).
			Constant("ROW_THETA", rowTheta).Constant("ROW_OUTPUT", rowOutput).Constant("ROW_CHI", rowChi).
			Constant("ROW_WORDS", rowWords)
	spongeHeader = header.New().Constant("GROUP_CAPACITY", groupCapacity).Constant("GROUP_OUTPUT", groupOutput).
			Constant("GROUP_FLAGS", groupFlags).
			Constant("FILE_LENGTH", fileLength).Constant("FILE_BLOCKS", fileBlocks)
)

// headers are those of both tables' kernels, for states in some words, with one of its own.
func headers(words *header.Header, name string, own *header.Header) map[string]string {
	return map[string]string{"words.cuh": wordsSource, "word_numbers.cuh": words.String(), name: own.String()}
}

// permutationDevice fills the keccak-f table.
func permutationDevice() *machine.DeviceFiller {
	return roundsDevice(recordInputs, len(words), wordsHeader)
}

// roundsDevice fills a table of permutations whose states are so many words, from the record set of their inputs: see
// keccak_f.cu.
func roundsDevice(inputs, stateWords int, words *header.Header) *machine.DeviceFiller {
	permutations := func(rows uint64) uint64 { return (rows + rounds - 1) / rounds } // with the one that is cut off
	pairs := func(groups uint64) func(uint64, []uint64) machine.Launch {
		return func(rows uint64, _ []uint64) machine.Launch {
			return machine.Launch{BlocksX: (rows/2 + 255) / 256, BlocksY: groups, Threads: 256}
		}
	}
	return &machine.DeviceFiller{
		Source:       permutationSource,
		Headers:      headers(words, "rounds_layout.cuh", roundsHeader),
		Records:      []int{inputs},
		RowsOfRecord: rounds,
		GrowsBy:      lanes,
		Work:         func(rows uint64) uint64 { return rowWords * rounds * permutations(rows) },
		Kernels: []machine.Kernel{
			{Name: "trace_keccak_f_rounds", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(permutations(rows), 128)
			}},
			{Name: "trace_keccak_f_bits", Launch: pairs(bitLanes)},
			{Name: "trace_keccak_f_words", Launch: pairs(uint64(2*stateWords + 1))},
		},
	}
}

// spongeDevice fills the sponge table: see sponge.cu.
func spongeDevice() *machine.DeviceFiller {
	return &machine.DeviceFiller{
		Source:  spongeSource,
		Headers: headers(wordsHeader, "sponge_layout.cuh", spongeHeader),
		Records: []int{recordInputs, recordFile},
		Kernels: []machine.Kernel{{Name: "trace_sponge", Launch: func(rows uint64, _ []uint64) machine.Launch {
			return machine.Launch{BlocksX: (rows + 255) / 256, BlocksY: groups, Threads: 256}
		}}},
	}
}
