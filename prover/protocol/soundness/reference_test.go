package soundness

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference is testdata/reference.json, computed by testdata/reference.py with
// 60 digits and every multiplicity tried.
type reference struct {
	Queries   map[string]int
	SmallestM int                `json:"smallest m"`
	Batching  map[string]float64 `json:"batching_2^20_m_106"`
	Shapes    map[string]struct {
		Shape struct {
			LogBlowup      int `json:"log_blowup"`
			Queries        int
			Grinding       int
			PublicMessages int `json:"public_messages"`
			PublicArity    int `json:"public_arity"`
			Proofs         int
			OtherFractions int `json:"other_fractions"`
			Schedule       []int
			Instances      []struct {
				Name                          string
				LogHeight                     int `json:"log_height"`
				Openings, Constraints, Degree int
				FractionsPerRow               int `json:"fractions"`
				Arity                         int
			}
		}
		Regimes map[string]struct {
			M     int
			Bits  float64
			Terms map[string]float64
		}
		Proven int
	}
}

func readReference(t *testing.T) reference {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

const tolerance = 1e-6 // bits

func TestRegimesAgainstReference(t *testing.T) {
	ref := readReference(t)
	if len(ref.Shapes) < 8 {
		t.Fatalf("the reference has %d shapes, want at least 8", len(ref.Shapes))
	}
	for name, want := range ref.Shapes {
		t.Run(name, func(t *testing.T) {
			shape := Shape{
				LogBlowup: want.Shape.LogBlowup, Queries: want.Shape.Queries, GrindingBits: want.Shape.Grinding,
				PublicMessages: want.Shape.PublicMessages, PublicArity: want.Shape.PublicArity,
				Proofs: want.Shape.Proofs, OtherFractions: want.Shape.OtherFractions,
			}
			var logSizes []int
			for _, i := range want.Shape.Instances {
				shape.Instances = append(shape.Instances, Instance{
					Name: i.Name, LogHeight: i.LogHeight, Openings: i.Openings,
					Constraints: i.Constraints, Degree: i.Degree, Fractions: i.FractionsPerRow, Arity: i.Arity,
				})
				logSizes = append(logSizes, i.LogHeight+shape.LogBlowup)
			}
			folds, err := Chain(logSizes, want.Shape.Schedule)
			if err != nil {
				t.Fatal(err)
			}
			shape.Folds = folds
			report, err := Analyze(shape)
			if err != nil {
				t.Fatal(err)
			}
			if report.Bits() != want.Proven {
				t.Errorf("%d bits proven, want %d", report.Bits(), want.Proven)
			}
			for _, got := range report.Regimes {
				regime, ok := want.Regimes[got.Name]
				if ok != (got.Why == "") {
					t.Errorf("%s: applies %v (%q), want %v", got.Name, got.Why == "", got.Why, ok)
					continue
				}
				if got.Multiplicity != regime.M || math.Abs(got.Bits-regime.Bits) > tolerance {
					t.Errorf("%s: %.7f bits at m = %d, want %.7f at %d", got.Name, got.Bits, got.Multiplicity, regime.Bits, regime.M)
				}
				if len(got.Terms) != len(regime.Terms) {
					t.Errorf("%s: %d terms, want %d", got.Name, len(got.Terms), len(regime.Terms))
				}
				for _, term := range got.Terms {
					if wanted, ok := regime.Terms[term.Round]; !ok || math.Abs(term.Bits-wanted) > tolerance {
						t.Errorf("%s: %s: %.7f bits, want %.7f", got.Name, term.Round, term.Bits, wanted)
					}
				}
			}
		})
	}
}

// The figures on which the design of the presets is based.
func TestDesignFigures(t *testing.T) {
	ref := readReference(t)
	for _, tc := range []struct {
		name  string
		alpha float64
		want  int
	}{
		{"johnson, blowup 2", math.Sqrt(0.5) + 1.0/300, 219},
		{"johnson, blowup 4", math.Sqrt(0.25) + 1.0/300, 110},
		{"unique, blowup 2", 0.75, 261},
	} {
		if got := queriesFor(128, 20, tc.alpha); got != tc.want || ref.Queries[tc.name] != tc.want {
			t.Errorf("%s: %d queries, the reference has %d, want %d", tc.name, got, ref.Queries[tc.name], tc.want)
		}
	}
	if got := queriesFor(20, 20, 0.5); got != 0 {
		t.Errorf("grinding alone takes %d queries, want 0", got)
	}

	// 219 queries need m >= 106.
	bitsAt := func(m int) float64 { return -219 * math.Log2(math.Sqrt(0.5)*(1+1/(2*float64(m)))) }
	if bitsAt(105) >= 108 || bitsAt(106) < 108 || ref.SmallestM != 106 {
		t.Errorf("m = 105 gives %.4f bits, 106 gives %.4f, the reference needs m = %d", bitsAt(105),
			bitsAt(106), ref.SmallestM)
	}

	// One class of 2,679 columns on a domain of 2^20 points at m = 106.
	a := agreement{rho: 0.5, alpha: math.Sqrt(0.5) * (1 + 1.0/212), m: 106, logLargest: 20}
	for _, tc := range []struct {
		key     string
		theorem theorem
		rounded float64
	}{{"2020", johnson2020, 105}, {"2025", johnson2025, 137}, {"2025 same set", johnson2025SameSet, 132}} {
		got := log2Q - tc.theorem.gap(a, 20)
		if math.Abs(got-ref.Batching[tc.key]) > tolerance || math.Round(got) != tc.rounded {
			t.Errorf("%s gives %.7f bits, the reference %.7f, want about %v", tc.theorem.name, got,
				ref.Batching[tc.key], tc.rounded)
		}
	}
}

// queriesFor is the number of queries that give the bits at agreement alpha, if grinding gives some of them.
func queriesFor(bits, grinding int, alpha float64) int {
	if bits <= grinding {
		return 0
	}
	return int(math.Ceil(float64(bits-grinding) / -math.Log2(alpha)))
}
