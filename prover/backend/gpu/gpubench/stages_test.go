package main

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// The counts of stages.go are compared with loops over every entry, level and node.

func shapes(t *testing.T) map[string]*protocol.Shape {
	t.Helper()
	test, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	blowup4 := test.Params
	blowup4.LogBlowup = 2
	all := map[string]*protocol.Shape{}
	for name, params := range map[string]protocol.Params{"blowup 2": test.Params, "blowup 4": blowup4} {
		for machine, size := range map[string]int{"keccak": 2, "fib": 128} {
			shape, err := shapeOf(machine, size, params)
			if err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprintf("%s %d, %s", machine, size, name)] = shape
		}
	}
	all["tour"] = tourShape(t, test.Params)
	return all
}

// tourShape has instances that share a table, a program's columns, periodic columns and lookups.
func tourShape(t *testing.T, params protocol.Params) *protocol.Shape {
	t.Helper()
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Size: 40, Seed: 1, MinLogHeight: params.MinLogHeight, Pool: parallel.New(0)}
	execution, err := run.Execute(context.Background(), program, input)
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		t.Fatal(err)
	}
	return key.Shape(execution.Instances())
}

// transform counts the transform of a column of a size: every point at every level.
func (w *work) transform(logSize int) {
	for range logSize {
		for range 1 << logSize {
			w.Operations.PointLevels++
		}
	}
}

// hash counts a message: a permutation for every full block, and one for the block with the padding.
func (w *work) hash(bytes int) {
	filled := 0
	for range bytes {
		if filled++; filled == 136 {
			w.Operations.Permutations++
			filled = 0
		}
	}
	w.Operations.Permutations++
	w.Bytes += digestBytes
}

// tree hashes rows and then layer by layer.
func (w *work) tree(shape merkle.Shape) {
	rowsOf := func(logHeight int) {
		bytes := 0
		for m, l := range shape.LogHeights {
			if l == logHeight {
				bytes += 8 * shape.Widths[m]
			}
		}
		if bytes > 0 {
			for range 1 << logHeight {
				w.hash(bytes)
			}
		}
	}
	rowsOf(shape.LogHeight())
	for l := shape.LogHeight() - 1; l >= shape.LogCap(); l-- {
		rowsOf(l)
		for range 1 << l {
			w.hash(64)
		}
	}
}

// column transforms one column, writes its extension and reads it by rows.
func (w *work) column(shape *protocol.Shape, phase protocol.Phase, logHeight int) {
	if phase != protocol.Quotient {
		w.transform(logHeight)
	}
	for range 1 << logHeight {
		w.Bytes += 8
	}
	for range 1 << shape.Params.LogBlowup {
		w.transform(logHeight)
		for range 1 << logHeight {
			w.Bytes += 8 // written
			w.Bytes += 8 // read by rows
		}
	}
}

func slowCommit(shape *protocol.Shape, phase protocol.Phase) (w work) {
	columns := 0
	if phase == protocol.Quotient {
		for _, class := range shape.Classes {
			for range protocol.QuotientWidth {
				w.column(shape, phase, class.LogHeight)
				columns++
			}
		}
	} else {
		for i, instance := range shape.Instances {
			for range protocol.Width(shape.Table(i), phase) {
				w.column(shape, phase, instance.LogHeight)
				columns++
			}
		}
	}
	if columns > 0 {
		w.tree(shape.TreeShape(phase))
	}
	return w
}

func slowOpen(shape *protocol.Shape) (w work) {
	for i, instance := range shape.Instances {
		table := shape.Table(i)
		for phase := range protocol.Phase(protocol.PhaseCount) {
			if phase == protocol.Quotient {
				continue
			}
			next := protocol.NextColumns(table, phase)
			for column := range protocol.Width(table, phase) {
				for range 1 << instance.LogHeight {
					w.Bytes += 8
					w.Operations.Products += 3
					if slices.Contains(next, column) {
						w.Operations.Products += 3
					}
				}
			}
		}
	}
	for _, class := range shape.Classes {
		for range protocol.QuotientWidth << class.LogHeight {
			w.Bytes += 8
			w.Operations.Products += 3
		}
	}
	return w
}

