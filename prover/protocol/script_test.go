package protocol

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// scripted is a transcript with predetermined challenges.
type scripted struct {
	Transcript
	draws    []goldilocks.Extension
	absorbed []byte // tags
}

func (s *scripted) Absorb(tag byte, _ []byte) { s.absorbed = append(s.absorbed, tag) }

// Stream reports that a word was sampled: no state determines scripted challenges.
func (s *scripted) Stream() (state [32]byte, drawn uint64) { return state, 1 }

func (s *scripted) Extension() goldilocks.Extension {
	drawn := s.draws[0]
	s.draws = s.draws[1:]
	return drawn
}

// z is sampled again while it lies in Fp, which contains all domains, and nothing is absorbed in between.
func TestPointIsOutsideTheBaseField(t *testing.T) {
	for _, want := range []goldilocks.Extension{{3, 1}, {0, 0, 1}, {1, 0, goldilocks.Element(goldilocks.Modulus - 1)}} {
		transcript := &scripted{draws: []goldilocks.Extension{{}, {1}, {goldilocks.Generator}, {goldilocks.RootOfUnity(5)},
			want, {9, 9, 9}}}
		s := &Script{transcript: transcript, variant: new(protocol2)}
		if got := s.Quotient(nil); got != want {
			t.Errorf("z is %v, want %v", got, want)
		}
		if !slices.Equal(transcript.absorbed, []byte{TagQuotientCap}) || len(transcript.draws) != 1 {
			t.Errorf("absorbed %x, %d draws are left", transcript.absorbed, len(transcript.draws))
		}
	}
}

// Stream returns the state from which DEEP's coefficients are sampled; another kind of transcript has none. Draw
// reports words that were skipped.
func TestStreamOfCoefficients(t *testing.T) {
	openings := Openings{Main: {{Current: make([]goldilocks.Extension, 5)}, {}},
		Quotient: {{Current: make([]goldilocks.Extension, 2), Next: make([]goldilocks.Extension, 1)}}}
	begin := func() (*transcript.Transcript, *coefficients) {
		real := transcript.New("coefficients")
		return real, (&Script{transcript: real, variant: new(protocol2)}).Deep(openings)
	}
	real, c := begin()
	state, ok := c.Stream()
	if want, _ := real.Stream(); !ok || state != want {
		t.Errorf("the stream is of state %x, %v, want %x", state, ok, want)
	}
	all, passed := c.Draw()
	if passed || len(all[Main][0].Current) != 5 || len(all[Quotient][0].Next) != 1 {
		t.Errorf("drew %v, and passed over words: %v", all, passed)
	}
	real, c = begin()
	real.Position(1)
	if _, passed := c.Draw(); !passed {
		t.Error("a word was skipped, and the script did not report it")
	}
	if _, ok := (&Script{transcript: &scripted{}, variant: new(protocol2)}).Deep(openings).Stream(); ok {
		t.Error("a stream of another transcript")
	}
}
