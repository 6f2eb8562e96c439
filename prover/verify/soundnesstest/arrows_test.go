package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// early is a transcript on which one message is absorbed only after the challenges that must bind it, so a prover could
// choose the message after seeing them.
type early struct {
	protocol.Transcript
	tag    byte
	number int // which message of that tag
	kept   []byte
	held   bool // until the first message after
	drawn  bool // a challenge without it
}

func (e *early) Absorb(tag byte, message []byte) {
	if e.held && e.drawn { // after the challenge
		e.held = false
		e.Transcript.Absorb(e.tag, e.kept)
	}
	if tag == e.tag {
		if e.number--; e.number == -1 {
			e.kept, e.held = append([]byte(nil), message...), true
			return
		}
	}
	e.Transcript.Absorb(tag, message)
}

func (e *early) Extension() goldilocks.Extension {
	e.drawn = e.held
	return e.Transcript.Extension()
}

func (e *early) Position(bits int) uint64 {
	e.drawn = e.held
	return e.Transcript.Position(bits)
}

func (e *early) GrindingSeed() [32]byte {
	e.drawn = e.held
	return e.Transcript.GrindingSeed()
}

// For each arrow of the transcript order, a prover samples its challenge before it absorbs the message on the arrow's
// left. Only the challenge differs, so the first check that uses it fails.
func TestChallengesBindWhatCameBefore(t *testing.T) {
	for _, tc := range []struct {
		message string
		tag     byte
		number  int
		by      []verify.Check
	}{
		{"parameters", protocol.TagParams, 0, []verify.Check{verify.CheckSums}},
		{"machine digest", protocol.TagMachine, 0, []verify.Check{verify.CheckSums}},
		{"instances", protocol.TagInstances, 0, []verify.Check{verify.CheckSums}},
		{"public values", protocol.TagPublic, 0, []verify.Check{verify.CheckSums}},
		{"main cap -> LogUp challenges", protocol.TagMainCap, 0, []verify.Check{verify.CheckSums}},
		{"auxiliary cap -> constraint challenge", protocol.TagAuxiliaryCap, 0, []verify.Check{verify.CheckQuotient}},
		{"claimed sums -> constraint challenge", protocol.TagClaimed, 0, []verify.Check{verify.CheckQuotient}},
		{"quotient cap -> z", protocol.TagQuotientCap, 0, []verify.Check{verify.CheckQuotient}},
		{"opened values -> DEEP coefficients", protocol.TagOpenings, 0, []verify.Check{verify.CheckNonce}},
		{"first FRI cap -> its fold challenge", protocol.TagLayerCap, 0, []verify.Check{verify.CheckNonce}},
		{"second FRI cap -> its fold challenge", protocol.TagLayerCap, 1, []verify.Check{verify.CheckNonce}},
		{"final polynomial -> grinding seed", protocol.TagFinal, 0, []verify.Check{verify.CheckNonce}},
		{"nonce -> positions", protocol.TagNonce, 0, []verify.Check{verify.CheckOpenings}},
	} {
		t.Run(tc.message, func(t *testing.T) {
			used := false
			l := lie{transcript: func(string) protocol.Transcript {
				used = true
				return &early{Transcript: transcript.New(protocol.Label), tag: tc.tag, number: tc.number}
			}}
			l.caught(t, tc.by...)
			if !used {
				t.Error("the prover did not use the transcript it was given")
			}
		})
	}
}

// ignoring never absorbs one of the messages.
type ignoring struct {
	protocol.Transcript
	tag byte
}

func (i ignoring) Absorb(tag byte, message []byte) {
	if tag != i.tag {
		i.Transcript.Absorb(tag, message)
	}
}

// Each message of a proof or a statement is bound: a prover that omits it samples other challenges than the verifier.
func TestEveryMessageIsAbsorbed(t *testing.T) {
	for tag := byte(protocol.TagParams); tag <= protocol.TagNonce; tag++ {
		proof, key := lie{transcript: func(string) protocol.Transcript {
			return ignoring{transcript.New(protocol.Label), tag}
		}}.prove(t)
		if err := verify.Proof(proof, key); err == nil {
			t.Errorf("a prover that never absorbs message %#x is believed", tag)
		}
	}
}

// Another label is another protocol.
func TestLabel(t *testing.T) {
	lie{transcript: func(string) protocol.Transcript { return transcript.New("chiasmus.stark/0") }}.caught(t,
		verify.CheckSums)
}

// constantZ samples a chosen point.
type constantZ struct {
	protocol.Transcript
	draws, at int
	value     goldilocks.Extension
}

func (c *constantZ) Extension() goldilocks.Extension {
	drawn := c.Transcript.Extension()
	if c.draws++; c.draws == c.at {
		return c.value
	}
	return drawn
}

// A prover that chooses z does not use the verifier's z.
func TestChosenPoint(t *testing.T) {
	const z = 4 // after alpha, beta and the constraint challenge
	lie{transcript: func(string) protocol.Transcript {
		return &constantZ{Transcript: transcript.New(protocol.Label), at: z, value: goldilocks.Extension{3, 1}}
	}}.caught(t, verify.CheckQuotient)
}
