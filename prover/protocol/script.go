package protocol

import (
	"encoding/binary"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// The labels name the protocol in a transcript's first state: of a proof, of what shards have in common, and of a
// shard.
const (
	Label       = "chiasmus.stark/2"
	LabelShards = "chiasmus.shards/2"
	LabelShard  = "chiasmus.shard/2"

	// Those of protocol 3 tell transcripts apart in tests only: each starts with BLAKE3's initial chaining value.
	Label3       = "chiasmus.stark/3"
	LabelShards3 = "chiasmus.shards/3"
	LabelShard3  = "chiasmus.shard/3"
)

// labels are the names of the transcripts of a protocol.
type labels struct{ proof, shards, shard string }

func (p Params) labels() labels {
	if p.Hash == merkle.Blake3 {
		return labels{Label3, LabelShards3, LabelShard3}
	}
	return labels{Label, LabelShards, LabelShard}
}

// ProofLabel is the label of the transcript of a whole proof.
func (p Params) ProofLabel() string { return p.labels().proof }

// ShardLabel is the label of a shard's transcript.
func (p Params) ShardLabel() string { return p.labels().shard }

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

// The tags of protocol 3's messages that are not protocol 2's. The others are the same.
const (
	tagPlan      = 0x01 // with the key, or the key with the program
	tagStatement = 0x02
	tagSalt      = 0x03
	tagSpan      = 0x04
	tagNumber    = 0x11
)

// Transcript is what the protocol needs of Fiat-Shamir. It is an interface so
// that tests can put a prover on a transcript that draws a challenge too early
// and show that the verifier, which always makes its own, rejects the proof.
type Transcript interface {
	Absorb(tag byte, message []byte)
	Extension() goldilocks.Extension
	Position(bits int) uint64
	GrindingSeed() [32]byte
	Branch() [32]byte
}

// script is the transcript step by step: the only place that says what is
// absorbed before which challenge. Prover and verifier both go through it.
type Script struct {
	transcript Transcript
	chained    bool // protocol 3's messages
	// Message is memory for the encoding of opened values: who makes several proofs hands it from one to the next.
	Message []byte
}

// newScript absorbs the statement and how it is to be proven.
func NewScript(t Transcript, key *Key, instances []circuit.Instance, public circuit.Public, salt uint64) *Script {
	s := &Script{transcript: t, chained: key.Params.Hash == merkle.Blake3}
	if s.chained {
		t.Absorb(tagPlan, appendDigests(nil, []merkle.Digest{planDigest(key.Params, instances), key.Digest}))
		t.Absorb(tagStatement, appendDigests(nil, []merkle.Digest{key.ProgramID(), statementDigest(key.Machine, public, 1)}))
		t.Absorb(tagSalt, appendNumbers(nil, salt))
		return s
	}
	s.machine(key)
	t.Absorb(TagInstances, appendInstances(nil, instances))
	s.public(key, public)
	return s
}

// machine absorbs the parameters, the machine and the program.
func (s *Script) machine(key *Key) {
	s.transcript.Absorb(TagParams, key.Params.append(nil))
	s.transcript.Absorb(TagMachine, key.Digest[:])
	if key.Program != nil {
		id := key.ProgramID()
		s.transcript.Absorb(TagProgram, id[:])
	}
}

// public absorbs what is stated.
func (s *Script) public(key *Key, public circuit.Public) {
	s.transcript.Absorb(TagPublic, appendElements(nil, public.Values))
	if key.Machine.HasData {
		s.transcript.Absorb(TagData, public.Data)
	}
}

// newShardScript begins the transcript of one shard.
func NewShardScript(t Transcript, key *Key, branch [32]byte, number int, salt uint64) *Script {
	if key.Params.Hash == merkle.Blake3 {
		t.Absorb(TagBranch, branch[:])
		t.Absorb(tagNumber, appendNumbers(nil, uint64(number)))
		t.Absorb(tagSalt, appendNumbers(nil, salt))
		return &Script{transcript: t, chained: true}
	}
	t.Absorb(TagBranch, binary.LittleEndian.AppendUint32(branch[:], uint32(number)))
	return &Script{transcript: t}
}

// newTranscript is the real one, from its label.
func NewTranscript(label string) Transcript {
	switch label {
	case Label3, LabelShards3, LabelShard3:
		return NewChained()
	}
	return transcript.New(label)
}

// commonChained absorbs what protocol 3's shards have in common.
func (s *Script) commonChained(key *Key, public circuit.Public, shards []Commitment, salt uint64) {
	root, span := shardsRoot(key.Params, shards)
	statement := statementDigest(key.Machine, public, len(shards))
	s.transcript.Absorb(tagPlan, appendDigests(nil, []merkle.Digest{key.Digest, key.ProgramID()}))
	s.transcript.Absorb(tagStatement, appendDigests(nil, []merkle.Digest{statement, root}))
	s.transcript.Absorb(tagSpan, appendNumbers(nil, uint64(len(shards)), uint64(span)))
	s.transcript.Absorb(tagSalt, appendNumbers(nil, salt))
}

// Refused is [transcript.ErrRefused] if a challenge was no element: what was drawn since means nothing. Only
// protocol 3 refuses any.
func (s *Script) Refused() error {
	if t, ok := s.transcript.(interface{ Refused() error }); ok {
		return t.Refused()
	}
	return nil
}

// elements encodes extension elements as the protocol's messages have them.
func (s *Script) elements(dst []byte, list []goldilocks.Extension) []byte {
	if s.chained {
		return appendItems(dst, list)
	}
	return appendExtensions(dst, list)
}

// main absorbs the main cap.
func (s *Script) Main(mainCap []merkle.Digest) {
	s.transcript.Absorb(TagMainCap, appendDigests(nil, mainCap))
}

// logUp draws the challenges of the auxiliary columns.
func (s *Script) LogUp() LogUpChallenges {
	return LogUpChallenges{Alpha: s.transcript.Extension(), Beta: s.transcript.Extension()}
}

// auxiliary absorbs the auxiliary cap and every claimed sum.
func (s *Script) Auxiliary(auxiliaryCap []merkle.Digest, claimed []goldilocks.Extension) {
	s.transcript.Absorb(TagAuxiliaryCap, appendDigests(nil, auxiliaryCap))
	s.transcript.Absorb(TagClaimed, s.elements(nil, claimed))
}

// constraint draws the challenge whose powers weigh the constraints.
func (s *Script) Constraint() goldilocks.Extension { return s.transcript.Extension() }

// quotient absorbs the quotient cap and draws z, again while it lies in Fp:
// there, on the coset or on the trace domain a division could be by zero. Protocol 3 draws once, and refuses proofs
// that divide by zero.
func (s *Script) Quotient(quotientCap []merkle.Digest) goldilocks.Extension {
	s.transcript.Absorb(TagQuotientCap, appendDigests(nil, quotientCap))
	for {
		if z := s.transcript.Extension(); s.chained || !z.IsBase() {
			return z
		}
	}
}

// openings absorbs all opened values and draws a DEEP coefficient for each, in
// the same order.
func (s *Script) Openings(openings Openings) (coefficients Openings) {
	coefficients, _ = s.Deep(openings).Draw()
	return coefficients
}

// deep absorbs all opened values. A DEEP coefficient for each is drawn when it is asked for.
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
	if t, ok := s.transcript.(*transcript.Transcript); ok {
		var drawn uint64
		c.state, drawn = t.Stream()
		c.fresh = drawn == 0
	}
	return c
}

