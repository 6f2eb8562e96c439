package cli

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// choosy is an [aggregate.Prover] that proves nothing, one node at a time. The nodes of some inputs are too large for
// it.
type choosy struct {
	*pretending
	large func(role, children, span uint64) bool
	asked []string // the roles and the numbers of children of the nodes that Fits was asked about
}

func (*choosy) Lanes() int { return 1 }

// Fits reads an input's role, its number of children, and the number of shards of a lift.
func (c *choosy) Fits(_ context.Context, _ int, input []byte) error {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(input[32+8*i:]) }
	role, children, span := word(0), word(1), word(5)
	c.asked = append(c.asked, fmt.Sprint([]string{"statements", "lift", "join", "root"}[role], " ", children))
	if c.large(role, children, span) {
		return &backend.MemoryError{NeedBytes: 2, HaveBytes: 1}
	}
	return nil
}

func (c *choosy) Prove(ctx context.Context, parameters int, what string, input []byte) ([]byte, error) {
	if err := c.Fits(ctx, parameters, input); err != nil {
		return nil, err
	}
	return c.pretending.Prove(ctx, parameters, what, input)
}

// A root takes all parts if it can. Parts are joined only if they are too many for a root, or a root of them is too
// large, and no join is considered before.
func TestJoins(t *testing.T) {
	const lift, join, root = 1, 2, 3
	_, key, begin := shardsOfFib(t)
	outline := key.Outline(begin().Public(), make([]protocol.Commitment, 5), 0)
	try := func(by *choosy) error {
		lifts, err := (&aggregate.Builder{Prover: by}).Lift(t.Context(), "run", key, outline, protocol.Common{})
		must(t, err)
		defer lifts.Close()
		for i, shard := range outline.Shards {
			lifts.Add(i, shard)
		}
		_, err = lifts.Root()
		return err
	}
	for _, tc := range []struct {
		name  string
		large func(role, children, span uint64) bool
		nodes []string
		asked []string
	}{
		{"all fits", func(uint64, uint64, uint64) bool { return false },
			[]string{"run, root", "run, shard 4", "run, shards 0 to 3"},
			[]string{"root 2"}},
		{"a root of three is too large",
			func(role, children, span uint64) bool {
				return role == lift && span > 2 || role == root && children > 2
			},
			[]string{"run, join 0 of level 1", "run, join 1 of level 1", "run, root", "run, shard 4", "run, shards 0 to 1",
				"run, shards 2 to 3"},
			[]string{"root 3", "root 3", "join 2", "join 2", "join 1", "root 2"}},
		{"five parts", func(role, _, span uint64) bool { return role == lift && span > 1 },
			[]string{"run, join 0 of level 1", "run, join 1 of level 1", "run, root", "run, shard 0", "run, shard 1",
				"run, shard 2", "run, shard 3", "run, shard 4"},
			[]string{"join 4", "join 4", "join 1", "root 2"}},
		{"a join of four is too large",
			func(role, children, span uint64) bool {
				return role == lift && span > 1 || role == join && children > 2
			},
			[]string{"run, join 0 of level 1", "run, join 0 of level 2", "run, join 1 of level 1", "run, join 1 of level 2",
				"run, join 2 of level 1", "run, root", "run, shard 0", "run, shard 1", "run, shard 2", "run, shard 3",
				"run, shard 4"},
			nil},
	} {
		by := &choosy{pretending: &pretending{inputs: map[string]nodeName{}, done: func(string) {}}, large: tc.large}
		if err := try(by); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		var nodes []string
		for what := range by.inputs {
			nodes = append(nodes, what)
		}
		slices.Sort(nodes)
		if !slices.Equal(nodes, tc.nodes) {
			t.Errorf("%s: nodes %q, want %q", tc.name, nodes, tc.nodes)
		}
		asked := slices.DeleteFunc(by.asked, func(what string) bool { return what == "lift 0" })
		if tc.asked != nil && !slices.Equal(asked, tc.asked) {
			t.Errorf("%s: asked about %q, want %q", tc.name, asked, tc.asked)
		}
	}
	// Nothing helps if a root of two parts is too large.
	by := &choosy{pretending: &pretending{inputs: map[string]nodeName{}, done: func(string) {}},
		large: func(role, _, _ uint64) bool { return role == root }}
	if try(by) == nil {
		t.Error("a root that is too large is made")
	}
}
