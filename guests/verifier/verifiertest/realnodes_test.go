package verifiertest

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// proving is an [aggregate.Prover] that runs the aggregator as a guest and proves these runs. The aggregator accepts
// proofs of any strength, so that few queries make its runs short.
type proving struct {
	t       testing.TB
	program *riscv.Program
	params  protocol.Params
	id      [32]byte
	room    int // the longest input that fits

	proven []string
}

// fewQueries are parameters of proofs with one query, whose verification is short.
func fewQueries(t testing.TB) protocol.Params {
	t.Helper()
	params := testParams(t)
	params.Queries, params.CapHeight, params.LogFinalLength = 1, 2, 3
	return params
}

// newProving builds the aggregator for proofs of any strength.
func newProving(t testing.TB, room int) *proving {
	t.Helper()
	elf := guestFile(t, append([]string{"--no-files", "-DVERIFIER_ANY_BITS", "-DVERIFIER_GUEST", "../machines/rv64im.c"},
		sources(t, "native.c", "guest.c", "library.c")...)...)
	text, err := os.ReadFile(elf)
	must(t, err)
	program, err := riscv.New(text)
	must(t, err)
	params := fewQueries(t)
	key, err := setup.NewKey(program.Machine(), params)
	must(t, err)
	return &proving{t: t, program: program, params: params, id: key.ProgramID(), room: room}
}

func (p *proving) Parameters() int                                { return 1 }
func (p *proving) Lanes() int                                     { return 1 }
func (p *proving) Size(context.Context, int, []byte) (int, error) { return 0, errors.ErrUnsupported }
func (p *proving) Plan(context.Context, int, []byte) error        { return nil }

func (p *proving) Fits(_ context.Context, _ int, input []byte) error {
	if len(input) > p.room {
		return &backend.MemoryError{NeedBytes: uint64(len(input)), HaveBytes: uint64(p.room)}
	}
	return nil
}

// Prove proves a run of the aggregator, whatever its exit code is.
func (p *proving) Prove(_ context.Context, _ int, what string, input []byte) ([]byte, error) {
	s := whole(p.t, what, p.program, p.params, run.Input{Data: input})
	p.proven = append(p.proven, what)
	return s.file, nil
}

func (p *proving) builder() *aggregate.Builder { return &aggregate.Builder{Prover: p, ID: p.id} }

// A run in shards becomes one proof. The proofs of its lifts and of the root are real here, not an echo's.
func TestRealNodes(t *testing.T) {
	longtest.Only(t)
	program, err := riscv.New(riscvtest.Guest(t, "fib"))
	must(t, err)
	params := fewQueries(t)
	params.MinLogHeight = 8
	shards := inShards(t, "fib in 2 shards", program, params, run.Input{Data: riscvtest.Numbers(3000)}, 2)
	p := newProving(t, len(shards.file)*3/4)
	options := aggregate.Options{MinBits: -1, ID: &p.id}
	made, err := p.builder().Batch(t.Context(), children(t, options, shards.file))
	must(t, err)
	if run := verifiedWith(t, options, made).Tree.Run; run.ProgramID != shards.id() || run.Exit != 0 {
		t.Errorf("it states %+v", run)
	}
	if want := []string{"a, shard 0", "a, shard 1", "a, root"}; !slices.Equal(p.proven, want) {
		t.Errorf("nodes of %q, want %q", p.proven, want)
	}
	made.Proof[len(made.Proof)/2] ^= 1
	file, err := (&aggregate.File{Tree: made.Tree, Proof: made.Proof}).MarshalBinary()
	must(t, err)
	if _, err := aggregate.Verify(t.Context(), file, options); err == nil {
		t.Error("a changed proof is accepted")
	}
}