// coefficients are the DEEP coefficients that a transcript draws next.
type coefficients struct {
	script *Script
	like   Openings // of their shape
	count  int
	state  [32]byte
	fresh  bool // whether they are the first words of the state
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
	if t, ok := c.script.transcript.(*transcript.Transcript); ok {
		_, drawn := t.Stream()
		passed = drawn != uint64(c.count)*ExtensionDegree
	}
	return all, passed
}

func (s *Script) extensions(n int) []goldilocks.Extension {
	values := make([]goldilocks.Extension, n)
	for i := range values {
		values[i] = s.transcript.Extension()
	}
	return values
}

// layer absorbs the cap of an FRI layer and draws the challenge that folds it.
func (s *Script) Layer(layerCap []merkle.Digest) goldilocks.Extension {
	s.transcript.Absorb(TagLayerCap, appendDigests(nil, layerCap))
	return s.transcript.Extension()
}

// final absorbs the final polynomial and returns the seed for grinding.
func (s *Script) Final(coefficients []goldilocks.Extension) [32]byte {
	s.transcript.Absorb(TagFinal, s.elements(nil, coefficients))
	return s.transcript.GrindingSeed()
}

// nonce absorbs the nonce.
func (s *Script) Nonce(nonce uint64) {
	if s.chained {
		s.transcript.Absorb(TagNonce, appendNumbers(nil, nonce))
		return
	}
	s.transcript.Absorb(TagNonce, binary.LittleEndian.AppendUint64(nil, nonce))
}

// positions draws the queries, with replacement.
func (s *Script) Positions(queries, logSize int) []uint64 {
	positions := make([]uint64, queries)
	for i := range positions {
		positions[i] = s.transcript.Position(logSize)
	}
	return positions
}
