package keccak

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/air"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	host "github.com/chiasmus/chiasmus/prover/fill/host/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// column is a column of a table.
type column = []goldilocks.Element

// subject is a table's trace with public values, for a test to modify.
type subject struct {
	table   *air.Table
	columns []column
	public  []goldilocks.Element

	form *circuits.Form // of a table of permutations
}

// sponge and permutation return the columns by their names.
func (s *subject) sponge() *circuits.Sponge[column] { return circuits.SpongeOf(s.columns) }

func (s *subject) permutation() *circuits.Permutation[column] {
	return circuits.PermutationOf(s.form, s.columns)
}

func (s *subject) rows() int { return len(s.columns[0]) }

// settle sets columns that constraints define to the required values: such a constraint is column - expression.
func (s *subject) settle(row int, columns map[string]column) {
	values := make([]goldilocks.Element, len(s.table.Graph))
	s.table.EvaluateRow(air.Trace{Main: s.columns}, row, s.public, values)
	for _, c := range s.table.Constraints {
		if column, ok := columns[c.Name]; ok {
			column[row] = column[row].Sub(values[c.Root])
		}
	}
}

// clone is a copy to modify.
func (s *subject) clone() *subject {
	c := &subject{table: s.table, public: slices.Clone(s.public), form: s.form}
	for _, column := range s.columns {
		c.columns = append(c.columns, slices.Clone(column))
	}
	return c
}

// affectedRows are the rows where s may violate constraints that an original satisfies: changed rows, and the rows
// before them.
func (s *subject) affectedRows(original *subject) []int {
	if s.rows() != original.rows() || !slices.Equal(s.public, original.public) {
		return nil // all
	}
	affected := make([]bool, s.rows())
	for c, column := range s.columns {
		for row, v := range column {
			if v != original.columns[c][row] {
				affected[row], affected[(row+s.rows()-1)%s.rows()] = true, true
			}
		}
	}
	var rows []int
	for row, is := range affected {
		if is {
			rows = append(rows, row)
		}
	}
	return rows
}

// breakage describes how to violate only the constraints whose names match. The pattern's numbers are its arguments.
type breakage struct {
	pattern string
	change  func(s *subject, n []int)
}

// breakEach violates every constraint of a table with the first breakage that matches and checks that all other
// constraints hold.
func breakEach(t *testing.T, original *subject, list []breakage) {
	if v := original.table.Violations(air.Trace{Main: original.columns}, original.public, nil, 0); len(v) > 0 {
		t.Fatal(v)
	}
	patterns := make([]*regexp.Regexp, len(list))
	for i, b := range list {
		patterns[i] = regexp.MustCompile("^" + b.pattern + "$")
	}
	used := make([]atomic.Bool, len(list))
	parallel.New(0).Each(len(original.table.Constraints), func(k int) {
		name := original.table.Constraints[k].Name
		i := slices.IndexFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(name) })
		if i < 0 {
			t.Errorf("nothing breaks %q", name)
			return
		}
		used[i].Store(true)
		var numbers []int
		for _, text := range patterns[i].FindStringSubmatch(name)[1:] {
			n, err := strconv.Atoi(text)
			if err != nil {
				panic(err) // the patterns' groups are digits
			}
			numbers = append(numbers, n)
		}
		s := original.clone()
		list[i].change(s, numbers)
		broken := map[string]bool{}
		for _, v := range s.table.Violations(air.Trace{Main: s.columns}, s.public, s.affectedRows(original), 0) {
			broken[v.Constraint] = true
		}
		if len(broken) != 1 || !broken[name] {
			t.Errorf("broken: %v, want %q alone", broken, name)
		}
	})
	for i, b := range list {
		if !used[i].Load() {
			t.Errorf("%q matches no constraint", b.pattern)
		}
	}
}

// spongeSubject is the sponge of four blocks, followed by inert rows.
func spongeSubject(t *testing.T) *subject {
	f := newForger(smallInstances())
	f.pad(0)
	f.length = 3 * rateBytes
	f.absorb(0, nil)
	s := &subject{table: mustProgram(t).Machine().Tables[tableSponge], public: f.execution(columnChange{}).Public().Values}
	for range width(tableSponge) {
		s.columns = append(s.columns, make([]goldilocks.Element, 8))
	}
	f.fillSponge(s.columns)
	return s
}

