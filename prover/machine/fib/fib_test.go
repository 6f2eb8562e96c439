package fib

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func mustProgram(t *testing.T) machine.Program {
	t.Helper()
	p, err := Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The result is compared with the sequence in integers.
func TestResult(t *testing.T) {
	p := mustProgram(t)
	w, err := p.Input([]byte("18446744069414584320 7\n32"), 1)
	if err != nil {
		t.Fatal(err)
	}
	modulus := new(big.Int).SetUint64(goldilocks.Modulus)
	a, b := new(big.Int).SetUint64(goldilocks.Modulus-1), big.NewInt(7)
	for range 31 {
		a, b = b, new(big.Int).Mod(new(big.Int).Add(a, b), modulus)
	}
	if got := uint64(w.Public()[publicResult]); got != b.Uint64() {
		t.Errorf("result %d, want %d", got, b)
	}
	if err := p.Machine().Check(parallel.New(0), w); err != nil {
		t.Error(err)
	}
	if size, err := p.Size(w.Public(), w.LogHeights()); err != nil || size != 32 {
		t.Errorf("size %d, %v", size, err)
	}
}

func TestSyntheticIsDrawnFromSeed(t *testing.T) {
	p := mustProgram(t)
	results := map[goldilocks.Element]bool{}
	for _, seed := range []uint64{1, 2, 1} {
		w, err := p.Synthetic(64, seed, 5)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Machine().Check(nil, w); err != nil {
			t.Error(err)
		}
		results[w.Public()[publicResult]] = true
	}
	if len(results) != 2 {
		t.Errorf("%d results of 2 seeds", len(results))
	}
}

// Rows that several workers fill, each from a jump, are those of the recurrence.
func TestFillInParallel(t *testing.T) {
	p := mustProgram(t)
	const rows = 4 * fillRows
	for _, workers := range []int{1, 3} {
		w, err := p.Synthetic(rows, 3, 5)
		if err != nil {
			t.Fatal(err)
		}
		columns := [][]goldilocks.Element{make([]goldilocks.Element, rows), make([]goldilocks.Element, rows)}
		if err := w.Fill(parallel.New(workers), 0, columns); err != nil {
			t.Fatal(err)
		}
		a, b := w.Public()[publicA0], w.Public()[publicB0]
		for i := range rows {
			if columns[columnA][i] != a || columns[columnB][i] != b {
				t.Fatalf("%d workers, row %d: (%d, %d), want (%d, %d)", workers, i, columns[columnA][i], columns[columnB][i], a, b)
			}
			a, b = b, a.Add(b)
		}
		if columns[columnB][rows-1] != w.Public()[publicResult] {
			t.Error("the last row is not the result")
		}
	}
}

// Records are what a device fills the table from.
func TestRecords(t *testing.T) {
	p := mustProgram(t)
	w, err := p.Input([]byte("5 9 64"), 3)
	if err != nil {
		t.Fatal(err)
	}
	if records := w.Records(0); len(records) != 2 || records[0] != 5 || records[1] != 9 || w.Records(1) != nil {
		t.Errorf("records %v and %v", records, w.Records(1))
	}
}

// Every constraint is broken by a trace that satisfies all others.
func TestEachConstraintAlone(t *testing.T) {
	p := mustProgram(t)
	const rows = 8
	fill := func(columns [][]goldilocks.Element, a, b goldilocks.Element) {
		for i := range columns[columnA] {
			columns[columnA][i], columns[columnB][i] = a, b
			a, b = b, a.Add(b)
		}
	}
	w, err := p.Input([]byte(fmt.Sprint("3 5 ", rows)), 3)
	if err != nil {
		t.Fatal(err)
	}
	last := func(columns [][]goldilocks.Element) goldilocks.Element { return columns[columnB][rows-1] }
	cases := map[string]func(columns [][]goldilocks.Element, public []goldilocks.Element){
		"a starts at a0":       func(c [][]goldilocks.Element, p []goldilocks.Element) { p[publicA0] = 4 },
		"b starts at b0":       func(c [][]goldilocks.Element, p []goldilocks.Element) { p[publicB0] = 4 },
		"b ends at the result": func(c [][]goldilocks.Element, p []goldilocks.Element) { p[publicResult] = 4 },
		"a becomes b":          func(c [][]goldilocks.Element, p []goldilocks.Element) { c[columnA][rows-1] = 4 },
		"b becomes a + b": func(c [][]goldilocks.Element, p []goldilocks.Element) {
			c[columnB][rows-1] = 4
			p[publicResult] = last(c)
		},
	}
	for _, constraint := range p.Machine().Tables[0].Constraints {
		t.Run(constraint.Name, func(t *testing.T) {
			breakIt := cases[constraint.Name]
			if breakIt == nil {
				t.Fatal("no case")
			}
			columns := [][]goldilocks.Element{make([]goldilocks.Element, rows), make([]goldilocks.Element, rows)}
			fill(columns, 3, 5)
			public := append([]goldilocks.Element(nil), w.Public()...)
			breakIt(columns, public)
			violations := p.Machine().Tables[0].Violations(air.Trace{Main: columns}, public, nil, 0)
			if len(violations) != 1 || violations[0].Constraint != constraint.Name {
				t.Errorf("violated: %v", violations)
			}
		})
	}
}

func TestBadInput(t *testing.T) {
	p := mustProgram(t)
	for input, want := range map[string]string{
		"":                                "0 words, want three numbers",
		"1 2":                             "2 words, want three numbers",
		"x 2 8":                           `a0 is "x", want a number below 18446744069414584321`,
		"1 18446744069414584321 8":        `b0 is "18446744069414584321", want a number below`,
		"1 2 y":                           `rows is "y"`,
		"1 2 6":                           "6 rows, want a power of two",
		"1 2 1":                           "1 rows, want a power of two",
		"1 2 4":                           "4 rows, want at least 8 with these parameters",
		fmt.Sprint("1 2 ", uint64(1)<<40): "want a power of two from 2 to 2^28",
	} {
		if _, err := p.Input([]byte(input), 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", input, err, want)
		}
	}
}

func TestMutatedWitness(t *testing.T) {
	p := mustProgram(t)
	w, err := p.Synthetic(16, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	bad := &machine.Mutated{Witness: w, Change: func(_ int, columns [][]goldilocks.Element) { columns[columnB][3]++ }}
	var violation *air.Violation
	if err := p.Machine().Check(nil, bad); !errors.As(err, &violation) || violation.Row != 2 || violation.Constraint != "b becomes a + b" {
		t.Errorf("error %v", err)
	}
}

func ExampleProgram() {
	p, _ := Program()
	witness, _ := p.Input([]byte("0 1 8"), 3)
	for _, field := range p.Describe(witness.Public()) {
		fmt.Println(field.Name, field.Value)
	}
	fmt.Println(p.Machine().Check(nil, witness))
	// Output:
	// a0 0
	// b0 1
	// result 21
	// <nil>
}
