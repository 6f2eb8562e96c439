package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// requestVersion is raised where workers of an earlier one would take a request for another.
const requestVersion = 1

// Request is what is to be proven, without the bytes: those are objects.
type Request struct {
	Version int             `json:"version"`
	Machine string          `json:"machine"`
	Key     string          `json:"key"` // digest of the machine, which is of fixed columns and parameters too
	Program *bus.Digest     `json:"program,omitempty"`
	Private *bus.Digest     `json:"private,omitempty"` // nil: drawn, Size units of it
	Public  *bus.Digest     `json:"public,omitempty"`
	Size    int             `json:"size,omitempty"`
	Seed    uint64          `json:"seed,omitempty"`
	Limit   uint64          `json:"limit,omitempty"` // of the run
	Params  protocol.Params `json:"params"`
	Shards  int             `json:"shards"`

	// ShardCycles, where Shards is 0: the run is cut behind so many cycles while it goes on.
	ShardCycles int `json:"shard_cycles,omitempty"`
}

// Build makes the program of a machine's name, from its file where it has one.
type Build func(name string, file []byte) (machine.Program, error)

// id names a job: a digest of its request.
func (r *Request) id() (id string, encoded []byte, err error) {
	encoded, err = json.Marshal(r)
	if err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:idBytes]), encoded, nil
}

const idBytes = 10

var idForm = regexp.MustCompile(`^[0-9a-f]{20}$`)

// CheckID says what is wrong with the id of a job.
func CheckID(id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("job %q: want %d hexadecimal digits", id, 2*idBytes)
	}
	return nil
}

// put stores the bytes of an order, and returns the request for them.
func (s *Space) put(ctx context.Context, o *Order, key *protocol.Key, shards, cycles int) (*Request, error) {
	r := &Request{
		Version: requestVersion, Machine: o.Machine, Key: keyText(key), Size: o.Input.Size, Seed: o.Input.Seed,
		Limit: o.Input.Limit, Params: o.Params, Shards: shards, ShardCycles: cycles,
	}
	for _, each := range []struct {
		data []byte
		to   **bus.Digest
	}{{o.File, &r.Program}, {o.Input.Data, &r.Private}, {o.Input.Public, &r.Public}} {
		if each.data == nil {
			continue
		}
		digest, err := s.objects.Put(ctx, each.data)
		if err != nil {
			return nil, err
		}
		*each.to = &digest
	}
	return r, nil
}

// keyText is what a key is known by: of a program, its id.
func keyText(key *protocol.Key) string {
	if key.Program == nil {
		return fmt.Sprintf("%x", key.Digest)
	}
	return fmt.Sprintf("%x", key.ProgramID())
}

// request reads the request of a job, whose id it must have.
func (s *Space) request(ctx context.Context, id string) (*Request, error) {
	state, _, err := s.state(ctx, id)
	if err != nil {
		return nil, err
	}
	encoded, err := s.objects.Get(ctx, state.Request)
	if err != nil {
		return nil, fmt.Errorf("job %s: its request: %w", id, err)
	}
	r := new(Request)
	if err := json.Unmarshal(encoded, r); err != nil {
		return nil, fmt.Errorf("job %s: its request: %w", id, err)
	}
	if sum := sha256.Sum256(encoded); hex.EncodeToString(sum[:idBytes]) != id {
		return nil, fmt.Errorf("job %s: its request is that of another", id)
	}
	if r.Version != requestVersion {
		return nil, fmt.Errorf("job %s: its request has version %d, want %d: it is of another release",
			id, r.Version, requestVersion)
	}
	return r, nil
}

// work is a job's run, executed and cut, with what proves and verifies it.
type work struct {
	program machine.Program
	key     *protocol.Key
	shards  []machine.Shard // all, when the run has ended; nil where it was planned
	coming  *comingShards   // nil where it had before any was known
	planned *plannedRun     // nil where shards are there, or come
}

// plannedRun is a run of which nothing is kept but how it is cut.
type plannedRun struct {
	instances [][]circuit.Instance // of each shard
	public    circuit.Public
	input     machine.Input
	cut       machine.Cut
}

