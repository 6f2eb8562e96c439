package riscv_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// TestPlanIsTheExecutions compares the plan, which is made without records, with the records.
func TestPlanIsTheExecutions(t *testing.T) {
	compare := func(name string, file []byte, input run.Input) {
		p, err := riscv.New(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		execution, err := run.Execute(context.Background(), p, input)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		planner, err := riscv.New(file) // a program without earlier runs
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		planned, public, err := plan(planner, input)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(planned, execution.Instances()) {
			t.Errorf("%s: planned are %v, executed %v", name, planned, execution.Instances())
		}
		if !slices.Equal(public.Values, execution.Public().Values) || len(public.Data) != len(execution.Public().Data) {
			t.Errorf("%s: planned is the statement %v with %d bytes of data, executed %v with %d", name, public.Values,
				len(public.Data), execution.Public().Values, len(execution.Public().Data))
		}
		if want := p.Claim(execution.Public(), 0); p.Claim(public, 0) != want {
			t.Errorf("%s: planned is the claim %q, executed %q", name, p.Claim(public, 0), want)
		}
	}
	for _, c := range riscvtest.Cases() {
		input := run.Input{Data: append([]byte{}, c.Inputs.Private...), Public: c.Inputs.Public, MinLogHeight: 8}
		compare(c.Name, riscvtest.Guest(t, c.Guest), input)
	}
	for seed := range uint64(8) {
		compare("random", riscvtest.Random(seed, 2000).ELF(false), run.Input{Size: 100, Seed: seed})
	}
	compare("calls", callsRun(), run.Input{Data: []byte{}})
	compare("drawn", riscvtest.Guest(t, "sha256"), run.Input{Size: 1000, Seed: 3})
}

// plan is a plan of a whole run.
func plan(p *riscv.Program, input run.Input) ([]circuit.Instance, circuit.Public, error) {
	input.Plan = true
	r, err := p.Run(context.Background(), input)
	if err != nil {
		return nil, circuit.Public{}, err
	}
	return r.Instances[0], r.Public(), nil
}

// A run of half the cycles has half the rows of every table, except tables whose rows are the program's, and fits a
// proof.
func TestEstimate(t *testing.T) {
	p, err := riscv.New(riscvtest.Guest(t, "quicksort"))
	if err != nil {
		t.Fatal(err)
	}
	planned, _, err := plan(p, run.Input{MinLogHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Estimate(500, 8, nil); !errors.Is(err, run.ErrRunFirst) {
		t.Errorf("estimated from no run: %v", err)
	}
	half, err := p.Estimate(500, 8, &run.Sample{Size: 1000, Instances: planned})
	if err != nil || p.Machine().CheckInstances(half) != nil {
		t.Fatalf("%v, %v", err, p.Machine().CheckInstances(half))
	}
	rows := func(list []circuit.Instance, number int) (rows int) {
		for _, instance := range list {
			if instance.Table == number {
				rows += 1 << instance.LogHeight
			}
		}
		return rows
	}
	whole, shorter := 0, 0
	for number, table := range p.Machine().Tables {
		all, scaled := rows(planned, number), rows(half, number)
		fixed := table.IsFixed()
		if fixed && scaled != all || !fixed && (scaled < all/2 || scaled > all) {
			t.Errorf("table %s has %d rows, of half the cycles %d", table.Name, all, scaled)
		}
		if !fixed {
			whole, shorter = whole+all*len(table.Main), shorter+scaled*len(table.Main)
		}
	}
	if 100*shorter > 65*whole {
		t.Errorf("half the cycles have %d cells of %d", shorter, whole)
	}
}

func TestPlanNeedsTheProgram(t *testing.T) {
	p, err := riscv.Known(circuit.Image{}, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := plan(p, run.Input{}); err == nil {
		t.Error("a program known by its id alone has a plan")
	}
}

// After Release an execution keeps its statement, and fills nothing.
func TestRelease(t *testing.T) {
	s := honest(t)
	e, err := run.Execute(context.Background(), s.program, run.Input{Data: []byte{}, MinLogHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	instances, public := slices.Clone(e.Instances()), e.Public()
	at := s.number("ADD")
	columns := func() [][]goldilocks.Element {
		list := make([][]goldilocks.Element, len(s.program.Machine().Tables[instances[at].Table].Main))
		for i := range list {
			list[i] = make([]goldilocks.Element, 1<<instances[at].LogHeight)
		}
		return list
	}
	fill := s.program.Fillers().Of(instances[at]).Fill
	if err := fill(parallel.New(1), e, at, columns()); err != nil {
		t.Errorf("before: %v", err)
	}
	e.Release()
	if err := fill(parallel.New(1), e, at, columns()); err == nil || !strings.Contains(err.Error(), "execute again") {
		t.Errorf("behind: %v", err)
	}
	if !slices.Equal(e.Instances(), instances) || !slices.Equal(e.Public().Values, public.Values) {
		t.Error("it states something else")
	}
}

// TestAims checks that a run has the instances of the aim that it is asked for.
func TestAims(t *testing.T) {
	p, err := riscv.New(riscvtest.Guest(t, "sha256"))
	if err != nil {
		t.Fatal(err)
	}
	columns := map[circuit.Aim]int{}
	for _, aim := range []circuit.Aim{circuit.FewCells, circuit.SmallProof, circuit.Aggregated} {
		input := run.Input{Data: make([]byte, 20000), MinLogHeight: 8, Aim: aim}
		planned, _, err := plan(p, input)
		if err != nil {
			t.Fatal(err)
		}
		for _, instance := range planned {
			columns[aim] += len(p.Machine().Tables[instance.Table].Main)
		}
	}
	few, small, aggregated := columns[circuit.FewCells], columns[circuit.SmallProof], columns[circuit.Aggregated]
	if small >= aggregated || aggregated >= few {
		t.Errorf("%d columns of few cells, %d for an aggregation, %d of a small proof: want them to descend", few,
			aggregated, small)
	}
}

// Plans of runs that use most tables, many of them with several instances, have as many columns in all trees as
// verifiers accept. A finer cut of most of them has more.
func TestPlansFitVerifiers(t *testing.T) {
	p, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("rv")
	if err != nil {
		t.Fatal(err)
	}
	key := protocol.Key{Machine: p.Machine(), Params: preset.Params}
	random := rand.New(rand.NewPCG(7, 11))
	columns := func(instances []circuit.Instance) (all, planned int) {
		shape := protocol.NewShape(p.Machine(), key.Params.Layout(), instances)
		for phase := range protocol.Phase(protocol.PhaseCount) {
			for _, matrix := range shape.Matrices(phase) {
				all += matrix.Width
			}
		}
		for _, instance := range instances {
			planned += table.Cells(p.Declared().Number[instance.Table])
		}
		return all, planned
	}
	most := min(protocol.MaxColumns, protocol.MaxOpenedCells/263) // of the preset with the most queries, shard
	limited := 0
	for k := range 100 {
		var rows [table.Count]int
		least := 300 // columns with as few instances as possible
		for _, i := range random.Perm(len(rows)) {
			cells := table.Cells(table.Table(i))
			has := cells > 0 && i != int(table.Program) && i != int(table.Image)
			if has && (i <= int(table.DIV) || random.IntN(4) > 0) {
				rows[i] = 1 + int(random.Uint64N(1<<(8+random.IntN(17))))
				if k%4 == 0 {
					rows[i] = 1<<23 + 1000 // one instance is half padding, which only the coarsest cuts have
				}
				least += cells
			}
		}
		if k%4 == 0 && 2*least > most {
			limited++ // the rows of padding are in instances of their own otherwise
		}
		for _, i := range random.Perm(2 * int(table.FirstWork)) { // tables with two or three instances at least
			i %= int(table.FirstWork)
			cells := table.Cells(table.Table(i))
			if k%4 > 0 && rows[i] > 0 && i != int(table.Halt) && least+cells <= most {
				rows[i] += 1 << 24
				least += cells
			}
		}
		if least > most {
			continue
		}
		instances, err := p.InstancesOf(rows, 8)
		if err != nil {
			t.Fatal(err)
		}
		all, planned := columns(instances)
		if all > most || key.CheckInstances(instances) != nil {
			t.Errorf("%d columns in all trees: %v", all, key.CheckInstances(instances))
		}
		if other := all - planned; other > 300 {
			t.Errorf("%d columns that are not of plans, want at most 300", other)
		}
		if all > most-1500 {
			limited++
		}
	}
	if limited < 50 {
		t.Errorf("%d of 100 plans have nearly the most columns: the rows test little", limited)
	}
}
