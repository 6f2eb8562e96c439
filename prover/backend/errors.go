package backend

import (
	"errors"
	"fmt"
)

var (
	// ErrReleased is wrapped by calls that are given a handle already consumed
	// or released.
	ErrReleased = errors.New("handle was already consumed or released")
	// ErrForeignHandle is wrapped by calls that are given a handle of another
	// backend, context or kind.
	ErrForeignHandle = errors.New("handle belongs to another backend or context")
	// ErrZeroDenominator is wrapped by LogUp when a fingerprint is zero: the
	// challenges hit a message of the trace, which has negligible probability.
	ErrZeroDenominator = errors.New("zero LogUp denominator")
	// ErrLookupMiss is wrapped by Count when a table sends a message to a
	// lookup bus that the lookup table does not contain.
	ErrLookupMiss = errors.New("message is not in the lookup table")
)

// MemoryError reports that a shape does not fit.
type MemoryError struct {
	NeedBytes uint64 // the predicted peak
	HaveBytes uint64 // what the backend may use
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("backend: the proof needs %d bytes of memory and %d are available", e.NeedBytes, e.HaveBytes)
}
