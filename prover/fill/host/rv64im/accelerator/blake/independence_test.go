package blake_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// breakage describes how to violate only the constraints whose names match. The pattern's numbers are its arguments.
type breakage struct {
	pattern string
	broken  func(f *forger, n []int)
}

var carried = goldilocks.Element(1 << 32).Inverse()

// sum makes a limb of a sum wrong in a row without a call, by a cell that nothing else reads there: where selects the
// family's columns that are part of the limb. The carry into the next limb is compensated.
func sum(family string, where func(f *forger, quarter, limb int) int) func(f *forger, n []int) {
	return func(f *forger, n []int) {
		quarter, limb := n[0], n[1]
		*f.cell(family, where(f, quarter, limb), idle) = 5
		if limb+1 < f.Limbs {
			*f.cell(family, where(f, quarter, limb+1), idle) = goldilocks.Element(5).Mul(carried).Neg()
		}
	}
}

// summand is a limb of the first or second block word of a quarter round.
func summand(second int) func(f *forger, quarter, limb int) int {
	return func(f *forger, quarter, limb int) int { return (2*quarter+second)*f.Limbs + limb }
}

// turned is the byte of an exclusive or that a rotation makes the lowest of a limb.
func turned(rotation int) func(f *forger, quarter, limb int) int {
	return func(f *forger, quarter, limb int) int {
		return quarter*f.Bytes() + (4*limb+f.Rotations[rotation]/8)%f.Bytes()
	}
}

// nextRow gives the last row of the second call another state or block.
func nextRow(change func(f *forger, state, block *[16]uint64)) func(f *forger) {
	return func(f *forger) {
		state, block := f.Inputs(f.calls[1])
		row := make([]goldilocks.Element, len(f.Work.Columns))
		for r := range f.Rounds() - 1 {
			blake.FillRow(f.Function, row, 8, r, &state, &block)
		}
		change(f, &state, &block)
		blake.FillRow(f.Function, row, 8, f.Rounds()-1, &state, &block)
		f.put(2*f.Rounds()-1, row)
	}
}

var breakages = []breakage{
	{`a1\[(\d+)\]: limb (\d+) is the sum's`, sum("m", summand(0))},
	{`a2\[(\d+)\]: limb (\d+) is the sum's`, sum("m", summand(1))},
	{`c1\[(\d+)\]: limb (\d+) is the sum's`, sum("x1", turned(0))},
	{`c2\[(\d+)\]: limb (\d+) is the sum's`, sum("x3", turned(2))},
	{`b2\[(\d+)\]: what leaves limb (\d+) is a bit`, func(f *forger, n []int) {
		// 2 x_k = 2^33 and 2 x_{1-k} = -2: limb k carries 2, and the other limb nothing.
		at := f.Bytes() * n[0]
		*f.cell("x4", at+4*n[1], idle) = 1 << 32
		*f.cell("x4", at+4*(1-n[1]), idle) = goldilocks.Element(1).Neg()
	}},
	// A call that begins in its middle.
	{`place\[(\d+)\] follows`, func(f *forger, n []int) {
		for i := n[0]; i < f.Rounds(); i++ {
			*f.cell("place", i, idle+i) = 1
		}
	}},
	// Two calls, of which one begins in the first one's second row.
	{`a row has one place at most`, func(f *forger, _ []int) {
		for i := range f.Rounds() {
			*f.cell("place", i, idle+i), *f.cell("place", i, idle+1+i) = 1, 1
		}
	}},
	{`the time stays`, func(f *forger, _ []int) { *f.Work.Cell("time", f.Rounds()-1) = 80 }},
	{`cell (\d+) of the state goes on`, func(f *forger, n []int) {
		nextRow(func(f *forger, state, _ *[16]uint64) {
			half, whole := 4*f.Limbs, 4*f.Bytes()
			for i, size := range []int{half, whole, half, whole} {
				if n[0] >= size {
					n[0] -= size
					continue
				}
				bits := 32
				if size == whole {
					bits = 8
				}
				per := size / 4
				state[4*i+n[0]/per] ^= 1 << (bits * (n[0] % per))
				return
			}
		})(f)
	}},
	{`m\[(\d+)\] goes on`, func(f *forger, n []int) {
		nextRow(func(f *forger, _, block *[16]uint64) {
			block[f.Schedule[f.Rounds()-1][n[0]/f.Limbs]] ^= 1 << (32 * (n[0] % f.Limbs))
		})(f)
	}},
}

// elsewhere maps a constraint that cannot be violated individually to the test that covers it.
var elsewhere = map[string]string{
	"place[0] is boolean": "TestPlaces: the rows form a cycle, so no single place can be another number",
}

// No constraint of the rounds follows from the others: each can be violated alone.
func TestConstraintsAreIndependent(t *testing.T) {
	for _, function := range functions {
		original := function.subject(t)
		used := make([]bool, len(breakages))
		for _, constraint := range original.Work.Table.Constraints {
			if elsewhere[constraint.Name] != "" {
				continue
			}
			found := false
			for i, b := range breakages {
				match := regexp.MustCompile("^" + b.pattern + "$").FindStringSubmatch(constraint.Name)
				if match == nil {
					continue
				}
				var n []int
				for _, text := range match[1:] {
					number, _ := strconv.Atoi(text)
					n = append(n, number)
				}
				f := original.clone()
				b.broken(f, n)
				f.refused(t, constraint.Name, constraint.Name)
				found, used[i] = true, true
			}
			if !found {
				t.Errorf("%s: nothing breaks %q", function.Name, constraint.Name)
			}
		}
		for i := range used {
			if !used[i] && (function.Limbs == 2 || !has(breakages[i].pattern, `b2`)) {
				t.Errorf("%s: %q matches no constraint", function.Name, breakages[i].pattern)
			}
		}
	}
}

// Index flags other than 0 and 1, anywhere in the table, are refused.
func TestPlaces(t *testing.T) {
	for _, function := range functions {
		f := function.subject(t)
		for at := range 256 {
			for i := range f.Rounds() {
				*f.cell("place", i, at) = goldilocks.Element(f.Rounds()).Inverse()
			}
		}
		found := f.broken()
		refused := false
		for _, name := range found {
			refused = refused || name == "place[0] is boolean"
		}
		if !refused {
			t.Errorf("%s: shares of a place are refused by %q", f.Name, found)
		}
	}
}

// The limbs that a call's row writes, and the chaining value that it adds, are its bytes'.
func TestCallConstraintsAreIndependent(t *testing.T) {
	for _, function := range functions {
		original := function.subject(t)
		for i := range 8 * function.Limbs {
			f := original.clone()
			cell := f.Calls.Cell(fmt.Sprintf("written[%d]", i), 1)
			*cell = cell.Add(1)
			f.refused(t, "another result", fmt.Sprintf("limb %d of the result", i))
			if !function.Feed {
				continue
			}
			f = original.clone()
			cell = f.Calls.Cell(fmt.Sprintf("read[%d]", 20*f.Limbs+i), 1)
			*cell = cell.Add(1)
			f.refused(t, "another chaining value", fmt.Sprintf("limb %d of the chaining value", i))
		}
	}
}
