package soundness

import (
	"fmt"
	"math"
	"testing"
)

// programs is the largest proof of a RISC-V program: every height from 2^8 to 2^top rows, 2^31 fractions besides the
// public words, keccak-f's messages, and 2^15 constraints in one class.
func programs(t *testing.T, queries, grinding, top int) Shape {
	t.Helper()
	shape := Shape{LogBlowup: 1, Queries: queries, GrindingBits: grinding, PublicMessages: 32775, PublicArity: 5}
	var logSizes, schedule []int
	for h := top; h >= 8; h-- {
		i := Instance{Name: fmt.Sprint("family ", h), LogHeight: h, Openings: 60, Constraints: 40, Degree: 3, Arity: 100}
		if h == top {
			i.Fractions, i.Constraints = 1<<(31-top), 1<<15
		}
		shape.Instances = append(shape.Instances, i)
		logSizes = append(logSizes, h+1)
		if h > 8 {
			schedule = append(schedule, 1)
		}
	}
	folds, err := Chain(logSizes, append(schedule, 3))
	if err != nil {
		t.Fatal(err)
	}
	shape.Folds = folds
	return shape
}

// The figures behind the choice of the preset rv, to two decimals, rounded down.
func TestProgramsFigures(t *testing.T) {
	for _, tc := range []struct {
		queries, grinding, top int
		want                   map[string]float64
		bits                   int
	}{
		{219, 20, 24, map[string]float64{
			"LogUp challenges": 145.71, "constraint challenge": 168.36, "out-of-domain point": 157.78,
			"DEEP coefficients": 127.77, "FRI fold 1": 128.77, "queries": 127.71}, 127},
		{220, 20, 24, map[string]float64{
			"LogUp challenges": 145.91, "constraint challenge": 168.57, "out-of-domain point": 157.98,
			"DEEP coefficients": 128.10, "FRI fold 1": 129.10, "queries": 128.12}, 128},
		{219, 21, 24, map[string]float64{"queries": 128.51}, 128},
		{219, 22, 24, map[string]float64{"queries": 129.28}, 128},
		{219, 20, 22, map[string]float64{"queries": 128.08}, 128},
		{220, 20, 25, map[string]float64{}, 127},
		{221, 20, 25, map[string]float64{"queries": 128.26}, 128},
		{221, 20, 26, map[string]float64{"queries": 128.02}, 128},
	} {
		report := analyze(t, programs(t, tc.queries, tc.grinding, tc.top))
		what := fmt.Sprintf("%d queries, %d bits of grinding, heights to 2^%d", tc.queries, tc.grinding, tc.top)
		if report.Best().Name != "Johnson" || report.Bits() != tc.bits {
			t.Errorf("%s: %d bits by %s, want %d", what, report.Bits(), report.Best().Name, tc.bits)
		}
		for round, want := range tc.want {
			if got := bitsOf(t, report.Best(), round); math.Abs(got-want) > 0.006 {
				t.Errorf("%s: %s: %.4f bits, want %.2f", what, round, got, want)
			}
		}
		folds := report.Best().Terms[len(report.Best().Terms)-1-len(report.Shape.Folds):]
		for i, term := range folds[1 : len(folds)-1] {
			if term.Bits < folds[0].Bits {
				t.Errorf("%s: %s gives %.2f bits, less than the first fold's %.2f", what, term.Round, term.Bits, folds[i].Bits)
			}
		}
	}
	for queries, want := range map[int]struct {
		multiplicity int
		list         float64
	}{219: {88, 398}, 220: {84, 346}} {
		best := analyze(t, programs(t, queries, 20, 24)).Best()
		if best.Multiplicity != want.multiplicity || math.Round(best.ListSize) != want.list {
			t.Errorf("%d queries: m = %d, L = %.1f, want %d and %.0f", queries, best.Multiplicity, best.ListSize,
				want.multiplicity, want.list)
		}
	}
}

// The cut of a height's rows into instances does not affect the bits, except through the constraints that share a
// challenge.
func TestInstancesShareAClass(t *testing.T) {
	whole := programs(t, 220, 20, 24)
	cut := whole
	cut.Instances = nil
	for _, i := range whole.Instances {
		if i.LogHeight < 24 {
			cut.Instances = append(cut.Instances, i)
			continue
		}
		part := i
		part.Fractions, part.Constraints, part.Openings = i.Fractions/16, i.Constraints/16, 4
		for range 16 {
			cut.Instances = append(cut.Instances, part)
		}
	}
	a, b := analyze(t, whole), analyze(t, cut)
	for i, term := range a.Best().Terms {
		if other := b.Best().Terms[i]; other.Bits != term.Bits || other.Round != term.Round {
			t.Errorf("%s: %.6f bits, and %.6f in sixteen instances", term.Round, term.Bits, other.Bits)
		}
	}
	top := cut.Classes()[0]
	if want := (Class{LogHeight: 24, Instances: 16, Openings: 16*4 + 6, Constraints: 1 << 15, Degree: 3}); top != want {
		t.Errorf("class %+v, want %+v", top, want)
	}
	if n := len(cut.Classes()); n != 17 {
		t.Errorf("%d classes, want 17", n)
	}

	// A second instance doubles the number of constraints that the constraint challenge has to cover.
	one := oneTable(16)
	two := one
	two.Instances = append(two.Instances, two.Instances[0])
	lost := bitsOf(t, regimeOf(t, one, "unique decoding"), "constraint challenge") -
		bitsOf(t, regimeOf(t, two, "unique decoding"), "constraint challenge")
	if want := math.Log2(59) - math.Log2(29); math.Abs(lost-want) > 1e-9 {
		t.Errorf("a second instance costs the constraint challenge %.6f bits, want %.6f", lost, want)
	}
}

