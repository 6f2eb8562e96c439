// Package keccak fills the tables of the machine keccak on devices.
package keccak

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
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

// rowLayout has the words of a row of a table of permutations in scratch memory. Parities, mixed parities and the state
// after theta are in the order of the columns of their bits. bitLanes is the number of these words.
type rowLayout struct{ parity, mixed, theta, output, chi, words, bitLanes int }

// newRowLayout returns the layout for tables of a form. Without columns C', the mixed parities have no words.
func newRowLayout(form *circuit.Form) (l rowLayout) {
	next := func(words int) (first int) {
		first, l.words = l.words, l.words+words
		return first
	}
	mixed := 0
	if form.Mixed {
		mixed = 5
	}
	l.parity, l.mixed, l.theta = next(5), next(mixed), next(circuit.Lanes)
	l.bitLanes = l.words
	l.output, l.chi = next(circuit.Lanes), next(1)
	return l
}

// header returns a header with the layout as constants.
func (l rowLayout) header() *header.Header {
	return header.New().Constant("ROUNDS", circuit.Rounds).
		Constant("ROW_PARITY", uint64(l.parity)).Constant("ROW_MIXED", uint64(l.mixed)).
		Constant("ROW_THETA", uint64(l.theta)).Constant("ROW_OUTPUT", uint64(l.output)).
		Constant("ROW_CHI", uint64(l.chi)).Constant("ROW_WORDS", uint64(l.words))
}

// The record sets of an execution: the 25 input lanes of each permutation that the sponge uses, and the file.
const (
	RecordInputs = iota
	RecordFile
)

// Offsets in the record set of the file: the length, then the blocks, then the last permutation's output.
const (
	FileLength = 0
	FileBlocks = FileLength + 1
)

// The rows of blocks that fill the sponge table: one for each lane of state, block and mixed, one for each word of
// capacity and output, and one for the remaining columns.
const (
	groupCapacity = 3 * circuit.RateLanes
	groupOutput   = groupCapacity + circuit.CapacityWords
	groupFlags    = groupOutput + circuit.StateWords
	groups        = groupFlags + 1
)

var spongeHeader = header.New().Constant("GROUP_CAPACITY", groupCapacity).Constant("GROUP_OUTPUT", groupOutput).
	Constant("GROUP_FLAGS", groupFlags).
	Constant("FILE_LENGTH", FileLength).Constant("FILE_BLOCKS", FileBlocks)

// headers returns the headers of a table's kernels, for states in words of these lengths, with the table's own header.
func headers(words *header.Header, name string, own *header.Header) map[string]string {
	return map[string]string{"words.cuh": wordsSource, "word_numbers.cuh": words.String(), name: own.String()}
}

// Permutations fills table keccak-f.
func Permutations() *machine.DeviceFiller {
	return roundsDevice(lanes(RecordInputs), &circuit.OwnForm, wordsHeader)
}

// Records is a record set from which a table of permutations is filled.
type Records struct {
	Set   int // its number
	Words int // of a record
	// Input is source that defines
	//
	//	u64 input_lane(const u64 *record, u32 i)
	//
	// which returns lane i of the permutation's input.
	Input string
}

// lanes returns the record set in which a record is the lanes of the input.
func lanes(set int) Records {
	return Records{set, circuit.Lanes, "DEVICE u64 input_lane(const u64 *record, u32 i) { return record[i]; }\n"}
}

// header returns the header of the records.
func (r Records) header() string {
	return header.New("goldilocks.cuh").Constant("RECORD_WORDS", uint64(r.Words)).String() + r.Input
}

// roundsDevice returns the filler of a table of permutations; see keccak_f.cu.
func roundsDevice(records Records, form *circuit.Form, words *header.Header) *machine.DeviceFiller {
	row := newRowLayout(form)
	// The last permutation may be cut off.
	permutations := func(rows uint64) uint64 { return (rows + circuit.Rounds - 1) / circuit.Rounds }
	pairs := func(groups uint64) func(uint64, []uint64) machine.Launch {
		return func(rows uint64, _ []uint64) machine.Launch {
			return machine.Launch{BlocksX: (rows/2 + 255) / 256, BlocksY: groups, Threads: 256}
		}
	}
	headers := headers(words, "rounds_layout.cuh", row.header())
	headers["record.cuh"] = records.header()
	return &machine.DeviceFiller{
		Source:       permutationSource,
		Headers:      headers,
		Records:      []int{records.Set},
		RowsOfRecord: circuit.Rounds,
		GrowsBy:      uint64(records.Words),
		Work:         func(rows uint64) uint64 { return uint64(row.words) * circuit.Rounds * permutations(rows) },
		Kernels: []machine.Kernel{
			{Name: "trace_keccak_f_rounds", Launch: func(rows uint64, _ []uint64) machine.Launch {
				return machine.Linear(permutations(rows), 128)
			}},
			{Name: "trace_keccak_f_bits", Launch: pairs(uint64(row.bitLanes))},
			{Name: "trace_keccak_f_words", Launch: pairs(uint64(2*len(form.Words) + 1))},
		},
	}
}

// Sponge fills the sponge table; see sponge.cu.
func Sponge() *machine.DeviceFiller {
	return &machine.DeviceFiller{
		Source:  spongeSource,
		Headers: headers(wordsHeader, "sponge_layout.cuh", spongeHeader),
		Records: []int{RecordInputs, RecordFile},
		Kernels: []machine.Kernel{{Name: "trace_sponge", Launch: func(rows uint64, _ []uint64) machine.Launch {
			return machine.Launch{BlocksX: (rows + 255) / 256, BlocksY: groups, Threads: 256}
		}}},
	}
}

// Limbs fills the columns that the circuit's DeclareLimbs declares, from the record set of the inputs' lanes.
func Limbs(inputs int) *machine.DeviceFiller { return LimbsOf(lanes(inputs)) }

// LimbsOf fills the same columns from other records.
func LimbsOf(records Records) *machine.DeviceFiller {
	return roundsDevice(records, &circuit.LimbForm, headerOf(circuit.Limb32Bits, circuit.Limb32Bits))
}

// wordsHeader has the constants of words.cuh, which divides states into words.
var wordsHeader = headerOf(circuit.DigestWordBits, circuit.WordBits)

// headerOf returns a header with the constants of words.cuh, for words of digestWordBits bits in the digest and
// wordBits bits elsewhere.
func headerOf(digestWordBits, wordBits int) *header.Header {
	words := func(bits, each int) uint64 { return uint64((bits + each - 1) / each) }
	digest := words(8*circuit.DigestBytes, digestWordBits)
	rate := digest + words(8*(circuit.RateBytes-circuit.DigestBytes), wordBits)
	capacity := words(circuit.StateBits-8*circuit.RateBytes, wordBits)
	return header.New("keccak.cuh").
		Constant("STATE_LANES", circuit.Lanes).Constant("RATE_LANES", circuit.RateLanes).
		Constant("RATE_BYTES", circuit.RateBytes).
		Constant("STATE_BITS", circuit.StateBits).Constant("RATE_BITS", 8*circuit.RateBytes).
		Constant("DIGEST_BITS", 8*circuit.DigestBytes).
		Constant("STATE_WORDS", rate+capacity).Constant("RATE_WORDS", rate).Constant("DIGEST_WORDS", digest).
		Constant("CAPACITY_WORDS", capacity).
		Constant("WORD_BITS", uint64(wordBits)).Constant("DIGEST_WORD_BITS", uint64(digestWordBits))
}
