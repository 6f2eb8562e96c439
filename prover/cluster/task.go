package cluster

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// seatName is NAME.HOST.SEAT: the credential, the host and the device, each a word of letters, digits, - and _.
type seatName string

// worker returns the part of the name that identifies the worker.
func (n seatName) worker() string {
	i := strings.LastIndexByte(string(n), '.')
	return string(n[:max(i, 0)])
}

// shown returns the name in the format for users, with slashes.
func (n seatName) shown() string { return strings.ReplaceAll(string(n), ".", "/") }

var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// check returns an error unless the name consists of three words.
func (n seatName) check() error {
	words := strings.Split(string(n), ".")
	if len(words) != 3 {
		return fmt.Errorf("seat %q: want NAME.HOST.SEAT", n)
	}
	for _, word := range words {
		if err := CheckName(word); err != nil {
			return fmt.Errorf("seat %w", err)
		}
	}
	return nil
}

// CheckName returns an error if name cannot name a worker or its host.
func CheckName(name string) error {
	if !word().MatchString(name) {
		return fmt.Errorf("%q: want 1 to 64 letters, digits, - and _", name)
	}
	return nil
}

// shardTask is a task for a seat.
type shardTask struct {
	Job   string `json:"job"`
	Shard int    `json:"shard"`

	// Cap is the recorded cap of the shard, and Common the challenges to prove it under. Without them, the task is to
	// commit to the shard.
	Cap    *bus.Digest      `json:"cap,omitempty"`
	Common *protocol.Common `json:"common,omitempty"`

	// Node is a run to be proven as a whole, instead of a shard.
	Node *wholeRun `json:"node,omitempty"`

	Not []seatName `json:"not,omitempty"` // seats that could not do the task
}

// commitTag is the tag of phase 1.
const commitTag = "commit"

// tag identifies the phase of a job: the shards' caps, or their proofs under the challenges from these caps.
func (t *shardTask) tag() string {
	switch {
	case t.Node != nil:
		return t.Node.tag()
	case t.Common == nil:
		return commitTag
	}
	return proveTag(t.Common)
}

func proveTag(common *protocol.Common) string {
	return "prove-" + hex.EncodeToString(common.Branch[:8])
}

// taskName returns the name of a job's task.
func taskName(tag string, shard int) string { return tag + "." + strconv.Itoa(shard) }

// The subjects of a job's tasks: for any seat, and for the seat that keeps the shard.
func anySubject(job string) string { return taskSubjects + "any." + job }
func onSubject(seat seatName, job string) string {
	return taskSubjects + "on." + string(seat) + "." + job
}

// shardResult is a seat's report on a task. Its sender may lie.
type shardResult struct {
	// Cap is the main cap that the seat computed: all of its nodes. In phase 2 it is set only if it differs from the
	// task's.
	Cap []byte `json:"cap,omitempty"`

	Proof   *bus.Digest `json:"proof,omitempty"`
	Unable  string      `json:"unable,omitempty"` // why it has neither
	Seconds float64     `json:"seconds"`
	Took    Took        `json:"took"`

	// Memory and Height say why a whole run is too large for the device.
	Memory *backend.MemoryError `json:"memory,omitempty"`
	Height *backend.HeightError `json:"height,omitempty"`
}

// resultKey returns the key of a seat's result.
func resultKey(job, tag string, shard int, seat seatName) string {
	return fmt.Sprintf("%s.%s.%d.%s", job, tag, shard, seat)
}

// capBytes encodes a cap's nodes.
func capBytes(nodes []merkle.Digest) []byte {
	encoded := make([]byte, 0, len(nodes)*len(merkle.Digest{}))
	for _, node := range nodes {
		encoded = append(encoded, node[:]...)
	}
	return encoded
}

// capNodes decodes a cap's nodes.
func capNodes(encoded []byte) ([]merkle.Digest, error) {
	const size = len(merkle.Digest{})
	if len(encoded)%size != 0 || len(encoded) > size<<protocol.MaxCapHeight {
		return nil, fmt.Errorf("%d bytes are not a cap", len(encoded))
	}
	nodes := make([]merkle.Digest, len(encoded)/size)
	for i := range nodes {
		copy(nodes[i][:], encoded[i*size:])
	}
	return nodes, nil
}

// report writes a result.
func (s *Space) report(ctx context.Context, key string, result *shardResult) error {
	encoded, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return bus.Full(bus.Retry(ctx, func(ctx context.Context) error {
		_, err := s.results.Put(ctx, key, encoded)
		return err
	}))
}

// Exclusion is the reason why a worker is excluded.
type Exclusion struct {
	Why  string    `json:"why"`
	Job  string    `json:"job"`
	When time.Time `json:"when"`
}

// ExcludedError is the error of a worker that is excluded.
type ExcludedError struct {
	Worker string
	Exclusion
}

func (e *ExcludedError) Error() string {
	return fmt.Sprintf("worker %s is excluded from this cluster, by job %s on %s: %s",
		e.Worker, e.Job, e.When.Format(time.DateTime), e.Why)
}

// exclude excludes a worker. An existing reason is kept.
func (s *Space) exclude(ctx context.Context, worker string, why Exclusion) error {
	encoded, err := json.Marshal(why)
	if err == nil {
		encoded, err = s.bus.Seal(exclusionPurpose(worker), time.Now().Add(forGood), encoded)
	}
	if err != nil {
		return err
	}
	err = bus.Retry(ctx, func(ctx context.Context) error {
		_, err := s.exclusions.Create(ctx, worker, encoded)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil
	}
	return bus.Full(err)
}

// excluded returns nil or a [ExcludedError].
func (s *Space) excluded(ctx context.Context, worker string) error {
	var entry *bus.Entry
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		entry, err = s.exclusions.Get(ctx, worker)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if entry.Deleted {
		return nil
	}
	return s.exclusionOf(worker, entry)
}

// exclusionPurpose returns the signing purpose of an exclusion. It keeps its former words: running clusters hold
// exclusions signed for this purpose, and would lose them.
func exclusionPurpose(worker string) string { return "shut out " + worker }

// exclusionOf returns a [ExcludedError] for an entry that a client signed for this worker, and nil for any other entry.
func (s *Space) exclusionOf(worker string, entry *bus.Entry) error {
	body, err := s.bus.Unseal(exclusionPurpose(worker), entry.Value)
	if err != nil {
		if refused := new(bus.SealError); errors.As(err, &refused) {
			return nil
		}
		return err
	}
	refusal := &ExcludedError{Worker: worker}
	if err := json.Unmarshal(body, &refusal.Exclusion); err != nil {
		refusal.Why = fmt.Sprintf("for a reason that cannot be read (%v)", err)
	}
	return refusal
}

// forGood is the validity of an exclusion, which lasts until it is revoked.
const forGood = 100 * 365 * 24 * time.Hour

// Readmit revokes the exclusion of a worker.
func (s *Space) Readmit(ctx context.Context, worker string) error {
	if err := s.excluded(ctx, worker); err == nil {
		return fmt.Errorf("worker %s is not excluded", worker)
	} else if refusal := new(ExcludedError); !errors.As(err, &refusal) {
		return err
	}
	return bus.Retry(ctx, func(ctx context.Context) error { return s.exclusions.Purge(ctx, worker) })
}
