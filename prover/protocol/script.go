package protocol

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// The labels name the protocol in a transcript's initial state: for a proof, for the common challenges of shards, and
// for a shard.
const (
	Label       = "chiasmus.stark/2"
	LabelShards = "chiasmus.shards/2"
	LabelShard  = "chiasmus.shard/2"

	// The labels of protocol 3 only distinguish transcripts in tests: all start with BLAKE3's initial chaining value.
	Label3       = "chiasmus.stark/3"
	LabelShards3 = "chiasmus.shards/3"
	LabelShard3  = "chiasmus.shard/3"
)

// ProofLabel returns the label for the transcript of a single proof.
func (p Params) ProofLabel() string { return p.variant().labels().proof }

// ShardLabel returns the label for a shard's transcript.
func (p Params) ShardLabel() string { return p.variant().labels().shard }

// The tags of the prover's messages.
const (
	TagParams       = 0x01
	TagMachine      = 0x02
	TagInstances    = 0x03
	TagPublic       = 0x04
	TagMainCap      = 0x05
	TagAuxiliaryCap = 0x06
	TagClaimed      = 0x07
	TagQuotientCap  = 0x08
	TagOpenings     = 0x09
	TagLayerCap     = 0x0a
	TagFinal        = 0x0b
	TagNonce        = 0x0c
	TagProgram      = 0x0d
	TagData         = 0x0e
	TagShards       = 0x0f
	TagBranch       = 0x10
)

// Transcript is the Fiat-Shamir interface of the protocol, and the interface of a hash function for challenges; the
// interface for trees is in package merkle. Tests also give a prover a transcript that samples a challenge too early,
// and show that the verifier, which always creates its own, rejects the proof.
type Transcript interface {
	Absorb(tag byte, message []byte)
	Extension() goldilocks.Extension
	Position(bits int) uint64
	GrindingSeed() [32]byte
	Branch() [32]byte
	// Stream returns the state that determines all further words, and the number of words already sampled from it. A
	// device that has the state can sample the same challenges.
	Stream() (state [32]byte, drawn uint64)
	// Refused returns [transcript.ErrRefused] if a challenge was not an element, else nil.
	Refused() error
}

// Script is the transcript step by step. It defines what is absorbed before each challenge, for prover and verifier.
type Script struct {
	transcript Transcript
	variant    variant
	// Message is memory for encoding opened values. Callers may reuse it for the next proof's script.
	Message []byte
}

// NewScript absorbs the statement, the parameters and the instances.
func NewScript(t Transcript, key *Key, instances []circuit.Instance, public circuit.Public, salt uint64) *Script {
	s := &Script{transcript: t, variant: key.Params.variant()}
	s.variant.begin(t, key, instances, public, salt)
	return s
}

// NewShardScript starts the transcript of one shard.
func NewShardScript(t Transcript, key *Key, branch [32]byte, number int, salt uint64) *Script {
	s := &Script{transcript: t, variant: key.Params.variant()}
	s.variant.beginShard(t, branch, number, salt)
	return s
}

// NewTranscript creates the transcript for a label. A label of no protocol gives a transcript of protocol 2.
func NewTranscript(label string) Transcript {
	for _, v := range variants {
		if own := v.labels(); label == own.proof || label == own.shards || label == own.shard {
			return v.newTranscript(label)
		}
	}
	return transcript.New(label)
}

// Refused returns [transcript.ErrRefused] if a challenge was not an element: all later challenges are then meaningless.
// Only protocol 3 refuses challenges.
func (s *Script) Refused() error { return s.transcript.Refused() }

// elements encodes extension elements for the protocol's messages.
func (s *Script) elements(dst []byte, list []goldilocks.Extension) []byte {
	return s.variant.appendElements(dst, list)
}

// Main absorbs the main cap.
func (s *Script) Main(mainCap []merkle.Digest) {
	s.transcript.Absorb(TagMainCap, appendDigests(nil, mainCap))
}

