package protocol

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Commitment is what a shard is known by before the challenges that shards have in common.
type Commitment struct {
	Instances []circuit.Instance
	MainCap   []merkle.Digest
}

// Common is what the shards of a run draw together. Nobody needs to be believed about it: every shard's prover and
// every verifier can draw it again from what is stated and all commitments.
type Common struct {
	LogUp  LogUpChallenges
	Branch [32]byte // what every shard's transcript begins with: everything before is in it
	Salt   uint64   // of protocol 3: the smallest under which no challenge is refused, where a prover draws
}

// Common draws it from what is stated and the commitments of all shards, in their order. Transcripts come from
// make, as in [Options].
func (k *Key) Common(public circuit.Public, shards []Commitment, make func(label string) Transcript) Common {
	for salt := uint64(0); ; salt++ {
		if common, err := k.CommonUnder(salt, public, shards, make); err == nil {
			return common
		}
	}
}

// CommonUnder draws it under a salt, which protocol 2 does not have. The error is [transcript.ErrRefused].
func (k *Key) CommonUnder(salt uint64, public circuit.Public, shards []Commitment,
	make func(label string) Transcript) (Common, error) {
	if make == nil {
		make = NewTranscript
	}
	s := &Script{transcript: make(k.Params.labels().shards), chained: k.Params.Hash == merkle.Blake3}
	if s.chained {
		s.commonChained(k, public, shards, salt)
	} else {
		s.machine(k)
		s.public(k, public)
		s.transcript.Absorb(TagShards, binary.LittleEndian.AppendUint32(nil, uint32(len(shards))))
		for _, shard := range shards {
			s.transcript.Absorb(TagInstances, appendInstances(nil, shard.Instances))
			s.Main(shard.MainCap)
		}
	}
	common := Common{LogUp: s.LogUp(), Branch: s.transcript.Branch(), Salt: salt}
	return common, s.Refused()
}
