package prove_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// Every preset has its stated bits, for every machine from the smallest size to 2^22 rows.
func TestPresetsProveWhatTheyClaim(t *testing.T) {
	programs, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		m := program.Machine()
		for _, preset := range protocol.Presets() {
			key, err := setup.NewKey(m, preset.Params)
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for size := 1; size <= 1<<22; size *= 2 {
				instances, err := program.Estimate(size, preset.Params.MinLogHeight, nil)
				if err != nil {
					continue // too small or too large for the machine
				}
				if slices.ContainsFunc(instances, func(i circuit.Instance) bool { return i.LogHeight > 22 }) {
					break
				}
				report, err := key.Security(instances, nothing(m))
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

// The numbers in the soundness computation equal the machine's.
func TestSecurityCountsTheMachine(t *testing.T) {
	program, err := all.Lookup("fib")
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(program.Machine(), protocol.Default())
	if err != nil {
		t.Fatal(err)
	}
	report, err := key.Security([]circuit.Instance{{LogHeight: 10}}, nothing(key.Machine))
	if err != nil {
		t.Fatal(err)
	}
	// Two columns at z and gz; five constraints of degree 2; no bus.
	want := soundness.Instance{Name: "fib", LogHeight: 10, Openings: 4, Constraints: 5, Degree: 2}
	if got := report.Shape.Instances[0]; got != want {
		t.Errorf("instance %+v, want %+v", got, want)
	}
	// 2^11 points fold by 8, 8 to 2^6 = 32 coefficients twice.
	if folds := report.Shape.Folds; len(folds) != 2 || folds[0] != (soundness.Fold{LogSize: 8, LogArity: 3}) ||
		folds[1] != (soundness.Fold{LogSize: 6, LogArity: 2}) {
		t.Errorf("folds %+v", folds)
	}
	if _, err := key.Security([]circuit.Instance{{LogHeight: 7}}, nothing(key.Machine)); err == nil {
		t.Error("a height below the parameters' least is analyzed")
	}
}

// nothing is stated.
func nothing(m *circuit.Machine) circuit.Public {
	return circuit.Public{Values: make([]goldilocks.Element, len(m.PublicNames))}
}

// Buses, preprocessed columns, periodic columns (which are not opened) and public data are counted too, here by hand.
func TestSecurityCountsBuses(t *testing.T) {
	program := tourProgram(t)
	execution := draw(t, program, 20, 1)
	report, err := newKey(t, program.Fillers(), testParams(t)).Security(execution.Instances(), execution.Public())
	if err != nil {
		t.Fatal(err)
	}
	rest := soundness.Instance{
		Name:        "rest",
		LogHeight:   5,
		Openings:    4 + 6 + 3,
		Constraints: 1 + 2,
		Degree:      3,
		Fractions:   3,
		Arity:       3,
	}
	// Eight columns, one at gz, three batches of three columns, the last at gz; two constraints and three batches of two.
	step := soundness.Instance{
		Name:        "step",
		LogHeight:   5,
		Openings:    8 + 1 + 9 + 3,
		Constraints: 2 + 3,
		Degree:      3,
		Fractions:   6,
		Arity:       4,
	}
	want := []soundness.Instance{
		step, rest,
		{Name: "office", LogHeight: 5, Openings: 7 + 2 + 3 + 3, Constraints: 6 + 1, Degree: 3, Fractions: 2, Arity: 3},
		{Name: "office", LogHeight: 5, Openings: 7 + 2 + 3 + 3, Constraints: 6 + 1, Degree: 3, Fractions: 2, Arity: 3},
		{Name: "dial", LogHeight: 8, Openings: 6 + 1 + 3 + 3, Constraints: 1, Degree: 3, Fractions: 2, Arity: 3},
		{Name: "road", LogHeight: 8, Openings: 5 + 1 + 3 + 3, Constraints: 1, Degree: 2, Fractions: 1, Arity: 4},
		{Name: "cubes", LogHeight: 6, Openings: 2, Constraints: 2, Degree: 3},
		{Name: "cubes", LogHeight: 5, Openings: 2, Constraints: 2, Degree: 3},
	}
	if diff := cmp.Diff(want, report.Shape.Instances); diff != "" {
		t.Errorf("instances (-want +got):\n%s", diff)
	}
	if report.Shape.PublicMessages != 3+20 || report.Shape.PublicArity != 3 {
		t.Errorf("%d public messages of up to %d values, want 23 of 3", report.Shape.PublicMessages, report.Shape.PublicArity)
	}
	classes := report.Shape.Classes()
	if want := (soundness.Class{
		LogHeight:   5,
		Instances:   5,
		Openings:    21 + 13 + 15 + 15 + 2 + 6,
		Constraints: 5 + 3 + 7 + 7 + 2,
		Degree:      3,
	}); classes[2] != want {
		t.Errorf("the class of 2^5 rows is %+v, want %+v", classes[2], want)
	}
}

// 128 bits hold up to 349,525 permutations with the default preset, 127 at 400,000; preset rv proves 128 there.
func TestKeccakBits(t *testing.T) {
	program, err := all.Lookup("keccak")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		preset     string
		size, bits int
	}{{"default", 349525, 128}, {"default", 349526, 127}, {"default", 400000, 127}, {"rv", 400000, 128}} {
		preset, err := protocol.PresetByName(tc.preset)
		if err != nil {
			t.Fatal(err)
		}
		instances, err := program.Estimate(tc.size, preset.Params.MinLogHeight, nil)
		if err != nil {
			t.Fatal(err)
		}
		report, err := newKey(t, program.Fillers(), preset.Params).Security(instances, nothing(program.Machine()))
		if err != nil {
			t.Fatal(err)
		}
		if report.Bits() != tc.bits {
			t.Errorf("%d permutations, %s: %d bits, want %d", tc.size, tc.preset, report.Bits(), tc.bits)
		}
	}
}

// Shards have separate lists: the preset for single proofs gives too few bits for eight, and the preset for shards 128
// bits for any number.
func TestBitsOfShards(t *testing.T) {
	program := tourProgram(t)
	m := program.Machine()
	lists := make([][]circuit.Instance, 8)
	for i := range lists {
		lists[i] = execute(t, program, run.Input{Size: 100 << i, Seed: 1, MinLogHeight: 8}).Instances()
	}
	for name, want := range map[string]bool{"rv": false, "shard": true} {
		preset, err := protocol.PresetByName(name)
		if err != nil {
			t.Fatal(err)
		}
		key := newKey(t, program.Fillers(), preset.Params)
		report, err := key.SecurityOfShards(lists, nothing(m))
		if err != nil {
			t.Fatal(err)
		}
		if (report.Bits() == 128) != want {
			t.Errorf("%s: %d bits", name, report.Bits())
		}
		fractions, alone := 0, 0
		for _, list := range lists {
			one, err := key.Security(list, nothing(m))
			if err != nil {
				t.Fatal(err)
			}
			fractions += one.Shape.Fractions()
			if slices.Equal(one.Shape.Instances, report.Shape.Instances) {
				alone = one.Shape.Fractions()
			}
		}
		if s := report.Shape; s.Proofs != 8 || alone == 0 || s.OtherFractions != fractions-alone {
			t.Errorf("%s: %d proofs, %d fractions of others, want %d", name, s.Proofs, s.OtherFractions, fractions-alone)
		}
		tall := slices.Clone(lists)
		tall[7] = []circuit.Instance{{LogHeight: 40}}
		if _, err := key.SecurityOfShards(tall, nothing(m)); err == nil || !strings.Contains(err.Error(), "shard 7") {
			t.Errorf("a height of 2^40: %v", err)
		}
	}
}

// The bits of a set are those of its weakest shard, wherever that is.
func TestBitsAreTheWeakestShards(t *testing.T) {
	program := tourProgram(t)
	m := program.Machine()
	preset, err := protocol.PresetByName("default-4")
	if err != nil {
		t.Fatal(err)
	}
	key := newKey(t, program.Fillers(), preset.Params)
	short := execute(t, program, run.Input{Size: 100, Seed: 1, MinLogHeight: 8}).Instances()
	tall := slices.Clone(short)
	tall[0].LogHeight = 20
	bits := func(list []circuit.Instance) float64 {
		report, err := key.Security(list, nothing(m))
		if err != nil {
			t.Fatal(err)
		}
		return report.Best().Bits
	}
	if bits(tall) >= bits(short) {
		t.Fatalf("%v bits of the tall shard, %v of the short one, want fewer", bits(tall), bits(short))
	}
	for place := range 3 {
		shards := [][]circuit.Instance{short, short, short}
		shards[place] = tall
		report, err := key.SecurityOfShards(shards, nothing(m))
		if err != nil {
			t.Fatal(err)
		}
		if have := report.Shape.Instances[0].LogHeight; have != 20 || report.Best().Bits > bits(tall) {
			t.Errorf("the weakest shard at %d: %v bits of a shard of 2^%d rows, want at most %v of 2^20", place,
				report.Best().Bits, have, bits(tall))
		}
	}
}