func slowDeep(shape *protocol.Shape) (w work) {
	for l := range 33 {
		present, points := false, 1
		for i, instance := range shape.Instances {
			if instance.LogHeight == l {
				present = true
				for phase := range protocol.Phase(protocol.PhaseCount) {
					if len(protocol.NextColumns(shape.Table(i), phase)) > 0 {
						points = 2
					}
				}
			}
		}
		if !present {
			continue
		}
		for range points {
			for range 3 {
				w.transform(l)
				for range 1 << shape.Params.LogBlowup {
					w.transform(l)
				}
			}
			for range 1 << (l + shape.Params.LogBlowup) {
				w.Operations.Products += 9
			}
		}
		for range 1 << (l + shape.Params.LogBlowup) {
			w.Bytes += 24
		}
	}
	w.add(slowOpen(shape)) // the combinations read the same columns at the same points
	return w
}

func slowFold(shape *protocol.Shape) (w work) {
	sizes := map[int]bool{}
	logSize := 0
	for _, instance := range shape.Instances {
		size := instance.LogHeight + shape.Params.LogBlowup
		sizes[size] = true
		logSize = max(logSize, size)
	}
	for _, logArity := range shape.Schedule {
		for range 1 << (logSize - logArity) {
			w.hash(24 << logArity)
			for j := range 1 << logArity {
				w.Bytes += 24 // by the hash
				w.Bytes += 24 // by the fold
				w.Operations.PointLevels += 3 * float64(logArity)
				if j > 0 {
					w.Operations.Products += 9
				}
			}
			w.Bytes += 24
			if sizes[logSize-logArity] {
				w.Bytes += 24
				w.Operations.Products += 9
			}
		}
		logSize -= logArity
		for l := logSize - 1; l >= min(shape.Params.CapHeight, logSize); l-- {
			for range 1 << l {
				w.hash(64)
			}
		}
	}
	for range 3 {
		w.transform(logSize)
		for range 1 << logSize {
			w.Bytes += 16
		}
	}
	return w
}

// fraction counts the products of N/D, by multiplying out.
func (w *work) fraction(table *air.Table, batch []int) {
	for _, i := range batch {
		for _, value := range table.Interactions[i].Values {
			if table.Graph[value].Op != air.Constant {
				w.Operations.Products += 3
			}
		}
	}
	for i := range batch {
		if i > 0 {
			w.Operations.Products += 9 // D
		}
		if len(batch) == 1 {
			continue // N is m
		}
		factors := 0
		for j := range batch {
			if j != i {
				if factors++; factors > 1 {
					w.Operations.Products += 9
				}
			}
		}
		w.Operations.Products += 3 // times m
	}
}

