package stark_test

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/soundness"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// Every preset proves what it claims, for every machine from the least size to 2^22 rows.
func TestPresetsProveWhatTheyClaim(t *testing.T) {
	programs, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		m := program.Machine()
		for _, preset := range stark.Presets() {
			key, err := stark.NewKey(m, preset.Params)
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for size := 1; size <= 1<<22; size *= 2 {
				heights, err := program.LogHeights(size, preset.Params.MinLogHeight)
				if err != nil {
					continue // too small or too large for the machine
				}
				if highest := max(heights[0], heights[len(heights)/2]); highest > 22 {
					break
				}
				report, err := key.Security(heights)
				if err != nil {
					t.Fatal(err)
				}
				tried++
				if err := report.Require(preset.Bits); err != nil {
					t.Errorf("%s, %s, size %d: %v", m.Name, preset.Name, size, err)
				}
			}
			if tried < 10 {
				t.Errorf("%s, %s: %d sizes tried", m.Name, preset.Name, tried)
			}
		}
	}
}

// The numbers that soundness is given are those of the machine.
func TestSecurityCountsTheMachine(t *testing.T) {
	program, err := all.Lookup("fib")
	if err != nil {
		t.Fatal(err)
	}
	key, err := stark.NewKey(program.Machine(), stark.Default())
	if err != nil {
		t.Fatal(err)
	}
	report, err := key.Security([]int{10})
	if err != nil {
		t.Fatal(err)
	}
	// Two columns at z and gz, six of the quotient at z; five constraints of degree 2; no bus.
	want := soundness.Table{Name: "fib", LogHeight: 10, Openings: 10, Constraints: 5, Degree: 2}
	if got := report.Shape.Tables[0]; got != want {
		t.Errorf("table %+v, want %+v", got, want)
	}
	// 2^11 points fold by 8, 8 to 2^6 = 32 coefficients twice.
	if folds := report.Shape.Folds; len(folds) != 2 || folds[0] != (soundness.Fold{LogSize: 8, LogArity: 3}) || folds[1] != (soundness.Fold{LogSize: 6, LogArity: 2}) {
		t.Errorf("folds %+v", folds)
	}
	if _, err := key.Security([]int{7}); err == nil {
		t.Error("a height below the parameters' least is analyzed")
	}
}

// Buses and preprocessed columns are counted too, by hand here.
func TestSecurityCountsBuses(t *testing.T) {
	report, err := newKey(t, walkMachine(t), testParams(t)).Security([]int{7, 6, 5})
	if err != nil {
		t.Fatal(err)
	}
	want := []soundness.Table{
		// Three columns and one of them at gz, a batch and the sum of three columns each, the sum at gz, the quotient. Four
		// constraints, one of the batch, three of the sum; the batch of two messages has degree 3.
		{Name: "walk", LogHeight: 7, Openings: 3 + 1 + 6 + 3 + 6, Constraints: 4 + 1 + 3, Degree: 3, Fractions: 2, Arity: 2},
		{Name: "steps", LogHeight: 6, Openings: 1 + 1 + 2 + 6 + 3 + 6, Constraints: 1 + 1 + 3, Degree: 2, Fractions: 1, Arity: 1},
		{Name: "log", LogHeight: 5, Openings: 3 + 6 + 3 + 6, Constraints: 1 + 1 + 3, Degree: 2, Fractions: 1, Arity: 2},
	}
	if !slices.Equal(report.Shape.Tables, want) || report.Shape.PublicMessages != 1 {
		t.Errorf("tables %+v and %d public messages, want %+v and 1", report.Shape.Tables, report.Shape.PublicMessages, want)
	}
}
