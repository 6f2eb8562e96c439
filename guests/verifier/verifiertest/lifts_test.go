package verifiertest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// lifting is a [shard.Observer] that lifts shards. It holds back the last proof until a lift of others is proven.
type lifting struct {
	t     *testing.T
	key   *protocol.Key
	by    *echoing
	lifts *aggregate.Lifts
	left  int // shards
	freed []int
}

func (l *lifting) Begin()                    {}
func (l *lifting) Known(int) *protocol.Proof { return nil }
func (l *lifting) Free(device int)           { l.freed = append(l.freed, device) }
func (l *lifting) has(nodes ...string) bool  { return slices.Equal(l.by.nodes(), nodes) }
func (l *lifting) wait(until func() bool) bool {
	for end := time.Now().Add(2 * time.Minute); !until(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func (l *lifting) Challenges(set *protocol.Set, common protocol.Common) (err error) {
	l.left = len(set.Shards)
	l.lifts, err = l.by.builder().Lift(context.Background(), "run", l.key, set, common)
	return err
}

func (l *lifting) Proven(number int, proof *protocol.Proof) error {
	if l.left--; l.left == 0 && !l.wait(func() bool { return l.has("run, shards 0 to 3") }) {
		l.t.Errorf("nodes of %q before the last shard, want the first four shards'", l.by.nodes())
	}
	l.lifts.Add(number, proof)
	return nil
}

func (e *echoing) nodes() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.proven)
}

// Shards are lifted while later ones are being proven. The result states the run.
func TestLiftsWhileProving(t *testing.T) {
	longtest.Only(t)
	e := newEcho(t, 0)
	nativeVerifier(t)
	_, err := aggregator() // compiles it, which takes time
	must(t, err)
	program, err := riscv.New(riscvtest.Guest(t, "fib"))
	must(t, err)
	params := testParams(t)
	params.MinLogHeight = 8
	key, err := setup.NewKey(program.Machine(), params)
	must(t, err)
	r, err := program.Run(t.Context(), run.Input{Data: riscvtest.Numbers(6000), MinLogHeight: 8,
		Pool: parallel.New(0), Cut: run.Even(6)})
	must(t, err)
	prover := shard.New(key, program.Fillers(), []backend.Backend{cpu.New(parallel.New(0))}, shard.Options{})
	l := &lifting{t: t, key: key, by: &echoing{echo: e, t: t, lanes: 2}}
	prover.Observe(l)
	set, _, err := prover.Prove(t.Context(), r)
	must(t, err)
	must(t, prover.Close())
	made, err := l.lifts.Root()
	must(t, err)
	if run := verified(t, e, made).Tree.Run; run.ProgramID != key.ProgramID() || run.Exit != 0 || run.Cycles == 0 {
		t.Errorf("it states %+v", run)
	}
	if !l.has("run, shards 0 to 3", "run, shards 4 to 5", "run, root") || !slices.Equal(l.freed, []int{0}) {
		t.Errorf("nodes of %q, devices %d freed", l.by.nodes(), l.freed)
	}
	liftedOtherwise(t, e, key, set)
}

// liftedOtherwise adds shards in another order, with errors and without all of them.
func liftedOtherwise(t *testing.T, e *echo, key *protocol.Key, set *protocol.Set) {
	t.Helper()
	common := key.Common(set.Shards[0].Public, set.Commitments(), nil)
	begin := func(by *echoing) *aggregate.Lifts {
		outline := key.Outline(set.Shards[0].Public, set.Commitments(), set.Salt)
		lifts, err := by.builder().Lift(t.Context(), "run", key, outline, common)
		must(t, err)
		t.Cleanup(lifts.Close)
		return lifts
	}
	// The end of the run comes first: it is planned, but the first lift still decides the width.
	part, err := set.Part(0, 2)
	must(t, err)
	by := &echoing{echo: e, t: t, room: len(part) + len(part)/4}
	lifts := begin(by)
	for _, number := range []int{5, 4, 3, 2, 1, 0} {
		lifts.Add(number, set.Shards[number])
	}
	made, err := lifts.Root()
	must(t, err)
	verified(t, e, made)
	want := []string{"run, shards 0 to 1", "run, shards 2 to 3", "run, shards 4 to 5", "run, join 0 of level 1",
		"run, join 1 of level 1", "run, root"}
	if have := by.nodes(); !slices.Equal(have, want) {
		t.Errorf("nodes of %q, want %q", have, want)
	}

	lifts = begin(&echoing{echo: e, t: t})
	for number := range 4 {
		lifts.Add(number, set.Shards[number])
	}
	if _, err := lifts.Root(); err == nil || !strings.Contains(err.Error(), "no lift has shard 4") {
		t.Errorf("without the last shards: %v", err)
	}

	// A shard in another's place is refused before anything is proven.
	by = &echoing{echo: e, t: t}
	lifts = begin(by)
	for number := range 4 {
		lifts.Add(number, set.Shards[number^1])
	}
	if _, err := lifts.Root(); err == nil || !strings.Contains(err.Error(), "VERIFIER_") || len(by.nodes()) != 0 {
		t.Errorf("shards in others' places: %v after nodes of %q", err, by.nodes())
	}

	lifts = begin(&echoing{echo: e, t: t})
	lifts.Close()
	lifts.Add(0, set.Shards[0])
	if _, err := lifts.Root(); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("closed: %v", err)
	}
}