// Proofs that share LogUp's challenges have separate lists: the term loses log2 L for each further proof, and under
// unique decoding only what their fractions cost.
func TestSharedChallenges(t *testing.T) {
	alone := programs(t, 219, 20, 24)
	for proofs, want := range map[int]float64{1: 145.71, 2: 136.07, 3: 126.84, 8: 82.25} {
		shape := alone
		shape.Proofs, shape.OtherFractions = proofs, (proofs-1)<<31
		a, ok := johnsonAt(shape, 88)
		if !ok {
			t.Fatal("no bound at m = 88")
		}
		if term, _ := a.logUp(); math.Abs(term.Bits-want) > 0.01 {
			t.Errorf("%d proofs: %.4f bits, want %.2f", proofs, term.Bits, want)
		}
	}
	shape := programs(t, 263, 20, 24)
	shape.Proofs, shape.OtherFractions = 1024, 1<<41-1<<31
	report := analyze(t, shape)
	if report.Best().Name != "unique decoding" || report.Bits() != 128 {
		t.Errorf("1,024 proofs: %d bits by %s", report.Bits(), report.Best().Name)
	}
	for round, want := range map[string]float64{
		"LogUp challenges": 144.34, "constraint challenge": 177, "out-of-domain point": 166.42,
		"DEEP coefficients": 166, "FRI fold 1": 167, "queries": 128.17,
	} {
		if got := bitsOf(t, report.Best(), round); math.Abs(got-want) > 0.006 {
			t.Errorf("1,024 proofs: %s: %.4f bits, want %.2f", round, got, want)
		}
	}
}

// A public message longer than any table's decides the fingerprints' degree: its bus may have no instance.
func TestPublicMessagesCount(t *testing.T) {
	short := oneTable(16)
	long := short
	long.PublicMessages, long.PublicArity = 1, 12
	lost := bitsOf(t, regimeOf(t, short, "unique decoding"), "LogUp challenges") -
		bitsOf(t, regimeOf(t, long, "unique decoding"), "LogUp challenges")
	if want := math.Log2(13) - math.Log2(4); math.Abs(lost-want) > 1e-4 {
		t.Errorf("a message of 12 values beside 3 costs %.6f bits, want %.6f", lost, want)
	}
}

// A keccak proof takes 24 rows a permutation in one table, one in another and 2^8 in a third. 128 bits hold until the
// first has more than 2^23 rows.
func TestKeccakFigures(t *testing.T) {
	for _, tc := range []struct{ queries, permutations, logRows, bits int }{
		{219, 349525, 23, 128}, {219, 400000, 24, 127}, {220, 400000, 24, 128},
	} {
		if 24*tc.permutations > 1<<tc.logRows || 48*tc.permutations <= 1<<tc.logRows {
			t.Fatalf("%d permutations are not 2^%d rows", tc.permutations, tc.logRows)
		}
		shape := Shape{LogBlowup: 1, Queries: tc.queries, GrindingBits: 20, Instances: []Instance{
			{Name: "sponge", LogHeight: 19, Openings: 900, Constraints: 900, Degree: 3, Fractions: 140, Arity: 58},
			{Name: "keccak-f", LogHeight: tc.logRows, Openings: 2800, Constraints: 2679, Degree: 3, Fractions: 2, Arity: 58},
			{Name: "xor4", LogHeight: 8, Openings: 12, Constraints: 1, Degree: 2, Fractions: 1, Arity: 3},
		}}
		folds, err := Chain([]int{20, tc.logRows + 1, 9}, map[int][]int{
			23: {3, 1, 3, 3, 3, 2, 3}, 24: {3, 2, 3, 3, 3, 2, 3},
		}[tc.logRows])
		if err != nil {
			t.Fatal(err)
		}
		shape.Folds = folds
		if report := analyze(t, shape); report.Bits() != tc.bits {
			t.Errorf("%d permutations, %d queries: %d bits, want %d", tc.permutations, tc.queries, report.Bits(), tc.bits)
		}
	}
}
