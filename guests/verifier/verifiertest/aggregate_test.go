package verifiertest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
)

// children reads proofs as children.
func children(t testing.TB, options aggregate.Options, files ...[]byte) (list []*aggregate.Child) {
	t.Helper()
	for i, file := range files {
		child, err := aggregate.Read(t.Context(), string(rune('a'+i)), file, options)
		must(t, err)
		list = append(list, child)
	}
	return list
}

// verified encodes the aggregation and verifies the file.
func verified(t testing.TB, e *echo, child *aggregate.Child) *aggregate.Result {
	t.Helper()
	return verifiedWith(t, e.options(), child)
}

func verifiedWith(t testing.TB, options aggregate.Options, child *aggregate.Child) *aggregate.Result {
	t.Helper()
	file, err := (&aggregate.File{Tree: child.Tree, Proof: child.Proof}).MarshalBinary()
	must(t, err)
	result, err := aggregate.Verify(t.Context(), file, options)
	must(t, err)
	return result
}

// Statements of several proofs are batched until a batch is full, and a batch can be a child again. The file lists the
// statements in the order of the proofs.
func TestBatch(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	fib := cached(t, "rv64im-3").file
	other := newEcho(t, 3).prove(t, []byte("another program"))
	p := &echoing{echo: e, t: t, room: 2*len(fib) + len(other)}
	list := children(t, e.options(), fib, other, fib, other)
	batch, err := p.builder().Batch(t.Context(), list)
	must(t, err)
	result := verified(t, e, batch)
	runs := result.Tree.Runs()
	if len(runs) != 4 || runs[1].Exit != 3 || string(runs[1].Output) != "another program" ||
		!bytes.Equal(runs[0].Bytes(), runs[2].Bytes()) || runs[0].ProgramID != cached(t, "rv64im-3").id() {
		t.Errorf("the batch lists %d runs: %+v", len(runs), runs)
	}
	if want := []string{"a + b", "c + d", "a + b + c + d"}; !slices.Equal(p.proven, want) {
		t.Errorf("nodes of %q, want %q", p.proven, want)
	}

	opensOne(t, e, result)

	// The whole batch and one more proof. Squeezed, the aggregation states the same.
	again := children(t, e.options(), marshal(t, batch), other)
	larger, err := p.builder().Batch(t.Context(), again)
	must(t, err)
	squeezed, err := p.builder().Reprove(t.Context(), larger)
	must(t, err)
	if runs := verified(t, e, squeezed).Tree.Runs(); len(runs) != 5 || runs[4].Exit != 3 {
		t.Errorf("%d runs, want 5", len(runs))
	}
}

func marshal(t testing.TB, c *aggregate.Child) []byte {
	t.Helper()
	file, err := (&aggregate.File{Tree: c.Tree, Proof: c.Proof}).MarshalBinary()
	must(t, err)
	return file
}

// A compression continues as long as the next proof is predicted to be smaller. It spares calls where that fits.
func TestCompress(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	fib := cached(t, "rv64im-3")
	for _, calls := range []bool{false, true} {
		p := &echoing{echo: e, t: t}
		one, err := p.builder().Batch(t.Context(), children(t, e.options(), fib.file))
		must(t, err)
		var spare []bool // of the inputs whose proofs' sizes were asked for
		p.calls, p.size = calls, func(input []byte) int {
			percent := 98 // not enough
			if len(p.proven) < 3 {
				percent = 90
			}
			if spare = append(spare, sparesCalls(input)); !sparesCalls(input) {
				percent++
			}
			return len(one.Proof) * percent / 100
		}
		smaller, err := p.builder().Compress(t.Context(), one)
		must(t, err)
		if want := []string{"a", "a, round 1", "a, round 2"}; !slices.Equal(p.proven, want) {
			t.Errorf("nodes of %q, want %q", p.proven, want)
		}
		want := slices.Repeat([]bool{true, false}, 3)
		if !calls && !slices.Equal(spare, want) || calls && slices.Contains(spare, true) {
			t.Errorf("sizes of inputs that spare calls: %v", spare)
		}
		if run := verified(t, e, smaller).Tree.Run; run == nil || !bytes.HasPrefix(run.Bytes(), stated(t, fib)) {
			t.Errorf("it states %+v", run)
		}
	}
}

// The aggregation of a single proof states exactly what the proof states.
func TestOne(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	s := cached(t, "rv64im-3")
	p := &echoing{echo: e, t: t}
	one, err := p.builder().Batch(t.Context(), children(t, e.options(), s.file))
	must(t, err)
	result := verified(t, e, one)
	if run := result.Tree.Run; run == nil || !bytes.HasPrefix(run.Bytes(), stated(t, s)) {
		t.Errorf("it states %+v", run)
	}
	_, err = p.builder().Batch(t.Context(), children(t, e.options(), marshal(t, one)))
	if err != nil || len(p.proven) != 1 {
		t.Errorf("aggregated again alone: %v, nodes of %q", err, p.proven)
	}
}

