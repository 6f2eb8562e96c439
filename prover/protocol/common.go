package protocol

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Commitment is the part of a shard that determines the common challenges.
type Commitment struct {
	Instances []circuit.Instance
	MainCap   []merkle.Digest
}

// Common has the common challenges of a run's shards. It need not be trusted: every shard's prover and every verifier
// can recompute it from the statement and all commitments.
type Common struct {
	LogUp  LogUpChallenges
	Branch [32]byte // absorbed first by every shard's transcript; binds everything before
	Salt   uint64   // protocol 3: a prover takes the smallest salt for which no challenge is refused
}

// Common samples the common challenges from the statement and the commitments of all shards, in order. make creates
// transcripts; nil means [NewTranscript].
func (k *Key) Common(public circuit.Public, shards []Commitment, make func(label string) Transcript) Common {
	for salt := uint64(0); ; salt++ {
		if common, err := k.CommonUnder(salt, public, shards, make); err == nil {
			return common
		}
	}
}

// CommonUnder is Common with a given salt, which protocol 2 ignores. The error is [transcript.ErrRefused].
func (k *Key) CommonUnder(salt uint64, public circuit.Public, shards []Commitment,
	make func(label string) Transcript) (Common, error) {
	if make == nil {
		make = NewTranscript
	}
	v := k.Params.variant()
	s := &Script{transcript: make(v.labels().shards), variant: v}
	v.beginShards(s.transcript, k, public, shards, salt)
	common := Common{LogUp: s.LogUp(), Branch: s.transcript.Branch(), Salt: salt}
	return common, s.Refused()
}
