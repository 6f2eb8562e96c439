package protocol

import "fmt"

// Phase is one commitment of a proof. Phases are opened and queried in the order of their values.
type Phase uint8

// The phases in protocol order.
const (
	Fixed   Phase = iota // preprocessed columns of the machine
	Program              // preprocessed columns of the program
	Main
	Auxiliary
	Quotient
	PhaseCount = 5
)

var phaseNames = [PhaseCount]string{"fixed", "program", "main", "auxiliary", "quotient"}

func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return fmt.Sprintf("phase %d", uint8(p))
}
