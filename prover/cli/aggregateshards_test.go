package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// pretending is an [aggregate.Prover] that proves nothing: its proofs name their inputs.
type pretending struct {
	mu     sync.Mutex
	inputs map[string]nodeName // by their purpose
	done   func(what string)
}

func (*pretending) Size(context.Context, int, []byte) (int, error) { return 0, nil }

func (p *pretending) Parameters() int                         { return 1 }
func (p *pretending) Lanes() int                              { return 2 }
func (p *pretending) Plan(context.Context, int, []byte) error { return nil }
func (p *pretending) Fits(context.Context, int, []byte) error { return nil }

func (p *pretending) Prove(_ context.Context, _ int, what string, input []byte) ([]byte, error) {
	name := nodeName(sha256.Sum256(input))
	p.mu.Lock()
	p.inputs[what] = name
	p.mu.Unlock()
	p.done(what)
	return name[:], nil
}

// shardsOfFib is a run in 5 shards.
func shardsOfFib(t *testing.T) (*riscv.Program, *protocol.Key, func() *run.Run) {
	t.Helper()
	program, err := riscv.New(riscvtest.Guest(t, "fib"))
	must(t, err)
	preset, err := protocol.PresetByName("test")
	must(t, err)
	preset.Params.MinLogHeight = 8
	key, err := setup.NewKey(program.Machine(), preset.Params)
	must(t, err)
	return program, key, func() *run.Run {
		r, err := program.Run(t.Context(), run.Input{Data: riscvtest.Numbers(2000), MinLogHeight: 8,
			Pool: parallel.New(1), Cut: run.Even(5)})
		must(t, err)
		return r
	}
}

// An interrupted aggregation keeps its shards. The next aggregation proves only the others, and shards whose files are
// invalid; it makes the same nodes. Devices prove lifts while they have no shards, and then return to shards.
func TestOverlapKeepsShards(t *testing.T) {
	program, key, begin := shardsOfFib(t)
	folder := filepath.Join(t.TempDir(), "nodes")
	attempt := func(ctx context.Context, done func(string)) (*overlap, *pretending, map[int]bool, error) {
		devices := []backend.Backend{cpu.New(parallel.New(1)), cpu.New(parallel.New(1))}
		by := &pretending{inputs: map[string]nodeName{}, done: done}
		o := &overlap{ctx: ctx, name: "run", key: key, kept: &keptNodes{folder: folder}, lanes: newLanes(devices),
			builder: &aggregate.Builder{Prover: by}}
		var mu sync.Mutex
		proven := map[int]bool{}
		p := shard.New(key, program.Fillers(), devices, shard.Options{Progress: func(number int, stage prove.Stage) {
			mu.Lock()
			defer mu.Unlock()
			if stage == prove.StageGather {
				proven[number] = true
			}
		}})
		p.Observe(o)
		_, _, err := p.Prove(ctx, begin())
		must(t, p.Close())
		return o, by, proven, err
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	o, _, _, err := attempt(ctx, func(string) { cancel(errInterrupted) })
	if err == nil {
		_, err = o.lifts.Root()
	}
	if err = o.kept.saying(err); !errors.Is(err, errInterrupted) || !strings.Contains(err.Error(), "kept in "+folder) {
		t.Fatalf("interrupted: %v", err)
	}
	o.close()
	files, err := filepath.Glob(filepath.Join(folder, "shard-*.proof"))
	must(t, err)
	if len(files) < 4 { // of the first lift
		t.Fatalf("%d shards are kept, want at least 4", len(files))
	}
	must(t, os.WriteFile(files[0], []byte("no proof"), 0o644))
	must(t, os.Rename(files[1], files[2])) // one is missing, and the other is another shard's

	o, by, proven, err := attempt(t.Context(), func(string) {})
	must(t, err)
	if len(proven) != 5-(len(files)-3) {
		t.Errorf("%d of 5 shards are proven; %d were kept, and 3 of these spoiled", len(proven), len(files))
	}
	made, err := o.lifts.Root()
	must(t, err)
	want := []string{"run, shards 0 to 3", "run, shard 4", "run, root"}
	if len(by.inputs) != len(want) || len(made.Tree.Runs()) != 1 || o.lanes.given != 2 {
		t.Errorf("nodes %v, %d devices free; want %q and 2", by.inputs, o.lanes.given, want)
	}
	// All are kept now: the same nodes without proving a shard.
	again, same, proven, err := attempt(t.Context(), func(string) {})
	must(t, err)
	_, err = again.lifts.Root()
	must(t, err)
	if fmt.Sprint(same.inputs) != fmt.Sprint(by.inputs) || len(proven) != 0 {
		t.Errorf("with all shards kept: nodes %v, shards %v proven; want %v and none", same.inputs, proven, by.inputs)
	}
	again.Begin() // as with another salt
	if again.lifts != nil || again.lanes.given != 0 || again.failed != nil {
		t.Errorf("%d devices remain with the lifts: %v", again.lanes.given, again.failed)
	}
	must(t, again.kept.remove())
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// A kept shard is reused only with the commitments, the statement and the challenges of the run.
func TestKeptShards(t *testing.T) {
	program, key, begin := shardsOfFib(t)
	p := shard.New(key, program.Fillers(), []backend.Backend{cpu.New(parallel.New(1))}, shard.Options{})
	set, _, err := p.Prove(t.Context(), begin())
	must(t, errors.Join(err, p.Close()))
	public := set.Shards[0].Public
	common := key.Common(public, set.Commitments(), nil)
	k := &keptNodes{folder: t.TempDir()}
	must(t, k.putShard(key, common, 1, set.Shards[1]))
	outline := func() *protocol.Set { return key.Outline(public, set.Commitments(), set.Salt) }
	if k.shard(key, outline(), common, 1) == nil {
		t.Error("a kept shard is not taken")
	}
	for name, change := range map[string]func(of *protocol.Proof){
		"cap":       func(of *protocol.Proof) { of.MainCap = of.MainCap[1:] },
		"instances": func(of *protocol.Proof) { of.Instances = of.Instances[1:] },
		"values":    func(of *protocol.Proof) { of.Public.Values = of.Public.Values[1:] },
		"data":      func(of *protocol.Proof) { of.Public.Data = append([]byte{1}, of.Public.Data...) },
	} {
		other := outline()
		change(other.Shards[1])
		if k.shard(key, other, common, 1) != nil {
			t.Errorf("a shard of another %s is taken", name)
		}
	}
	must(t, os.Rename(k.path(keptShard, shardName(key, common, 1)), k.path(keptShard, shardName(key, common, 2))))
	again := outline()
	again.Shards[2] = again.Shards[1]
	if k.shard(key, again, common, 2) != nil {
		t.Error("shard 1 is taken for shard 2")
	}
}
