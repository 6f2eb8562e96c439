package backend

import "fmt"

// Owned is a handle that knows its context: a backend's own type C, and its zero value once the handle was consumed or released.
type Owned[C comparable] interface {
	Handle
	Owner() C
}

// Own is a handle as the type that its backend gave it, if it is valid in a context. what says in errors what it was to be.
func Own[H Owned[C], C comparable](context C, what string, handle Handle) (own H, err error) {
	own, ok := handle.(H)
	if !ok {
		return own, fmt.Errorf("%s %T: %w", what, handle, ErrForeignHandle)
	}
	var released C
	switch own.Owner() {
	case context:
		return own, nil
	case released:
		return own, fmt.Errorf("%s: %w", what, ErrReleased)
	default:
		return own, fmt.Errorf("%s: %w", what, ErrForeignHandle)
	}
}

// OwnCommitments is Own for all phases. Absent commitments stay nil.
func OwnCommitments[H Owned[C], C comparable](context C, committed Commitments) (own [PhaseCount]H, err error) {
	for phase, handle := range committed {
		if handle == nil {
			continue
		}
		if own[phase], err = Own[H](context, Phase(phase).String()+" commitment", handle); err != nil {
			return own, err
		}
	}
	return own, nil
}
