package fib

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

const columnA, columnB = 0, 1

// executed executes the text, or draws if there is none.
func executed(t *testing.T, p run.Program, input run.Input) machine.Execution {
	t.Helper()
	e, err := run.Execute(context.Background(), p, input)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func text(data string) run.Input { return run.Input{Data: []byte(data), MinLogHeight: 3} }

func mustProgram(t *testing.T) run.Program {
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
	w := executed(t, p, text("18446744069414584320 7\n32"))
	modulus := new(big.Int).SetUint64(goldilocks.Modulus)
	a, b := new(big.Int).SetUint64(goldilocks.Modulus-1), big.NewInt(7)
	for range 31 {
		a, b = b, new(big.Int).Mod(new(big.Int).Add(a, b), modulus)
	}
	if got := uint64(w.Public().Values[circuits.PublicResult]); got != b.Uint64() {
		t.Errorf("result %d, want %d", got, b)
	}
	if err := p.Fillers().Check(parallel.New(0), w); err != nil {
		t.Error(err)
	}
	if size, err := p.Size(w.Public(), w.Instances()); err != nil || size != 32 {
		t.Errorf("size %d, %v", size, err)
	}
}

func TestSyntheticIsDrawnFromSeed(t *testing.T) {
	p := mustProgram(t)
	results := map[goldilocks.Element]bool{}
	for _, seed := range []uint64{1, 2, 1} {
		w := executed(t, p, run.Input{Size: 64, Seed: seed, MinLogHeight: 5})
		if err := p.Fillers().Check(nil, w); err != nil {
			t.Error(err)
		}
		results[w.Public().Values[circuits.PublicResult]] = true
	}
	if len(results) != 2 {
		t.Errorf("%d results of 2 seeds", len(results))
	}
}

// Rows filled by several workers, each from a jump, satisfy the recurrence.
func TestFillInParallel(t *testing.T) {
	p := mustProgram(t)
	const rows = 1 << 14 // of which a worker fills 2^12 from one jump
	for _, workers := range []int{1, 3} {
		w := executed(t, p, run.Input{Size: rows, Seed: 3})
		columns := [][]goldilocks.Element{make([]goldilocks.Element, rows), make([]goldilocks.Element, rows)}
		if err := p.Fillers().Tables[0].Fill(parallel.New(workers), w, 0, columns); err != nil {
			t.Fatal(err)
		}
		a, b := w.Public().Values[circuits.PublicA0], w.Public().Values[circuits.PublicB0]
		for i := range rows {
			if columns[columnA][i] != a || columns[columnB][i] != b {
				t.Fatalf("%d workers, row %d: (%d, %d), want (%d, %d)", workers, i, columns[columnA][i], columns[columnB][i], a, b)
			}
			a, b = b, a.Add(b)
		}
		if columns[columnB][rows-1] != w.Public().Values[circuits.PublicResult] {
			t.Error("the last row is not the result")
		}
	}
}

// A device fills the table from the record set, and the jumps in its header are Fibonacci numbers.
func TestDevice(t *testing.T) {
	p := mustProgram(t)
	table := p.Fillers().Tables[0]
	if records := executed(t, p, text("5 9 64")).Records(); len(records) != 1 ||
		!slices.Equal(records[0], []uint64{5, 9}) || !slices.Equal(table.Device.Records, []int{0}) {
		t.Errorf("records %v", records)
	}
	// F(7) = 13, F(8) = 21.
	if header := table.Device.Headers["jumps.cuh"]; !strings.Contains(header,
		"jump_before[29] = {0ull, 1ull, 2ull, 13ull,") ||
		!strings.Contains(header, "jump_at[29] = {1ull, 1ull, 3ull, 21ull,") {
		t.Error(header)
	}
	for rows, threads := range map[uint64]uint64{2: 2, 256: 256, 1 << 20: 1 << 17} {
		if launch := table.Device.Kernels[0].Launch(rows, []uint64{2}); launch.BlocksX*uint64(launch.Threads) != threads {
			t.Errorf("%d rows: %d blocks of %d threads, want %d threads", rows, launch.BlocksX, launch.Threads, threads)
		}
	}
}

// An execution of another machine is refused.
func TestForeignExecution(t *testing.T) {
	f := mustProgram(t).Fillers()
	if err := f.Tables[0].Fill(nil, &machine.Mutated{}, 0, nil); err == nil ||
		!strings.Contains(err.Error(), "not this machine's") {
		t.Errorf("error %v", err)
	}
}

// For every constraint, a trace violates it and satisfies all others.
func TestConstraintsAreIndependent(t *testing.T) {
	p := mustProgram(t)
	const rows = 8
	fill := func(columns [][]goldilocks.Element, a, b goldilocks.Element) {
		for i := range columns[columnA] {
			columns[columnA][i], columns[columnB][i] = a, b
			a, b = b, a.Add(b)
		}
	}
	w := executed(t, p, text(fmt.Sprint("3 5 ", rows)))
	last := func(columns [][]goldilocks.Element) goldilocks.Element { return columns[columnB][rows-1] }
	cases := map[string]func(columns [][]goldilocks.Element, public []goldilocks.Element){
		"a starts at a0":       func(c [][]goldilocks.Element, p []goldilocks.Element) { p[circuits.PublicA0] = 4 },
		"b starts at b0":       func(c [][]goldilocks.Element, p []goldilocks.Element) { p[circuits.PublicB0] = 4 },
		"b ends at the result": func(c [][]goldilocks.Element, p []goldilocks.Element) { p[circuits.PublicResult] = 4 },
		"a becomes b":          func(c [][]goldilocks.Element, p []goldilocks.Element) { c[columnA][rows-1] = 4 },
		"b becomes a + b": func(c [][]goldilocks.Element, p []goldilocks.Element) {
			c[columnB][rows-1] = 4
			p[circuits.PublicResult] = last(c)
		},
	}
	if n := len(p.Machine().Tables[0].Constraints); n != len(cases) {
		t.Errorf("%d constraints, want the %d that these lies break", n, len(cases))
	}
	for _, constraint := range p.Machine().Tables[0].Constraints {
		t.Run(constraint.Name, func(t *testing.T) {
			breakIt := cases[constraint.Name]
			if breakIt == nil {
				t.Fatal("no case")
			}
			columns := [][]goldilocks.Element{make([]goldilocks.Element, rows), make([]goldilocks.Element, rows)}
			fill(columns, 3, 5)
			public := slices.Clone(w.Public().Values)
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
		if _, err := run.Execute(context.Background(), p, text(input)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", input, err, want)
		}
	}
}

func TestMutated(t *testing.T) {
	p := mustProgram(t)
	w := executed(t, p, run.Input{Size: 16, Seed: 1})
	bad := &machine.Mutated{Execution: w, Change: func(_ int, columns [][]goldilocks.Element) { columns[columnB][3]++ }}
	var violation *air.Violation
	if err := p.Fillers().Mutable().Check(nil, bad); !errors.As(err, &violation) || violation.Row != 2 ||
		violation.Constraint != "b becomes a + b" {
		t.Errorf("error %v", err)
	}
}

func ExampleProgram() {
	p, _ := Program()
	execution, _ := run.Execute(context.Background(), p, run.Input{Data: []byte("0 1 8")})
	for _, field := range p.Describe(execution.Public()) {
		fmt.Println(field.Name, field.Value)
	}
	fmt.Println(p.Fillers().Check(nil, execution))
	// Output:
	// a0 0
	// b0 1
	// result 21
	// <nil>
}
