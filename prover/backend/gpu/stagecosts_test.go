package gpu

import (
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/stark"
)

var (
	stageCosts = flag.String("stage-costs", "", "write what each stage of the workloads of -costs-of needs at least to this file, for gpu-bench")
	costsOf    = flag.String("costs-of", "keccak:1024", "MACHINE:SIZE, separated by commas")
)

// stageCost is the least that a stage takes: every word that it must read or write once, over the bus of device memory,
// and operations. The names are those of gpu-bench's limits.
type stageCost struct {
	Bytes          float64 `json:"bytes,omitempty"`
	Additions      float64 `json:"additions,omitempty"`
	SummedProducts float64 `json:"summed_products,omitempty"`
	Permutations   float64 `json:"permutations,omitempty"`
}

// commits is the cost of committing to a phase: an inverse transform, unless the values are coefficients, and a forward one
// of the extension, one addition a point and level each; the leaves of every height; and the tree.
func (cost *stageCost) commits(shape *backend.Shape, phase backend.Phase) {
	words := map[int]float64{} // of a row, by log size
	for i, table := range shape.Machine.Tables {
		width := float64(backend.Width(table, phase))
		if width == 0 {
			continue
		}
		log := shape.LogHeights[i]
		n, extended := exp2(log), exp2(log+shape.LogBlowup)
		points := extended
		if phase != backend.Quotient {
			points += n
		}
		cost.Additions += width * points * float64(log)
		cost.Bytes += 8 * width * (n + extended)
		words[log+shape.LogBlowup] += width
	}
	highest := 0
	for log := range words {
		highest = max(highest, log)
	}
	for log, width := range words {
		cost.Permutations += exp2(log) * absorbed(width)
		if log < highest {
			cost.Permutations += exp2(log) // joins the tree
		}
	}
	cost.Permutations += exp2(highest)
}

// absorbed is the permutations of hashing so many words: 17 fit one, and the padding needs room.
func absorbed(words float64) float64 { return float64(int(words)/17 + 1) }

func exp2(log int) float64 { return float64(uint64(1) << log) }

// costsOfStages lists the stages with something to count.
func costsOfStages(shape *backend.Shape) map[string]stageCost {
	var trace, main, auxiliary, quotientTree, logup, quotient, open, deep, fold stageCost
	main.commits(shape, backend.Main)
	quotientTree.commits(shape, backend.Quotient)
	if backend.Present(shape.Machine, backend.Auxiliary) {
		auxiliary.commits(shape, backend.Auxiliary)
	}
	highest := 0
	for i, table := range shape.Machine.Tables {
		n := exp2(shape.LogHeights[i])
		highest = max(highest, shape.LogHeights[i]+shape.LogBlowup)
		mainWidth, auxiliaryWidth := float64(backend.Width(table, backend.Main)), float64(backend.Width(table, backend.Auxiliary))
		trace.Bytes += 8 * n * mainWidth
		if auxiliaryWidth > 0 {
			// Only the columns that interactions read are read.
			logup.Bytes += 8 * n * (float64(len(backend.KeptColumns(table, backend.Main))) + auxiliaryWidth)
		}
		// Constraints read two cosets of the trace and write three columns on them.
		quotient.Bytes += 8 * 2 * n * (mainWidth + auxiliaryWidth + 3)
		for phase := range backend.Phase(backend.PhaseCount) {
			width := float64(backend.Width(table, phase))
			next := float64(len(backend.NextColumns(table, phase)))
			// Openings are sums over n entries, with a weight of three words; so are DEEP's combinations, with coefficients.
			open.Bytes, open.SummedProducts = open.Bytes+8*n*width, open.SummedProducts+3*n*(width+next)
			deep.Bytes, deep.SummedProducts = deep.Bytes+8*n*width, deep.SummedProducts+3*n*(width+next)
		}
	}
	for log, at := highest, 0; at < len(shape.Schedule); at++ {
		rows := log - shape.Schedule[at]
		fold.Bytes += 24 * (exp2(log) + exp2(rows))
		fold.Permutations += exp2(rows) * (absorbed(3*exp2(shape.Schedule[at])) + 1)
		log = rows
	}
	return map[string]stageCost{"trace": trace, "commit_main": main, "commit_auxiliary": auxiliary, "commit_quotient": quotientTree, "logup": logup, "quotient": quotient,
		"open": open, "deep": deep, "fold": fold}
}

// TestStageCosts checks the counts on a machine that can be counted by hand, and writes those that gpu-bench asks for.
func TestStageCosts(t *testing.T) {
	_, shape := shapeOf(t, "fib", 256)
	costs := costsOfStages(&shape)
	width, log := float64(backend.Width(shape.Machine.Tables[0], backend.Main)), shape.LogHeights[0]
	n, extended := exp2(log), exp2(log+shape.LogBlowup)
	if len(shape.Machine.Tables) != 1 || width > 16 {
		t.Fatalf("fib is not what this test counts: %d tables, %g columns", len(shape.Machine.Tables), width)
	}
	want := stageCost{Bytes: 8 * width * (n + extended), Additions: width * (n + extended) * float64(log), Permutations: 2 * extended}
	if got := costs["commit_main"]; got != want {
		t.Errorf("commit_main: %+v, want %+v", got, want)
	}
	if costs["commit_auxiliary"] != (stageCost{}) || costs["logup"] != (stageCost{}) {
		t.Errorf("fib has no lookups: %+v, %+v", costs["commit_auxiliary"], costs["logup"])
	}
	for _, stage := range []string{"trace", "quotient", "open", "deep", "fold"} {
		if costs[stage].Bytes == 0 {
			t.Errorf("%s costs nothing", stage)
		}
	}
	if *stageCosts != "" {
		writeStageCosts(t, *stageCosts, strings.Split(*costsOf, ","))
	}
}

func writeStageCosts(t *testing.T, file string, workloads []string) {
	t.Helper()
	list := map[string]map[string]stageCost{}
	for _, workload := range workloads {
		name, number, _ := strings.Cut(workload, ":")
		size, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("-costs-of: %q is no MACHINE:SIZE", workload)
		}
		program, err := all.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		preset, err := stark.PresetByName("default")
		if err != nil {
			t.Fatal(err)
		}
		key, err := stark.NewKey(program.Machine(), preset.Params)
		if err != nil {
			t.Fatal(err)
		}
		heights, err := program.LogHeights(size, preset.Params.MinLogHeight)
		if err != nil {
			t.Fatal(err)
		}
		shape := key.Shape(heights)
		list[name+"-"+number] = costsOfStages(&shape)
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
