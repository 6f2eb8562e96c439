package blake_test

import (
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// lie is a round in which a step of a quarter round has a wrong value. All later values follow from it.
type lie struct {
	round, quarter int
	step           string
	change         func(v uint64) uint64
}

// lying fills the rows of the second call with a lie, and the call's row with the result.
func (f *forger) lying(l lie) {
	state, block := f.Inputs(f.calls[1])
	chaining := state
	row := make([]goldilocks.Element, len(f.Work.Columns))
	for r := range f.Rounds() {
		honest := state
		blake.FillRow(f.Function, row, 8, r, &honest, &block)
		f.lyingRound(l, r, &state, &block, row)
		f.put(f.Rounds()+r, row)
	}
	put := func(family string, i int, word uint64) {
		for k := range f.Bytes() {
			*f.Calls.Cell(fmt.Sprintf("%s[%d]", family, f.Bytes()*i+k), 1) = goldilocks.Element(word >> (8 * k) & 0xff)
		}
	}
	for i, w := range state {
		put("last", i, w)
	}
	for i := range 8 {
		result := state[i] ^ state[i+8]
		if put("result", i, result); f.Feed {
			result ^= chaining[i]
			put("fed", i, result)
		}
		for k := range f.Limbs {
			*f.Calls.Cell(fmt.Sprintf("written[%d]", f.Limbs*i+k), 1) = goldilocks.Element(result >> (32 * k) & (1<<32 - 1))
		}
	}
}

// lyingRound computes a round with the lie, and writes its steps into the row.
func (f *forger) lyingRound(l lie, round int, v, block *[16]uint64, row []goldilocks.Element) {
	columns := map[string]int{}
	for c, name := range f.Work.Table.Main {
		columns[name] = c
	}
	for i := range 8 {
		j, turn := i%4, i/4
		a, b, c, d := &v[j], &v[4+(j+turn)%4], &v[8+(j+2*turn)%4], &v[12+(j+3*turn)%4]
		mx, my := block[f.Schedule[round][2*i]], block[f.Schedule[round][2*i+1]]
		say := func(step string, value uint64) uint64 {
			if l.round == round && l.quarter == i && l.step == step {
				value = f.Cut(l.change(value))
			}
			first, ok := columns[fmt.Sprintf("%s[%d]", step, f.Bytes()*i)]
			for k := 0; ok && k < f.Bytes(); k++ {
				row[first+k] = goldilocks.Element(value >> (8 * k) & 0xff)
			}
			return value
		}
		a1 := say("a1", f.Cut(*a+*b+mx))
		x1 := say("x1", *d^a1)
		d1 := f.Turned(x1, 0)
		c1 := say("c1", f.Cut(*c+d1))
		b1 := say("b1", f.Turned(say("x2", *b^c1), 1))
		a2 := say("a2", f.Cut(a1+b1+my))
		x3 := say("x3", d1^a2)
		*d = f.Turned(x3, 2)
		c2 := say("c2", f.Cut(c1+*d))
		b2 := say("b2", f.Turned(say("x4", b1^c2), 3))
		*a, *b, *c = a2, b2, c2
	}
}

// A wrong step, with all values that follow from it, is refused by the check of that step: a sum by its constraint, an
// exclusive or by the lookup of its bytes, a rotation by its lookup or constraint.
func TestLiesInEachStep(t *testing.T) {
	for _, function := range functions {
		original := function.subject(t)
		original.clone().lying(lie{round: -1})
		for _, step := range []string{"a1", "x1", "c1", "x2", "b1", "a2", "x3", "c2", "x4", "b2"} {
			for quarter := range 8 {
				for _, bit := range []int{0, 17, 32*function.Limbs - 1} {
					want := []string{fmt.Sprintf("%s[%d]: limb %d is the sum's", step, quarter, bit/32)}
					switch {
					case step[0] == 'x':
						want = []string{"B8"}
					case step == "b1" && function.Limbs == 2:
						continue // bytes of x2
					case step[0] == 'b' && function.Limbs == 1:
						want = []string{"R16"}
					case step == "b2":
						want = []string{
							fmt.Sprintf("b2[%d]: what leaves limb 0 is a bit", quarter),
							fmt.Sprintf("b2[%d]: what leaves limb 1 is a bit", quarter),
						}
					}
					f := original.clone()
					f.lying(lie{function.Rounds() / 2, quarter, step, func(v uint64) uint64 { return v ^ 1<<bit }})
					found := f.Broken()
					if step[0] == 'a' || step[0] == 'c' { // a lost carry also violates the next limb's sum
						if len(found) == 0 || found[0] != want[0] {
							t.Errorf("%s, %s of quarter %d, bit %d: refused by %q, want %q", f.Name, step, quarter, bit, found, want)
						}
						continue
					}
					f.refused(t, fmt.Sprintf("%s of quarter %d, bit %d", step, quarter, bit), want...)
				}
			}
		}
	}
}

// Bytes that carry into each other, so that every sum and every rotation holds, are refused by their lookups.
func TestBytesThatCarry(t *testing.T) {
	for _, function := range functions {
		original := function.subject(t)
		for _, step := range []string{"a1", "c1", "b1", "a2", "c2", "b2"} {
			for quarter := range 8 {
				if step == "b1" && function.Limbs == 2 || step == "b2" && quarter >= 4 {
					continue // no columns; bytes that continue in the next row
				}
				f := original.clone()
				low := f.cell(step, f.Bytes()*quarter, f.Rounds()+1)
				high := f.cell(step, f.Bytes()*quarter+1, f.Rounds()+1)
				*low, *high = low.Add(256), high.Sub(1)
				f.refused(t, fmt.Sprintf("%s of quarter %d", step, quarter), "B8")
			}
		}
	}
}

// The all-ones word rotated is itself, and 0 rotated is 0: neither may pass for the other.
func TestTurnedZerosAndOnes(t *testing.T) {
	for _, function := range functions {
		for _, v := range []uint64{0, ^uint64(0)} {
			f := function.subject(t)
			step := "b2"
			f.lying(lie{1, 2, "x4", func(uint64) uint64 { return v }})
			f.lying(lie{1, 2, step, func(uint64) uint64 { return ^v }})
			if found := f.broken(); len(found) == 0 {
				t.Errorf("%s: %x turned is %x", f.Name, v, ^v)
			}
		}
	}
}