// No constraint of the sponge follows from the others: each can be violated alone.
func TestSpongeConstraintsAreIndependent(t *testing.T) {
	const final = 3
	one := goldilocks.Element(1)
	add := func(c column, row int, v goldilocks.Element) { c[row] = c[row].Add(v) }
	// oneNegative sets a digit to -1 and another to 1, in a row that is not final: their sum says that no digit is set.
	oneNegative := func(s *subject, digits []column, i int) {
		for _, nibble := range s.sponge().Block { // from is not zero in every byte now
			nibble[1] = 0
		}
		add(digits[i], 1, one.Neg())
		add(digits[(i+1)%len(digits)], 1, one)
	}
	breakEach(t, spongeSubject(t), []breakage{
		{`lane\[(\d+)\] is boolean`, func(s *subject, n []int) { oneNegative(s, s.sponge().Lane[:], n[0]) }},
		{`byte\[(\d+)\] is boolean`, func(s *subject, n []int) { oneNegative(s, s.sponge().Byte[:], n[0]) }},
		{`lane and byte are set together`, func(s *subject, n []int) {
			s.sponge().Byte[0][final] = 0
			s.sponge().Block[0][final] = 0
		}},
		{`the first row is active`, func(s *subject, n []int) {
			for row := range s.rows() {
				s.sponge().Active[row] = 0
				s.sponge().Length[row] = 0
			}
			s.sponge().Lane[0][final], s.sponge().Byte[0][final] = 0, 0
		}},
		{`active goes on until the final row`, func(s *subject, n []int) {
			for row := 2; row < s.rows(); row++ {
				s.sponge().Active[row] = 0
				s.sponge().Length[row] = 2 * rateBytes
			}
			s.sponge().Lane[0][final], s.sponge().Byte[0][final] = 0, 0
		}},
		{`the last row is final or inert`, func(s *subject, n []int) {
			for c := range s.columns {
				s.columns[c] = s.columns[c][:final+1]
			}
			s.sponge().Lane[0][final], s.sponge().Byte[0][final] = 0, 0
		}},
		{`word (\d+) of the state starts at zero`, func(s *subject, n []int) {
			add(s.sponge().State[circuits.Words[n[0]].First/4], 0, one)
		}},
		{`word (\d+) of the state is the output`, func(s *subject, n []int) {
			add(s.sponge().State[circuits.Words[n[0]].First/4], 1, one)
		}},
		{`capacity\[(\d+)\] starts at zero`, func(s *subject, n []int) { add(s.sponge().Capacity[n[0]], 0, one) }},
		{`capacity\[(\d+)\] is the output`, func(s *subject, n []int) { add(s.sponge().Capacity[n[0]], 1, one) }},
		{`length starts at zero`, func(s *subject, n []int) {
			for row := range s.rows() {
				add(s.sponge().Length, row, one)
			}
			s.public[publicLength]++
		}},
		{`length grows by a full block`, func(s *subject, n []int) {
			for row := 2; row < s.rows(); row++ {
				add(s.sponge().Length, row, one)
			}
			s.public[publicLength]++
		}},
		{`padding, low nibble of byte (\d+)`, func(s *subject, n []int) { add(s.sponge().Block[2*n[0]], final, one) }},
		{`padding, high nibble of byte (\d+)`, func(s *subject, n []int) {
			add(s.sponge().Block[2*n[0]+1], final, one)
		}},
		{`word (\d+) of the output is the digest`, func(s *subject, n []int) {
			s.public[circuits.Words[n[0]].First/limbBits]++
		}},
		{`length is the public length`, func(s *subject, n []int) { s.public[publicLength]++ }},
	})
}

// The free row is the last of permutationSubject: it begins a truncated permutation, so nothing reads its output or
// constrains its input.
const freeRow = rounds

// evenNumber is a number that must be even.
type evenNumber struct{ Number air.Expr }

// permutationForms are the tables of permutations: this machine's, and other machines'.
func permutationForms(t *testing.T) map[string]*subject {
	b := air.NewTable("limbs")
	b.Heights(5, air.MaxLogHeight)
	var buses air.Buses
	single := air.NewLookup[evenNumber](&buses, "even")
	served, input, output := circuits.DeclareLimbs(b, func(numbers []air.Expr) {
		for _, n := range numbers {
			single.Ask(b, b.Constant(1), evenNumber{n})
		}
	})
	type message struct{ Input, Output [circuits.Limbs]air.Expr }
	permuted := message{[circuits.Limbs]air.Expr(input), [circuits.Limbs]air.Expr(output)}
	air.NewCall[message](&buses, "limbs").Serve(b, served, permuted)
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*subject{
		"keccak-f": permutationSubject(t, mustProgram(t).Machine().Tables[tablePermutation], &circuits.OwnForm),
		"limbs":    permutationSubject(t, table, &circuits.LimbForm),
	}
}

// permutationSubject is a table of permutations with one exported permutation and
// a free row of zeros.
func permutationSubject(t *testing.T, table *air.Table, form *circuits.Form) *subject {
	f := newForger(smallInstances())
	f.absorb(0, nil)
	s := &subject{table: table, form: form}
	for range table.Main {
		s.columns = append(s.columns, make([]goldilocks.Element, rounds+1))
	}
	host.FillPermutations(s.form, nil, s.columns, f.inputs[:lanes])
	p := s.permutation()
	for _, bit := range slices.Concat(p.Parity[:], p.Mixed, p.Theta[:]) {
		bit[freeRow] = 0
	}
	settleOutput(s)
	return s
}