// LogUp samples the challenges of the auxiliary columns.
func (s *Script) LogUp() LogUpChallenges {
	return LogUpChallenges{Alpha: s.transcript.Extension(), Beta: s.transcript.Extension()}
}

// Auxiliary absorbs the auxiliary cap and the claimed sums.
func (s *Script) Auxiliary(auxiliaryCap []merkle.Digest, claimed []goldilocks.Extension) {
	s.transcript.Absorb(TagAuxiliaryCap, appendDigests(nil, auxiliaryCap))
	s.transcript.Absorb(TagClaimed, s.elements(nil, claimed))
}

// Constraint samples the challenge whose powers weight the constraints.
func (s *Script) Constraint() goldilocks.Extension { return s.transcript.Extension() }

// Quotient absorbs the quotient cap and samples z.
func (s *Script) Quotient(quotientCap []merkle.Digest) goldilocks.Extension {
	s.transcript.Absorb(TagQuotientCap, appendDigests(nil, quotientCap))
	return s.variant.point(s.transcript)
}

// Openings absorbs all opened values and samples a DEEP coefficient for each, in the same order.
func (s *Script) Openings(openings Openings) (coefficients Openings) {
	coefficients, _ = s.Deep(openings).Draw()
	return coefficients
}

// Deep absorbs all opened values. The DEEP coefficients are sampled on demand.
func (s *Script) Deep(openings Openings) *coefficients {
	c := &coefficients{script: s, like: openings}
	for _, tables := range openings {
		for _, table := range tables {
			c.count += len(table.Current) + len(table.Next)
		}
	}
	message := slices.Grow(s.Message[:0], transcript.ItemBytes*c.count)
	for _, tables := range openings {
		for _, table := range tables {
			message = s.elements(message, table.Current)
			message = s.elements(message, table.Next)
		}
	}
	s.transcript.Absorb(TagOpenings, message)
	s.Message = message
	state, drawn := s.transcript.Stream()
	c.state, c.fresh = state, drawn == 0
	return c
}

// coefficients are the DEEP coefficients that a transcript samples next.
type coefficients struct {
	script *Script
	like   Openings // openings of the same shape
	count  int
	state  [32]byte
	fresh  bool // whether they start at the first word of the state
}

var _ Coefficients = (*coefficients)(nil)

func (c *coefficients) Stream() (state [32]byte, ok bool) { return c.state, c.fresh }

func (c *coefficients) Draw() (all Openings, passed bool) {
	values := c.script.extensions(c.count)
	next := func(n int) (some []goldilocks.Extension) {
		some, values = values[:n:n], values[n:]
		return some
	}
	for phase, tables := range c.like {
		for _, table := range tables {
			all[phase] = append(all[phase], Opened{Current: next(len(table.Current)), Next: next(len(table.Next))})
		}
	}
	_, drawn := c.script.transcript.Stream()
	return all, drawn != uint64(c.count)*ExtensionDegree || c.script.Refused() != nil
}

func (s *Script) extensions(n int) []goldilocks.Extension {
	values := make([]goldilocks.Extension, n)
	for i := range values {
		values[i] = s.transcript.Extension()
	}
	return values
}

// Layer absorbs the cap of an FRI layer and samples its folding challenge.
func (s *Script) Layer(layerCap []merkle.Digest) goldilocks.Extension {
	s.transcript.Absorb(TagLayerCap, appendDigests(nil, layerCap))
	return s.transcript.Extension()
}

// Final absorbs the final polynomial and returns the seed for grinding.
func (s *Script) Final(coefficients []goldilocks.Extension) [32]byte {
	s.transcript.Absorb(TagFinal, s.elements(nil, coefficients))
	return s.transcript.GrindingSeed()
}

// Nonce absorbs the nonce.
func (s *Script) Nonce(nonce uint64) {
	s.transcript.Absorb(TagNonce, s.variant.appendNonce(nil, nonce))
}

// Positions samples the queries, with replacement.
func (s *Script) Positions(queries, logSize int) []uint64 {
	positions := make([]uint64, queries)
	for i := range positions {
		positions[i] = s.transcript.Position(logSize)
	}
	return positions
}
