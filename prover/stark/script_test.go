package stark

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// scripted draws what somebody wrote down.
type scripted struct {
	Transcript
	draws    []goldilocks.Extension
	absorbed []byte // tags
}

func (s *scripted) Absorb(tag byte, _ []byte) { s.absorbed = append(s.absorbed, tag) }

func (s *scripted) Extension() goldilocks.Extension {
	drawn := s.draws[0]
	s.draws = s.draws[1:]
	return drawn
}

// z is drawn again while it lies in Fp, where all domains are, and nothing is absorbed in between.
func TestPointIsOutsideTheBaseField(t *testing.T) {
	for _, want := range []goldilocks.Extension{{3, 1}, {0, 0, 1}, {1, 0, goldilocks.Element(goldilocks.Modulus - 1)}} {
		transcript := &scripted{draws: []goldilocks.Extension{{}, {1}, {goldilocks.Generator}, {goldilocks.RootOfUnity(5)}, want, {9, 9, 9}}}
		s := &script{transcript}
		if got := s.quotient(nil); got != want {
			t.Errorf("z is %v, want %v", got, want)
		}
		if !slices.Equal(transcript.absorbed, []byte{TagQuotientCap}) || len(transcript.draws) != 1 {
			t.Errorf("absorbed %x, %d draws are left", transcript.absorbed, len(transcript.draws))
		}
	}
}
