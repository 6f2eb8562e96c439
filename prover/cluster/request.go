package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// The versions of requests that workers understand. A version increases if older workers would misinterpret a request:
// workers older than aimVersion would plan other instances.
const (
	requestVersion = 1
	aimVersion     = 3
)

// Request describes the run to prove. Its bytes are in the object store.
type Request struct {
	Version int             `json:"version"`
	Machine string          `json:"machine"`
	Key     string          `json:"key"` // digest of the machine with its fixed columns and parameters
	Program *bus.Digest     `json:"program,omitempty"`
	Private *bus.Digest     `json:"private,omitempty"` // nil: Size units are generated from the seed
	Public  *bus.Digest     `json:"public,omitempty"`
	Size    int             `json:"size,omitempty"`
	Seed    uint64          `json:"seed,omitempty"`
	Limit   uint64          `json:"limit,omitempty"` // of the run
	Params  protocol.Params `json:"params"`
	Aim     circuit.Aim     `json:"aim,omitempty"`
	Shards  int             `json:"shards"`

	// ShardCycles is used if Shards is 0: the run is cut into shards of this many cycles while it is running.
	ShardCycles int `json:"shard_cycles,omitempty"`

	// Of identifies the aggregated proofs: see [Nodes].
	Of string `json:"of,omitempty"`
}

// Build returns the program of a machine by name, from its file if it has one.
type Build func(name string, file []byte) (run.Program, error)

// id returns the job's name: a digest of the request.
func (r *Request) id() (id string, encoded []byte, err error) {
	encoded, err = json.Marshal(r)
	if err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:idBytes]), encoded, nil
}

const idBytes = 10

var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{20}$`) })

// CheckID returns an error if id cannot be the id of a job.
func CheckID(id string) error {
	if !idForm().MatchString(id) {
		return fmt.Errorf("job %q: want %d hexadecimal digits", id, 2*idBytes)
	}
	return nil
}

// put stores the bytes of an order, and returns a request that refers to them.
func (s *Space) put(ctx context.Context, o *Order, key *protocol.Key, shards, cycles int) (*Request, error) {
	r := &Request{
		Version: requestVersion, Machine: o.Machine, Key: keyText(key), Size: o.Input.Size, Seed: o.Input.Seed,
		Limit: o.Input.Limit, Params: o.Params, Aim: o.Input.Aim, Shards: shards, ShardCycles: cycles,
	}
	if r.Aim != circuit.FewCells {
		r.Version = aimVersion
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

// keyText identifies a key: by the program's id, if there is a program.
func keyText(key *protocol.Key) string {
	if key.Program == nil {
		return fmt.Sprintf("%x", key.Digest)
	}
	return fmt.Sprintf("%x", key.ProgramID())
}

// request reads the request of a job and verifies its id.
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
		return nil, fmt.Errorf("job %s: its request belongs to another job", id)
	}
	if r.Version != requestVersion && r.Version != aimVersion {
		return nil, fmt.Errorf("job %s: its request has version %d, want %d or %d: it comes from another release",
			id, r.Version, requestVersion, aimVersion)
	}
	return r, nil
}

// execute runs the program of a request: for its shards, or to plan them. If a run is cut while it is running, the
// shards arrive later.
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
	input := run.Input{
		Data: private, Public: public, Size: r.Size, Seed: r.Seed, Limit: r.Limit,
		MinLogHeight: r.Params.MinLogHeight, Aim: r.Aim, Pool: pool, Cut: r.cut(),
		Plan: plan && r.ShardCycles == 0,
	}
	if have := keyText(w.key); have != r.Key {
		return nil, fmt.Errorf("machine %s has key %s here and %q in the request: this is another release",
			r.Machine, have, r.Key)
	}
	return w, w.begin(ctx, input)
}

// cut returns the cut of a request's run.
func (r *Request) cut() run.Cut {
	if r.ShardCycles > 0 {
		return everyCycles(r.ShardCycles)
	}
	return run.Even(r.Shards)
}

// everyCycles cuts a run into shards of the given number of cycles, while it is running.
func everyCycles(cycles int) run.Cut {
	return run.Ends(func(shard int) int { return (shard + 1) * cycles })
}
