package gpu

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// walk is a claim about the test machine, which has every kind of bus.
var walk = claim{"tour", 60, 11}

// If memory for denominators is small, rows are processed in steps. If it is larger, instances are processed in several
// groups.
func TestLogUpInSteps(t *testing.T) {
	_, shape := shapeOf(t, walk.name, walk.size)
	defer func(bytes uint64) { denominatorBytes = bytes }(denominatorBytes)
	denominatorBytes = 16 * 24 * uint64(len(shape.Table(0).Batches))
	if rows := logUpRows(shape, 0); rows != 16 {
		t.Fatalf("%d rows at a time, want 16", rows)
	}
	everyDevice(t, false, func(t *testing.T, b *Backend) { walk.compare(t, b) })
	denominatorBytes *= 10
	groups := logUpGroups(shape)
	several := func(group logUpGroup) bool { return len(group.instances) > 1 }
	if len(groups) < 2 || !slices.ContainsFunc(groups, several) {
		t.Fatalf("groups %v, want several, of one and of several instances", groups)
	}
	everyDevice(t, true, func(t *testing.T, b *Backend) { walk.compare(t, b) })
}

// Rows of a large table use the denominators' memory in steps, rows of small tables together.
func TestLogUpGroups(t *testing.T) {
	program := programOf(t, "keccak")
	shape := protocol.NewShape(program.Machine(), protocol.Layout{LogBlowup: 1, LogArity: 1},
		[]circuit.Instance{{Table: 0, LogHeight: 24}, {Table: 1, LogHeight: 28}, {Table: 2, LogHeight: 8},
			{Table: 0, LogHeight: 9}, {Table: 1, LogHeight: 19}, {Table: 0, LogHeight: 19}, {Table: 1, LogHeight: 20},
			{Table: 0, LogHeight: 20}})
	met := map[int]bool{}
	for _, group := range logUpGroups(shape) {
		rows, denominators := uint64(0), uint64(0)
		for _, i := range group.instances {
			if met[i] {
				t.Errorf("instance %d is in two groups", i)
			}
			met[i] = true
			rows += uint64(shape.Rows(i))
			step := min(group.step, uint64(shape.Rows(i)))
			denominators += step * uint64(len(shape.Table(i).Batches))
			if steps := group.steps(shape); steps*group.step < uint64(shape.Rows(i)) || steps > 1 && len(group.instances) > 1 {
				t.Errorf("instance %d: %d steps of %d rows", i, steps, group.step)
			}
			if all := uint64(shape.Rows(i)); step < all && 2*denominators*24 <= denominatorBytes {
				t.Errorf("instance %d: %d of %d rows at a time", i, step, all)
			}
		}
		if rows != group.rows || denominators != group.denominators || denominators*24 > denominatorBytes {
			t.Errorf("%v: %d rows, %d denominators of %d bytes", group, rows, denominators, denominatorBytes)
		}
	}
	if len(met) != len(shape.Instances) {
		t.Errorf("instances %v are in groups", met)
	}
	m, err := takeLogUp(cuda.PlanArena(cuda.ArenaOptions{}).Scope("test"), shape, logUpGroups(shape))
	if err != nil || m.denominators.Size() > denominatorBytes {
		t.Errorf("%d bytes of denominators, %v", m.denominators.Size(), err)
	}
}

// changed begins a proof of the walk and fills its trace. change may modify the execution.
func changed(t *testing.T, b *Backend, change func(instance int, columns [][]goldilocks.Element)) (*traced,
	machine.Execution) {
	t.Helper()
	return changedOf(t, b, walk, change)
}

// changedOf does the same for another claim.
func changedOf(t *testing.T, b *Backend, c claim, change func(instance int, columns [][]goldilocks.Element)) (*traced,
	machine.Execution) {
	t.Helper()
	execution, fillers, params := c.statement(t)
	p := begin(t, b, fillers.Mutable(), protocol.NewShape(fillers.Machine,
		protocol.Layout{LogBlowup: params.LogBlowup, LogArity: params.LogArity, CapHeight: params.CapHeight},
		execution.Instances()))
	next, err := p.Trace(&machine.Mutated{Execution: execution, Change: change})
	if err != nil {
		t.Fatal(err, b.Finding())
	}
	return next.(*traced), execution
}

