package backend

import "fmt"

// Phase names one commitment of a proof. The phases are opened and queried in
// the order of their values.
type Phase uint8

// The phases in protocol order.
const (
	Preprocessed Phase = iota
	Main
	Auxiliary
	Quotient
	PhaseCount = 4
)

var phaseNames = [PhaseCount]string{"preprocessed", "main", "auxiliary", "quotient"}

func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return fmt.Sprintf("phase %d", uint8(p))
}
