package protocol

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The number of shards of a run, and the maximum size of their file.
const (
	MinShards   = 2
	MaxShards   = 256
	MaxSetBytes = 1 << 30
)

// Set is a run proven in shards: docs/spec/protocol.md, section 13. All shards have the same parameters, machine,
// program and public values.
type Set struct {
	Shards []*Proof
	Salt   uint64 // of the common challenges, in protocol 3: see [Common]
}

// InShards reports whether a file starts like a set.
func InShards(data []byte) bool { return bytes.HasPrefix(data, []byte(MagicShards)) }

// Outline returns a set whose shards have only their commitments. [Set.Part] can encode the shards that have been
// filled in while others are still being proven.
func (k *Key) Outline(public circuit.Public, shards []Commitment, salt uint64) *Set {
	set := &Set{Salt: salt}
	for _, shard := range shards {
		set.Shards = append(set.Shards, &Proof{
			Params: k.Params, MachineName: k.Machine.Name, MachineDigest: k.Digest, Program: k.Program, Public: public,
			Instances: shard.Instances, MainCap: shard.MainCap,
		})
	}
	return set
}

// Commitments returns the commitments of the shards, in order.
func (s *Set) Commitments() []Commitment {
	list := make([]Commitment, len(s.Shards))
	for i, shard := range s.Shards {
		list[i] = Commitment{Instances: shard.Instances, MainCap: shard.MainCap}
	}
	return list
}

// Instances returns the instances of all shards, in order.
func (s *Set) Instances() (list []circuit.Instance) {
	for _, shard := range s.Shards {
		list = append(list, shard.Instances...)
	}
	return list
}

// MarshalBinary encodes a set of at least one shard. Like a proof's, it fails for an opening without an encoding.
func (s *Set) MarshalBinary() ([]byte, error) { return s.AppendOn(nil, nil) }

// AppendOn appends the encoded set to dst, using a pool's workers (see [Proof.AppendOn]).
func (s *Set) AppendOn(pool *parallel.Pool, dst []byte) ([]byte, error) {
	if len(s.Shards) == 0 {
		return nil, errors.New("a set without shards")
	}
	for i, shard := range s.Shards {
		if shard.file != nil {
			return nil, fmt.Errorf("shard %d: its backend wrote it as a separate proof, which is not part of a set", i)
		}
		if err := shard.encodable(); err != nil {
			return nil, fmt.Errorf("shard %d: %w", i, err)
		}
	}
	return s.encode(pool, dst).bytes, nil
}

// Part encodes the common data of the set and the shards from first up to but not including end. Aggregations verify
// such parts.
func (s *Set) Part(first, end int) ([]byte, error) {
	if err := s.Shards[0].encodable(); err != nil {
		return nil, err
	}
	return s.encodeShards(nil, nil, s.Shards[first:end]).bytes, nil
}

// Sections lists the parts of a decoded set, summed over all shards. Their sizes add up to the file's.
func (s *Set) Sections() []Section { return s.encode(nil, nil).sections }

func (s *Set) encode(pool *parallel.Pool, dst []byte) *writer {
	return s.encodeShards(pool, dst, s.Shards)
}

func (s *Set) encodeShards(pool *parallel.Pool, dst []byte, shards []*Proof) *writer {
	hint := 0
	for _, shard := range shards {
		hint += shard.sizeHint()
	}
	w := newWriter(pool, dst, hint)
	w.machine(MagicShards, s.Shards[0])
	w.stated(s.Shards[0])
	if s.Shards[0].Params.Salted() {
		w.word(s.Salt)
	}
	w.count(len(shards))
	for _, shard := range shards {
		w.instances(shard.Instances)
		w.digests(shard.MainCap)
	}
	w.section("header")
	for _, shard := range shards {
		if shard.part != nil {
			w.copied(shard.part)
			continue
		}
		w.beforeOpened(shard)
		w.opened(shard)
	}
	w.putRows()
	return w
}

// UnmarshalBinary decodes a set and checks its form (see [Proof.UnmarshalBinary]).
func (s *Set) UnmarshalBinary(data []byte) error {
	return s.UnmarshalUntil(func() error { return nil }, data)
}

// UnmarshalUntil is UnmarshalBinary with cancellation: it returns the error of stopped once there is one. The largest
// file takes seconds.
func (s *Set) UnmarshalUntil(stopped func() error, data []byte) error {
	if len(data) > MaxSetBytes {
		return fmt.Errorf("proof in shards: %d bytes, want at most %d", len(data), MaxSetBytes)
	}
	r := &reader{left: data}
	shards, salt := r.shards(stopped)
	if err := stopped(); err != nil {
		return err
	}
	if err := r.end(len(data)); err != nil {
		return err
	}
	s.Shards, s.Salt = shards, salt
	return nil
}

func (r *reader) shards(stopped func() error) (shards []*Proof, salt uint64) {
	var shared Proof
	r.machine(MagicShards, &shared)
	r.stated(&shared)
	if shared.Params.Salted() {
		salt = uint64(r.element())
	}
	shards = list(r, "shards", 2*countBytes, MaxShards, func() *Proof {
		p := shared
		p.Instances = r.instances()
		p.MainCap = r.digests("nodes of the main cap", maxCapNodes)
		return &p
	})
	if r.err == nil && len(shards) < MinShards {
		r.fail("%d shards, want at least %d", len(shards), MinShards)
	}
	for _, p := range shards {
		if stopped() != nil {
			break
		}
		r.afterMain(p)
	}
	return shards, salt
}
