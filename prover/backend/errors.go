package backend

import (
	"errors"
	"fmt"
)

var (
	// ErrOrder is wrapped by stages of a proof that are called out of order, or after Close.
	ErrOrder = errors.New("stage is out of order")
	// ErrZeroDenominator is wrapped by LogUp when a fingerprint is zero: the
	// challenges hit a message of the trace, which has negligible probability.
	ErrZeroDenominator = errors.New("zero LogUp denominator")
	// ErrLookupMiss is wrapped by Count when a table sends a message to a
	// lookup bus that the lookup table does not contain.
	ErrLookupMiss = errors.New("message is not in the lookup table")
)

// MemoryError reports that a proof does not fit.
type MemoryError struct {
	NeedBytes uint64 // the predicted peak
	HaveBytes uint64 // what the backend may use
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("backend: the proof needs %d bytes of memory and %d are available", e.NeedBytes, e.HaveBytes)
}