// slowQuotient iterates over the entries. At each it records the columns read and the products computed for the
// constraints evaluated there.
func slowQuotient(shape *protocol.Shape) (w work) {
	for i, instance := range shape.Instances {
		table, n := shape.Table(i), 1<<instance.LogHeight
		for entry := range 2 * n {
			nodes, words := map[air.NodeID]bool{}, 0 // whether a value depends on columns
			var visit func(id air.NodeID) bool
			visit = func(id air.NodeID) bool {
				varies, visited := nodes[id]
				if visited {
					return varies
				}
				switch node := table.Graph[id]; node.Op {
				case air.Main, air.Preprocessed, air.Periodic:
					varies = true
				case air.Add, air.Sub, air.Mul:
					a, b := visit(node.A), visit(node.B)
					if node.Op == air.Mul && a && b {
						w.Operations.Multiplications++
					}
					varies = a || b
				}
				nodes[id] = varies
				return varies
			}
			for c := range table.Constraints {
				if entry < n || !table.Constraints[c].IsLow() {
					visit(table.Constraints[c].Root)
					w.Operations.Products += 3
				}
			}
			auxiliary := map[int]bool{}
			for b, batch := range table.Batches {
				if entry < n || table.BatchDegree(b) == 3 {
					for _, m := range batch {
						visit(table.Interactions[m].Multiplicity)
						for _, value := range table.Interactions[m].Values {
							visit(value)
						}
					}
					w.fraction(table, batch)
					w.Operations.Products += 18
					auxiliary[b] = true
					for other := 0; b == len(table.Batches)-1 && other < b; other++ {
						auxiliary[other] = true // the running sum grows by all batches' fractions
					}
				}
			}
			words += 3 * len(auxiliary)
			main, preprocessed := map[int32]bool{}, map[int32]bool{}
			for id := range nodes {
				switch node := table.Graph[id]; node.Op {
				case air.Main:
					main[node.Column] = true
				case air.Preprocessed:
					preprocessed[node.Column] = true
				}
			}
			w.Bytes += 8 * float64(words+len(main)+len(preprocessed))
		}
	}
	for _, class := range shape.Classes {
		for range protocol.QuotientWidth << class.LogHeight {
			w.Bytes += 8 // written
		}
		for range protocol.ExtensionDegree {
			w.transform(class.LogHeight + 1)
			w.transform(class.LogHeight)
		}
	}
	return w
}

func slowLogUp(shape *protocol.Shape) (w work) {
	for i, instance := range shape.Instances {
		table := shape.Table(i)
		read, visited := map[[2]int32]bool{}, map[air.NodeID]bool{}
		var visit func(id air.NodeID)
		visit = func(id air.NodeID) {
			if visited[id] {
				return
			}
			visited[id] = true
			switch node := table.Graph[id]; node.Op {
			case air.Main, air.Preprocessed:
				read[[2]int32{int32(node.Op), node.Column}] = true
			case air.Add, air.Sub, air.Mul:
				visit(node.A)
				visit(node.B)
			}
		}
		for _, interaction := range table.Interactions {
			visit(interaction.Multiplicity)
			for _, value := range interaction.Values {
				visit(value)
			}
		}
		for range 1 << instance.LogHeight {
			w.Bytes += 8 * float64(len(read)+table.AuxiliaryColumns())
			for _, batch := range table.Batches {
				w.fraction(table, batch)
				w.Operations.Products += 27 + 9
			}
		}
	}
	return w
}

func TestStageWorkAgainstSlowCounts(t *testing.T) {
	for name, shape := range shapes(t) {
		counted := stageWork(shape)
		for stage, want := range map[prove.Stage]work{
			prove.StageCommitMain:      slowCommit(shape, protocol.Main),
			prove.StageCommitAuxiliary: slowCommit(shape, protocol.Auxiliary),
			prove.StageCommitQuotient:  slowCommit(shape, protocol.Quotient),
			prove.StageLogUp:           slowLogUp(shape),
			prove.StageQuotient:        slowQuotient(shape),
			prove.StageOpen:            slowOpen(shape),
			prove.StageDeep:            slowDeep(shape),
			prove.StageFold:            slowFold(shape),
		} {
			if diff := cmp.Diff(want, counted[stage]); diff != "" {
				t.Errorf("%s, %s: slow count -, formula +:\n%s", name, stage, diff)
			}
		}
	}
}

// A row of 38 columns takes three permutations, and there is one node fewer than leaves: a tree over 2^23 rows of 38
// columns takes 33.5 M.
func TestTreeOfKnownSize(t *testing.T) {
	w := treeWork(merkle.Shape{LogHeights: []int{23}, Widths: []int{38}})
	if want := float64(4<<23 - 1); w.Operations.Permutations != want {
		t.Errorf("%v permutations, want %v", w.Operations.Permutations, want)
	}
}