// A message that no row answers is an error that names it, and leaves nothing behind, even in an instance that shares
// its launch with others.
func TestLookupMiss(t *testing.T) {
	long := claim{"tour", 150, 11}
	_, shape := shapeOf(t, long.name, long.size)
	var steps []int
	for i, instance := range shape.Instances {
		if instance.Table == tour.Step {
			steps = append(steps, i)
		}
	}
	if len(steps) < 2 {
		t.Fatal("one instance of the table step, want several")
	}
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		for _, wrongInstance := range []int{steps[0], steps[len(steps)-1]} {
			const row, wrong = 3, 999
			p, execution := changedOf(t, b, long, func(instance int, columns [][]goldilocks.Element) {
				if instance == wrongInstance { // a step: the toll is looked up
					columns[walkTollColumn(t)][row] = wrong
				}
			})
			used := p.arena.Used()
			_, err := p.Count(p.machine.Messages(execution.Public()))
			if !errors.Is(err, backend.ErrLookupMiss) || !strings.Contains(err.Error(), fmt.Sprint(wrong)) ||
				!strings.Contains(err.Error(), fmt.Sprint("sent by table step in row ", row)) {
				t.Errorf("error %v; %s", err, b.Finding())
			}
			if p.arena.Used() != used {
				t.Errorf("%d bytes are taken after the failure, %d before", p.arena.Used(), used)
			}
			p.Close()
		}
	})
}

// walkTollColumn is a column of the table step whose value a lookup sends.
func walkTollColumn(t *testing.T) int {
	t.Helper()
	step := programOf(t, "tour").Machine().Tables[tour.Step]
	for _, interaction := range step.Interactions {
		if interaction.Kind == air.Send && interaction.Bus.Kind == air.Lookup {
			for _, column := range step.Reads(interaction.Values...).Columns(air.Main) {
				if name := step.Main[column]; name != "time" && name != "place" {
					return column
				}
			}
		}
	}
	t.Fatal("no lookup")
	return 0
}

func TestLookupMissOfAPublicMessage(t *testing.T) {
	b := openBackend(t, Options{Seed: 9})
	p, execution := changed(t, b, nil)
	messages := p.machine.Messages(execution.Public())
	for i := range messages {
		if messages[i].Bus.Kind == air.Lookup {
			messages[i].Values = []goldilocks.Element{goldilocks.Element(goldilocks.Modulus - 1)}
		}
	}
	if _, err := p.Count(messages); !errors.Is(err, backend.ErrLookupMiss) ||
		!strings.Contains(err.Error(), "a public message") {
		t.Errorf("error %v", err)
	}
}

// Challenges that hit a message make a zero denominator, and the error names the table.
func TestZeroDenominator(t *testing.T) {
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		var first [][]goldilocks.Element
		p, execution := changed(t, b, func(instance int, columns [][]goldilocks.Element) {
			if instance == 0 {
				for _, column := range columns {
					first = append(first, slices.Clone(column)) // the staging memory is used again
				}
			}
		})
		step := p.shape.Table(0)
		interaction := step.Interactions[0]
		nodes := make([]goldilocks.Element, len(step.Graph))
		step.EvaluateRow(air.Trace{Main: first}, 6, execution.Public().Values, nodes)
		beta := goldilocks.Extension(randomElements(3, 3))
		alpha, power := goldilocks.FromBase(goldilocks.Element(interaction.Bus.Index)), goldilocks.Extension{1}
		for _, v := range interaction.Values {
			power = power.Mul(beta)
			alpha = alpha.Add(power.MulBase(nodes[v]))
		}
		main := behind(must(p.Count(p.machine.Messages(execution.Public())))(t).Commit())(t)
		_, _, err := main.LogUp(protocol.LogUpChallenges{Alpha: alpha.Neg(), Beta: beta})
		want := "table " + p.shape.Table(0).Name + ":"
		if !errors.Is(err, backend.ErrZeroDenominator) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v; %s", err, b.Finding())
		}
	})
}
