package stats_test

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/stats"
)

func Example() {
	file := `pair,block,order,a,b
1,1,AB,0.412,0.398
2,1,BA,0.415,0.401
3,2,BA,0.409,0.397
4,2,AB,0.411,0.396
5,3,AB,0.414,0.401
6,3,BA,0.410,0.395
7,4,AB,0.413,0.402
8,4,BA,0.416,0.400
`
	pairs, err := stats.ReadCSV(strings.NewReader(file), "pairs.csv", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := stats.Analyze(pairs, stats.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.2f %% faster, 95 %% CI %.2f to %.2f %%\n", r.Verdict, r.EffectPercent, r.EffectCIPercent.Low,
		r.EffectCIPercent.High)
	fmt.Printf("t(%d) = %.2f, p = %.2g; W+ = %g, W- = %g, p = %g\n", r.T.DF, r.T.T, r.T.P, r.Wilcoxon.WPlus,
		r.Wilcoxon.WMinus, r.Wilcoxon.P)
	// Output:
	// improvement: 3.33 % faster, 95 % CI 3.00 to 3.67 %
	// t(7) = 23.19, p = 7e-08; W+ = 36, W- = 0, p = 0.0078125
}

func ExampleAnalyze_tooFew() {
	r, err := stats.Analyze([]stats.Pair{{A: 2, B: 1}, {A: 2.1, B: 1}, {A: 2.2, B: 1}}, stats.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Verdict)
	for _, w := range r.Warnings {
		fmt.Println(strings.ReplaceAll(w.String(), ": ", ":\n"))
	}
	// Output:
	// inconclusive
	// too few pairs:
	// 3 non-zero differences of a pair give a sign-flip p of at least 0.25, above 0.05:
	// too few for a verdict of improvement or regression, which needs 6
}

func ExampleNewDesign() {
	design, err := stats.NewDesign(14, 3, 0.05, stats.Sampling{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, analysis := range design.LeftOut {
		fmt.Printf("at %d pairs: for equivalence alone, level %.2g is under the smallest p %g\n", analysis.Pairs,
			analysis.Level, analysis.MinP)
	}
	for _, analysis := range design.Analyses {
		fmt.Printf("at %d pairs: level %.4f, %.4f spent\n", analysis.Pairs, analysis.Level, analysis.Spent)
	}
	// Output:
	// at 10 pairs: for equivalence alone, level 0.016 is under the smallest p 0.0625
	// at 10 pairs: level 0.0160, 0.0160 spent
	// at 14 pairs: level 0.0452, 0.0500 spent
}

func ExampleHolm() {
	fmt.Println(stats.Holm([]stats.Number{0.01, 0.04, 0.03, 0.005}))
	// Output:
	// [0.03 0.06 0.06 0.02]
}

func ExampleUnitsNeeded() {
	// A host whose units scatter by 1.2 %, and an effect of 1 %.
	fmt.Println(stats.UnitsNeeded(0.012, 0.01, 0.05))
	// Output:
	// 15
}