// Shards are lifted, joined and finished in one statement, for any number of shards that fits a lift.
func TestAggregateShards(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	s := runInShards(t)
	p := &echoing{echo: e, t: t}
	run, err := p.builder().Batch(t.Context(), children(t, e.options(), s.file))
	must(t, err)
	if got := verified(t, e, run).Tree.Run; got.ProgramID != s.id() || got.Exit != 0 {
		t.Errorf("it states %+v", got)
	}
	if want := []string{"a, shards 0 to 1", "a, root"}; !slices.Equal(p.proven, want) {
		t.Errorf("nodes of %q, want %q", p.proven, want)
	}
	p = &echoing{echo: e, t: t, room: len(s.file) * 3 / 4}
	_, err = p.builder().Batch(t.Context(), children(t, e.options(), s.file))
	must(t, err)
	if want := []string{"a, shard 0", "a, shard 1", "a, root"}; !slices.Equal(p.proven, want) {
		t.Errorf("nodes of %q, want %q", p.proven, want)
	}
}

// Other parameters are used if all children fit one node with them and not even two fit without.
func TestParameters(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	p := &echoing{echo: e, t: t}
	one, err := p.builder().Batch(t.Context(), children(t, e.options(), cached(t, "rv64im-3").file))
	must(t, err)
	list := children(t, e.options(), marshal(t, one), marshal(t, one), marshal(t, one))
	for _, tc := range []struct {
		room, larger int // in aggregations
		want         []string
	}{
		{2, 3, []string{"a + b + c"}},
		{1, 2, []string{"b + c", "a + b + c"}},
		{2, 1, []string{"b + c", "a + b + c"}},
	} {
		size, scatter := len(one.Proof)+16, len(one.Proof)/4 // proofs of nodes differ in length
		p := &echoing{echo: e, t: t, room: tc.room*size + scatter, larger: tc.larger*size + scatter}
		batch, err := p.builder().Batch(t.Context(), list)
		must(t, err)
		if runs := verified(t, e, batch).Tree.Runs(); len(runs) != 3 || !slices.Equal(p.proven, tc.want) {
			t.Errorf("room for %d, then %d: %d runs of nodes %q, want 3 of %q", tc.room, tc.larger, len(runs), p.proven, tc.want)
		}
	}
}

// A verification whose tables are too tall at one blowup is proven at the next.
func TestTooTall(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	fib := cached(t, "rv64im-3").file
	p := &echoing{echo: e, t: t, room: len(fib), larger: 2 * len(fib), tall: true}
	if _, err := p.builder().Reprove(t.Context(), children(t, e.options(), fib)[0]); err != nil || p.used != 1 {
		t.Errorf("parameters %d are taken (%v), want 1", p.used, err)
	}
}

// If no parameters fit the memory, the error says so.
func TestNothingFits(t *testing.T) {
	e := newEcho(t, 0)
	fib := cached(t, "rv64im-3").file
	p := &echoing{echo: e, t: t, room: len(fib)}
	_, err := p.builder().Batch(context.Background(), children(t, e.options(), fib, fib))
	if err == nil || !strings.Contains(err.Error(), "a: ") {
		t.Errorf("%v, want an error about a", err)
	}
}

// opensOne verifies an opening of the second run, and rejects another output.
func opensOne(t *testing.T, e *echo, of *aggregate.Result) {
	t.Helper()
	opened, err := of.Open(1)
	must(t, err)
	data, err := opened.MarshalBinary()
	must(t, err)
	result, err := aggregate.Verify(t.Context(), data, e.options())
	must(t, err)
	if runs := result.Tree.Runs(); len(runs) != 1 || runs[0].Exit != 3 || result.Runs != 4 ||
		result.Tree.Digest() != of.Tree.Digest() {
		t.Errorf("an opening shows %+v of %d runs", runs, result.Runs)
	}
	changed := bytes.Replace(data, []byte("another program"), []byte("another problem"), 1)
	if _, err := aggregate.Verify(t.Context(), changed, e.options()); err == nil ||
		!strings.Contains(err.Error(), "statement: it is about") {
		t.Errorf("an opening with another output: %v", err)
	}
}

// At depth 5 an aggregation states what the innermost proof states. The native aggregator of each level runs on the
// proof of the level below. The echo, which repeats the outputs, proves the levels.
func TestDepth(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	s := cached(t, "rv64im-3")
	p := &echoing{echo: e, t: t}
	child, err := p.builder().Batch(t.Context(), children(t, e.options(), s.file))
	must(t, err)
	for depth := 2; depth <= 5; depth++ {
		child, err = p.builder().Reprove(t.Context(), children(t, e.options(), marshal(t, child))[0])
		must(t, err)
		if run := verified(t, e, child).Tree.Run; run == nil || !bytes.HasPrefix(run.Bytes(), stated(t, s)) {
			t.Errorf("depth %d states %+v", depth, run)
		}
	}
	if len(p.proven) != 5 {
		t.Errorf("nodes of %q, want 5", p.proven)
	}
}