// settleOutput gives the free row the output that follows from its other cells.
func settleOutput(s *subject) {
	chi := map[string]column{}
	for k, z := range circuits.IotaBits {
		chi[fmt.Sprintf("chi[%d] is bit %d of lane 0 after chi", z, z)] = s.permutation().Chi[k]
	}
	s.settle(freeRow, chi)
	settleWords(s)
}

// settleWords is settleOutput without changing the bits before iota.
func settleWords(s *subject) {
	output := map[string]column{}
	for w, word := range s.permutation().Output {
		output[fmt.Sprintf("output[%d] is the round's output", w)] = word
	}
	s.settle(freeRow, output)
}

// setTheta sets the first count bits of a column of the free row after theta.
func setTheta(s *subject, x, z, count int) {
	for y := range count {
		s.permutation().Theta[(x%5+5*y)*laneBits+z%laneBits][freeRow] = 1
	}
}

// startAt removes rows at the start so that the table begins with another row of the cycle, a multiple of 8, and keeps
// the rest long enough.
func startAt(t *testing.T, s *subject, step int) *subject {
	tall := make([][]goldilocks.Element, len(s.columns))
	for c := range tall {
		tall[c] = make([]goldilocks.Element, 3*rounds)
	}
	host.FillPermutations(s.form, nil, tall, nil)
	for c := range tall {
		s.columns[c] = tall[c][step : step+rounds+1]
	}
	return s
}

// No constraint of a table of permutations follows from the others: each can be violated alone.
func TestPermutationConstraintsAreIndependent(t *testing.T) {
	longtest.Only(t)
	if testing.Short() {
		t.Skip("evaluates thousands of constraints, with no kernel")
	}
	for name, s := range permutationForms(t) {
		t.Run(name, func(t *testing.T) { breakEach(t, s, permutationBreakages(t, s.form.Mixed)) })
	}
}

// permutationBreakages break the constraints of a table with or without columns C'.
func permutationBreakages(t *testing.T, mixed bool) []breakage {
	list := []breakage{
		{`mod3 starts without digit (\d+)`, func(s *subject, n []int) { *s = *startAt(t, s, 8*(n[0]*2%3)) }},
		{`mod3 moves to digit (\d+)`, func(s *subject, n []int) {
			s.permutation().Mod3[n[0]-1][freeRow] = 1
			settleOutput(s)
		}},
		{`export is boolean`, func(s *subject, n []int) {
			for row := range rounds {
				s.permutation().Export[row] = 2
			}
		}},
		{`export is 0 where the table cuts off`, func(s *subject, n []int) {
			s.permutation().Export[freeRow] = 1
		}},
		{`export is held`, func(s *subject, n []int) { s.permutation().Export[0] = 0 }},
		{`input\[(\d+)\] is held`, func(s *subject, n []int) { s.permutation().Input[n[0]][0]++ }},
		{`theta\[(\d+),(\d+)\]\[(\d+)\] is boolean`, func(s *subject, n []int) {
			s.permutation().Theta[(n[0]+5*n[1])*laneBits+n[2]][freeRow] = 2
			settleOutput(s)
		}},
		{`parity\[(\d+)\]\[(\d+)\] is boolean`, func(s *subject, n []int) {
			// A parity of 2 makes C' 2 in its own column and 4 in two others.
			x, z := n[0], n[1]
			s.permutation().Parity[laneBits*x+z][freeRow] = 2
			if !mixed {
				return
			}
			for _, at := range [][3]int{{x, z, 2}, {(x + 1) % 5, z, 4}, {(x + 4) % 5, (z + 1) % laneBits, 4}} {
				s.permutation().Mixed[laneBits*at[0]+at[1]][freeRow] = goldilocks.Element(at[2])
				setTheta(s, at[0], at[1], at[2])
			}
			settleOutput(s)
		}},
		{`word (\d+) of the round's input is the word below`, func(s *subject, n []int) {
			for row := range rounds { // all rows hold another input than round 0 had
				s.permutation().Input[n[0]][row]++
			}
		}},
		{`chi\[(\d+)\] is bit \d+ of lane 0 after chi`, func(s *subject, n []int) {
			for k, z := range circuits.IotaBits {
				if z == n[0] {
					s.permutation().Chi[k][freeRow] ^= 1
				}
			}
			settleWords(s)
		}},
		{`output\[(\d+)\] is the round's output`, func(s *subject, n []int) {
			s.permutation().Output[n[0]][freeRow]++
		}},
	}
	if !mixed {
		return list
	}
	return append(list,
		breakage{`mixed\[(\d+)\]\[(\d+)\] is parity and theta effect`, func(s *subject, n []int) {
			s.permutation().Mixed[laneBits*n[0]+n[1]][freeRow] = 1
			setTheta(s, n[0], n[1], 1)
			settleOutput(s)
		}},
		breakage{`mixed\[(\d+)\]\[(\d+)\] is the parity after theta`, func(s *subject, n []int) {
			setTheta(s, n[0], n[1], 1)
			settleOutput(s)
		}})
}
