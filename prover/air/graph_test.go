package air

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

func TestReads(t *testing.T) {
	var buses Buses
	bus := NewToken[single](&buses, "bus")
	b := NewTable("t")
	b.Heights(3, 3)
	b.FillPreprocessed(func([][]goldilocks.Element) {})
	m := b.MainColumns("m", 4)
	p, q := b.Preprocessed("p"), b.Preprocessed("q")
	periodic := b.Periodic("r", 1, 2)
	b.WhenFirst().AssertEqual("first", m[0], m[1].Next())
	b.AssertEqual("publicly", m[2], b.Public(4))
	b.AssertZero("in transition", m[3].Mul(b.Transition()))
	b.AssertEqual("preprocessed", p, q.Next())
	bus.Produce(b, m[3], single{m[1].Add(periodic)})
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                         string
		roots                        []NodeID
		main, preprocessed, periodic []int
		next                         bool
		ops, not                     []Op
	}{
		{"a constraint", []NodeID{table.Constraints[0].Root}, []int{0, 1}, nil, nil, true, []Op{First, Main, Mul, Sub},
			[]Op{Last, Public, Preprocessed}},
		{"a public one", []NodeID{table.Constraints[1].Root}, []int{2}, nil, nil, false, []Op{Public}, []Op{First}},
		{"in transition", []NodeID{table.Constraints[2].Root}, []int{3}, nil, nil, false, []Op{Transition}, []Op{First}},
		{"preprocessed columns", []NodeID{table.Constraints[3].Root}, nil, []int{0, 1}, nil, true,
			[]Op{Preprocessed}, []Op{Main}},
		{"interactions", table.interactionNodes(), []int{1, 3}, nil, []int{0}, false, []Op{Periodic, Add}, []Op{Mul, Public}},
		{"nothing", nil, nil, nil, nil, false, nil, []Op{Main}},
	} {
		reads := table.Reads(c.roots...)
		for op, want := range map[Op][]int{Main: c.main, Preprocessed: c.preprocessed, Periodic: c.periodic} {
			if diff := cmp.Diff(want, reads.Columns(op)); diff != "" {
				t.Errorf("%s, %s columns: %s", c.name, op, diff)
			}
		}
		if reads.Next != c.next {
			t.Errorf("%s: next row %v", c.name, reads.Next)
		}
		for _, op := range c.ops {
			if !reads.Any(op) {
				t.Errorf("%s: no %s", c.name, op)
			}
		}
		for _, op := range c.not {
			if reads.Any(op) {
				t.Errorf("%s: a %s", c.name, op)
			}
		}
		for _, root := range c.roots {
			selects := table.Reads(root)
			want := selects.Any(First) || selects.Any(Last) || selects.Any(Transition)
			if have := table.Selecting()[root]; have != want {
				t.Errorf("%s: node %d depends on a selector: %t, want %t", c.name, root, have, want)
			}
		}
		for i, id := range reads.Nodes {
			n := table.Graph[id]
			if i > 0 && reads.Nodes[i-1] >= id || n.Op.IsBinary() && (n.A >= id || n.B >= id) {
				t.Errorf("%s: nodes %v are not in topological order", c.name, reads.Nodes)
			}
		}
	}
}

func TestSplitSelector(t *testing.T) {
	b := NewTable("t")
	x, y := b.Main("x"), b.Main("y")
	difference := x.Sub(y)
	for name, root := range map[string]Expr{
		"first": b.First().Mul(difference), "last": difference.Mul(b.Last()), "transition": b.Transition().Mul(difference),
		"none": difference, "a product without": x.Mul(difference),
	} {
		b.AssertZero(name, root)
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Op{"first": First, "last": Last, "transition": Transition}
	for _, c := range table.Constraints {
		rest, op := table.SplitSelector(c.Root)
		selector, some := want[c.Name]
		switch {
		case some && (op != selector || table.Graph[rest].Op != Sub):
			t.Errorf("%s: selector %d and the rest %v", c.Name, op, table.Graph[rest])
		case !some && (op != Constant || rest != c.Root):
			t.Errorf("%s: selector %d taken off", c.Name, op)
		}
	}
}

// A walk visits shared nodes once, parents before children, and skips the nodes below a node at which it is stopped.
func TestWalk(t *testing.T) {
	graph := []Node{{Op: Main}, {Op: Public}, {Op: Add, A: 0, B: 1}, {Op: Mul, A: 2, B: 0},
		{Op: Sub, A: 3, B: 2}, {Op: Main}}
	walk := func(stop NodeID, roots ...NodeID) (visited []NodeID) {
		Walk(graph, func(id NodeID) bool {
			visited = append(visited, id)
			return id != stop
		}, roots...)
		return visited
	}
	for _, c := range []struct {
		stop        NodeID
		roots, want []NodeID
	}{
		{-1, []NodeID{4}, []NodeID{4, 3, 2, 0, 1}},
		{2, []NodeID{4}, []NodeID{4, 3, 2, 0}},
		{4, []NodeID{4}, []NodeID{4}},
		{-1, []NodeID{5, 2, 5}, []NodeID{5, 2, 0, 1}},
		{-1, nil, nil},
	} {
		if diff := cmp.Diff(c.want, walk(c.stop, c.roots...)); diff != "" {
			t.Errorf("from %v, stopping at %d: %s", c.roots, c.stop, diff)
		}
	}
}