// execute runs what a request asks for: for its shards, or to plan them.
func (s *Space) execute(
	ctx context.Context, r *Request, from *programs, pool *parallel.Pool, plan bool,
) (*work, error) {
	var file, private, public []byte
	for _, each := range []struct {
		digest *bus.Digest
		to     *[]byte
	}{{r.Program, &file}, {r.Private, &private}, {r.Public, &public}} {
		if each.digest == nil {
			continue
		}
		data, err := s.objects.Get(ctx, *each.digest)
		if err != nil {
			return nil, err
		}
		*each.to = data
	}
	if err := r.Params.Validate(); err != nil {
		return nil, err
	}
	w, err := from.get(r.Machine, file, r.Params)
	if err != nil {
		return nil, err
	}
	input := machine.Input{
		Data: private, Public: public, Size: r.Size, Seed: r.Seed, Limit: r.Limit,
		MinLogHeight: r.Params.MinLogHeight, Pool: pool,
	}
	if have := keyText(w.key); have != r.Key {
		return nil, fmt.Errorf("machine %s has key %s here and %q in the request: this is another release",
			r.Machine, have, r.Key)
	}
	if r.ShardCycles > 0 {
		return w, w.come(ctx, input, r.ShardCycles)
	}
	if plan {
		return w, w.plan(ctx, input, machine.Even(r.Shards))
	}
	return w, w.run(ctx, input, machine.Even(r.Shards))
}

func newWork(program machine.Program, params protocol.Params) (*work, error) {
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		return nil, err
	}
	return &work{program: program, key: key}, nil
}

// run executes, and cuts into shards.
func (w *work) run(ctx context.Context, input machine.Input, cut machine.Cut) (err error) {
	sharded, ok := w.program.(machine.Sharded)
	if !ok {
		return fmt.Errorf("proofs of machine %s are whole: they have no shards", w.key.Machine.Name)
	}
	if w.shards, err = sharded.Shards(ctx, input, cut); err != nil {
		return err
	}
	return w.checkCount()
}

// plan executes for what a coordinator needs to know of the run, and keeps no more of it where the program can do so.
func (w *work) plan(ctx context.Context, input machine.Input, cut machine.Cut) error {
	planner, ok := w.program.(machine.ShardPlanner)
	if !ok {
		return w.run(ctx, input, cut)
	}
	instances, public, err := planner.PlanShards(ctx, input, cut)
	if err != nil {
		return err
	}
	w.planned = &plannedRun{instances, public, input, cut}
	return w.checkCount()
}

// count is how many shards there are.
func (w *work) count() int {
	if w.planned != nil {
		return len(w.planned.instances)
	}
	return len(w.shards)
}

// full is a shard with all that its tables are filled from. A run that was planned is executed once more for that.
func (w *work) full(ctx context.Context, i int) (machine.Shard, error) {
	if w.shards == nil {
		if err := w.run(ctx, w.planned.input, w.planned.cut); err != nil {
			return nil, err
		}
	}
	return w.shards[i], nil
}

// checkCount refuses runs in as many shards as no proof has.
func (w *work) checkCount() error {
	if n := w.count(); n < protocol.MinShards || n > protocol.MaxShards {
		return fmt.Errorf("%d shards, want %d to %d", n, protocol.MinShards, protocol.MaxShards)
	}
	return nil
}

// instances are those of each shard.
func (w *work) instances() [][]circuit.Instance {
	if w.planned != nil {
		return w.planned.instances
	}
	list := make([][]circuit.Instance, len(w.shards))
	for i, shard := range w.shards {
		list[i] = shard.Instances()
	}
	return list
}

// public is what the run states.
func (w *work) public() circuit.Public {
	if w.planned != nil {
		return w.planned.public
	}
	return w.shards[0].Public()
}

// of are the instances of a shard.
func (w *work) of(i int) []circuit.Instance {
	if w.planned != nil {
		return w.planned.instances[i]
	}
	return w.shards[i].Instances()
}
