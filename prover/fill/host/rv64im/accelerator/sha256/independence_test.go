package sha256

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

const (
	idle = 100               // a row without a call, far from any call
	last = circuit.RoundRows // the row of the last rounds of the forger's call
)

// breakage describes how to violate only the constraints whose names match. The pattern's number is its argument.
type breakage struct {
	pattern string
	broken  func(f *forger, n int)
}

// bit sets a bit without a call to 2. The carries and handed-down values that follow from it are not constrained there.
func bit(sequence string) func(f *forger, n int) {
	return func(f *forger, n int) {
		*f.cell(sequence, n, idle) = 2
		f.settleRows(idle-1, idle+4)
	}
}

// carry is a low carry without a call; the high carry compensates for it.
func carry(column string, v goldilocks.Element) func(f *forger, n int) {
	return func(f *forger, n int) {
		*f.cell(column, n, idle) = v
		f.settle(idle, "")
	}
}

// wrong is another word in the row of the last rounds, which the high carry compensates, with the rest of the rounds.
func wrong(constraint, sequence, high string) func(f *forger, n int) {
	return func(f *forger, n int) {
		name := strings.Replace(constraint, "N", strconv.Itoa(n), 1)
		f.setWord(sequence, n, last, f.word(sequence, n, last)^1<<7)
		if high != "" {
			f.absorb(name, high, n, last-1)
		}
		f.settle(last-1, name)
		f.settleRows(last, last+4)
	}
}

// handed is a number handed down in rows without a call; the values handed on follow from it.
func handed(name string) func(f *forger, n int) {
	return func(f *forger, n int) {
		*f.cell(name, n, idle) = 1
		f.settleRows(idle, idle+3)
	}
}

var breakages = []breakage{
	{`a\[(\d+)\] is boolean`, bit("a")},
	{`e\[(\d+)\] is boolean`, bit("e")},
	{`w\[(\d+)\] is boolean`, bit("w")},
	{`scheduleLow\[(\d+)\] is boolean`, carry("scheduleLow", 2)},
	{`eLow\[(\d+)\] is 0, 1 or 2`, carry("eLow", 3)},
	{`aLow\[(\d+)\] is boolean`, carry("aLow", 2)},
	{`scheduleHigh\[(\d+)\] is boolean`, wrong("w[N] is the schedule's", "w", "scheduleHigh")},
	{`eHigh\[(\d+)\] is boolean`, wrong("e[N]", "e", "eHigh")},
	{`aHigh\[(\d+)\] is boolean`, wrong("a[N]", "a", "aHigh")},
	{`w\[(\d+)\] is the schedule's`, wrong("w[N] is the schedule's", "w", "")},
	{`e\[(\d+)\]`, wrong("e[N]", "e", "")},
	{`a\[(\d+)\]`, wrong("a[N]", "a", "")},
	{`first\[(\d+)\]`, handed("first")},
	{`second\[(\d+)\]`, handed("second")},
	{`third\[(\d+)\]`, handed("third")},
	// A call that begins in its middle.
	{`place\[(\d+)\] follows`, func(f *forger, n int) {
		for i := n; i < circuit.Rows; i++ {
			*f.cell("place", i, idle+i) = 1
		}
		f.settleRows(idle+n-1, idle+circuit.Rows+4)
	}},
	// A call that begins in the last row of another one.
	{`a row has one place at most`, func(f *forger, n int) {
		for i := range circuit.Rows {
			*f.cell("place", i, idle+i), *f.cell("place", i, idle+last+i) = 1, 1
		}
		f.settleRows(idle-1, idle+2*last+4)
	}},
	{`the time stays`, func(f *forger, n int) { *f.Work.Cell("time", last) = 8 }},
}

// elsewhere maps a constraint that cannot be violated individually to the test that covers it.
var elsewhere = map[string]string{
	"place[0] is boolean": "TestPlaces: the rows form a cycle, so no single place can be another number",
}

// No constraint follows from the others: each can be violated alone.
func TestConstraintsAreIndependent(t *testing.T) {
	original := forge(t)
	table := original.Work.Table
	used := make([]atomic.Bool, len(breakages))
	parallel.New(0).Each(len(table.Constraints), func(k int) {
		name := table.Constraints[k].Name
		if elsewhere[name] != "" {
			return
		}
		for i, b := range breakages {
			match := regexp.MustCompile("^" + b.pattern + "$").FindStringSubmatch(name)
			if match == nil {
				continue
			}
			used[i].Store(true)
			n := 0
			if len(match) > 1 {
				n, _ = strconv.Atoi(match[1])
			}
			f := &forger{t, original.Clone()}
			b.broken(f, n)
			found := slices.DeleteFunc(f.Broken(), func(name string) bool { return strings.HasPrefix(name, "SHA256") })
			if !slices.Equal(found, []string{name}) {
				t.Errorf("broken: %q, want %q alone", found, name)
			}
			return
		}
		t.Errorf("nothing breaks %q", name)
	})
	for i := range used {
		if !used[i].Load() {
			t.Errorf("%q matches no constraint", breakages[i].pattern)
		}
	}
}
