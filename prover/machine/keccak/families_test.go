package keccak

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
)

// The numbers of Keccak[r = 1088, c = 512], by the reference (Bertoni, Daemen, Peeters, Van Assche, 2011), section 1: a
// state of 5 by 5 lanes of 2^l bits with l = 6, and 12 + 2 l rounds. The test does not read the machine's own
// constants.
const (
	specSide     = 5
	specLane     = 64
	specCapacity = 512
	specRate     = specSide*specSide*specLane - specCapacity
	specDigest   = 256
)

// specWords is the number of words of at most the given number of bits for a part of the state.
func specWords(bits, most int) int { return (bits + most - 1) / most }

// family is a constraint for every choice of numbers.
func family(names map[string]bool, format string, limits ...int) {
	numbers := make([]any, len(limits))
	for i := range numbers {
		numbers[i] = 0
	}
	for {
		names[fmt.Sprintf(format, numbers...)] = true
		i := len(limits) - 1
		for ; i >= 0; i-- {
			if next := numbers[i].(int) + 1; next < limits[i] {
				numbers[i] = next
				break
			}
			numbers[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// spongeFamilies are the constraints that a sponge needs: one for each word, byte and lane that the rule mentions. The
// rate's words are those of the digest, of 48 bits, and of the rest; the capacity's have 60.
func spongeFamilies() map[string]bool {
	digest := specWords(specDigest, 48)
	rate, capacity := digest+specWords(specRate-specDigest, 60), specWords(specCapacity, 60)
	names := map[string]bool{
		"lane and byte are set together": true, "the first row is active": true, "active goes on until the final row": true,
		"the last row is final or inert": true, "length starts at zero": true, "length grows by a full block": true,
		"length is the public length": true,
	}
	family(names, "lane[%d] is boolean", specRate/specLane)
	family(names, "byte[%d] is boolean", specLane/8)
	family(names, "word %d of the state starts at zero", rate)
	family(names, "word %d of the state is the output", rate)
	family(names, "capacity[%d] starts at zero", capacity)
	family(names, "capacity[%d] is the output", capacity)
	family(names, "padding, low nibble of byte %d", specRate/8)
	family(names, "padding, high nibble of byte %d", specRate/8)
	family(names, "word %d of the output is the digest", digest)
	return names
}

// permutationFamilies are the constraints that a round needs, for a state in this number of words. Iota changes the
// bits that some round constant sets: bit 2^j - 1 for j = 0 to l. mixed says that parities after theta have columns.
func permutationFamilies(state int, mixed bool) map[string]bool {
	names := map[string]bool{"export is boolean": true, "export is 0 where the table cuts off": true,
		"export is held": true}
	for digit := 1; digit < 3; digit++ {
		names[fmt.Sprintf("mod3 starts without digit %d", digit)] = true
		names[fmt.Sprintf("mod3 moves to digit %d", digit)] = true
	}
	for bit := 1; bit <= specLane; bit *= 2 {
		names[fmt.Sprintf("chi[%d] is bit %d of lane 0 after chi", bit-1, bit-1)] = true
	}
	family(names, "input[%d] is held", state)
	family(names, "theta[%d,%d][%d] is boolean", specSide, specSide, specLane)
	family(names, "parity[%d][%d] is boolean", specSide, specLane)
	if mixed {
		family(names, "mixed[%d][%d] is parity and theta effect", specSide, specLane)
		family(names, "mixed[%d][%d] is the parity after theta", specSide, specLane)
	}
	family(names, "word %d of the round's input is the word below", state)
	family(names, "output[%d] is the round's output", state)
	return names
}

// Each family of constraints is complete: its members follow from Keccak's own numbers, not from the existing list.
// Violating each constraint alone shows that it does what its name says.
func TestFamiliesAreWhole(t *testing.T) {
	m := mustProgram(t).Machine()
	words := specWords(specDigest, 48) + specWords(specRate-specDigest, 60) + specWords(specCapacity, 60)
	for _, family := range []struct {
		table *air.Table
		want  map[string]bool
	}{
		{m.Tables[tableSponge], spongeFamilies()},
		{m.Tables[tablePermutation], permutationFamilies(words, true)},
		{m.Tables[tableXor], map[string]bool{}},
		{permutationForms(t)["limbs"].table, permutationFamilies(specWords(specSide*specSide*specLane, 32), false)},
	} {
		have := map[string]bool{}
		for _, c := range family.table.Constraints {
			have[c.Name] = true
			if !family.want[c.Name] {
				t.Errorf("table %s has the constraint %q, which no rule asks for", family.table.Name, c.Name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(family.want)) {
			if !have[name] {
				t.Errorf("table %s lacks the constraint %q", family.table.Name, name)
			}
		}
	}
}

// The sponge looks up every nibble that it absorbs and the permutation of every block, and the tables answer.
func TestMessagesAreWhole(t *testing.T) {
	m := mustProgram(t).Machine()
	counts := map[string]int{}
	for _, table := range m.Tables {
		for _, i := range table.Interactions {
			counts[fmt.Sprintf("%s: %s %s of %d", table.Name, i.Kind, i.Bus.Name, len(i.Values))]++
		}
	}
	state := specWords(specDigest, 48) + specWords(specRate-specDigest, 60) + specWords(specCapacity, 60)
	want := map[string]int{
		fmt.Sprintf("sponge: send keccak-f of %d", 2*state):      1,
		fmt.Sprintf("keccak-f: receive keccak-f of %d", 2*state): 1,
		"sponge: send xor of 3":                                  specRate / 4,
		"xor4: receive xor of 3":                                 1,
	}
	if !maps.Equal(counts, want) {
		t.Errorf("messages %v, want %v", counts, want)
	}
	asked := map[string]bool{}
	sponge := m.Tables[tableSponge]
	for _, i := range sponge.Interactions {
		if i.Bus.Name == "xor" {
			for _, value := range i.Values {
				asked[columnName(sponge, int(sponge.Graph[value].Column))] = true
			}
		}
	}
	for _, column := range []string{"state", "block", "mixed"} {
		for k := range specRate / 4 {
			if name := fmt.Sprintf("%s[%d]", column, k); !asked[name] {
				t.Errorf("no lookup checks that %s is a nibble", name)
			}
		}
	}
}

func columnName(table *air.Table, column int) string { return table.Main[column] }
