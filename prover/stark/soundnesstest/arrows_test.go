package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/stark"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// early is a transcript on which one message is absorbed only after the challenges that must
// bind it: a prover on it could choose the message when it knows them.
type early struct {
	stark.Transcript
	tag    byte
	number int // which message of that tag
	kept   []byte
	held   bool // until the first message after
	drawn  bool // a challenge without it
}

func (e *early) Absorb(tag byte, message []byte) {
	if e.held && e.drawn { // too late for what was drawn
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

// For each arrow of the transcript order: a prover whose challenge is drawn before the message on the
// arrow's left was absorbed. Only the challenge tells, so the check that fails is the first that uses it.
func TestChallengesBindWhatCameBefore(t *testing.T) {
	for _, tc := range []struct {
		message string
		tag     byte
		number  int
		by      []stark.Check
	}{
		{"parameters", stark.TagParams, 0, []stark.Check{stark.CheckSums}},
		{"machine digest", stark.TagMachine, 0, []stark.Check{stark.CheckSums}},
		{"instances", stark.TagInstances, 0, []stark.Check{stark.CheckSums}},
		{"public values", stark.TagPublic, 0, []stark.Check{stark.CheckSums}},
		{"main cap -> LogUp challenges", stark.TagMainCap, 0, []stark.Check{stark.CheckSums}},
		{"auxiliary cap -> constraint challenge", stark.TagAuxiliaryCap, 0, []stark.Check{stark.CheckQuotient}},
		{"claimed sums -> constraint challenge", stark.TagClaimed, 0, []stark.Check{stark.CheckQuotient}},
		{"quotient cap -> z", stark.TagQuotientCap, 0, []stark.Check{stark.CheckQuotient}},
		{"opened values -> DEEP coefficients", stark.TagOpenings, 0, []stark.Check{stark.CheckNonce}},
		{"first FRI cap -> its fold challenge", stark.TagLayerCap, 0, []stark.Check{stark.CheckNonce}},
		{"second FRI cap -> its fold challenge", stark.TagLayerCap, 1, []stark.Check{stark.CheckNonce}},
		{"final polynomial -> grinding seed", stark.TagFinal, 0, []stark.Check{stark.CheckNonce}},
		{"nonce -> positions", stark.TagNonce, 0, []stark.Check{stark.CheckOpenings}},
	} {
		t.Run(tc.message, func(t *testing.T) {
			used := false
			l := lie{transcript: func(string) stark.Transcript {
				used = true
				return &early{Transcript: transcript.New(stark.Label), tag: tc.tag, number: tc.number}
			}}
			l.caught(t, tc.by...)
			if !used {
				t.Error("the prover did not use the transcript it was given")
			}
		})
	}
}

// ignoring never absorbs one message at all.
type ignoring struct {
	stark.Transcript
	tag byte
}

func (i ignoring) Absorb(tag byte, message []byte) {
	if tag != i.tag {
		i.Transcript.Absorb(tag, message)
	}
}

// Each message that a proof or a statement consists of is bound: a prover that leaves it out draws
// other challenges than the verifier.
func TestEveryMessageIsAbsorbed(t *testing.T) {
	for tag := byte(stark.TagParams); tag <= stark.TagNonce; tag++ {
		proof, key := lie{transcript: func(string) stark.Transcript {
			return ignoring{transcript.New(stark.Label), tag}
		}}.prove(t)
		if err := stark.Verify(proof, key); err == nil {
			t.Errorf("a prover that never absorbs message %#x is believed", tag)
		}
	}
}

// Another label is another protocol.
func TestLabel(t *testing.T) {
	lie{transcript: func(string) stark.Transcript { return transcript.New("chiasmus.stark/0") }}.caught(t, stark.CheckSums)
}

// constantZ draws a point that somebody chose.
type constantZ struct {
	stark.Transcript
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

// A prover that chooses z is not at the verifier's z.
func TestChosenPoint(t *testing.T) {
	const z = 4 // after alpha, beta and the constraint challenge
	lie{transcript: func(string) stark.Transcript {
		return &constantZ{Transcript: transcript.New(stark.Label), at: z, value: goldilocks.Extension{3, 1}}
	}}.caught(t, stark.CheckQuotient)
}
