package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Scope is the lifetime of a stage's buffers: they are returned when the scope ends, unless moved to another scope.
type Scope struct {
	arena   *Arena
	name    string
	buffers map[*Buffer]bool
	ended   bool
}

// Scope starts a scope.
func (a *Arena) Scope(name string) *Scope {
	return &Scope{arena: a, name: name, buffers: map[*Buffer]bool{}}
}

// Take allocates a buffer of size bytes with undefined contents. If it does not fit, the error is a [*BudgetError] with
// all figures.
func (s *Scope) Take(name string, size uint64) (*Buffer, error) {
	if s.ended {
		return nil, fmt.Errorf("taking %s: scope %s has ended", name, s.name)
	}
	b, err := s.arena.take(s, name, size)
	if err == nil {
		s.buffers[b] = true
	}
	return b, err
}

// Move transfers a buffer to another scope of the same arena.
func (s *Scope) Move(b *Buffer, to *Scope) error {
	switch {
	case b.returned != "":
		return &LifetimeError{Verb: "move", Buffer: b.name, Returned: b.returned}
	case b.scope != s:
		return fmt.Errorf("moving %s: it is not in scope %s", b.name, s.name)
	case to.arena != s.arena || to.ended:
		return fmt.Errorf("moving %s: scope %s has ended or is another arena's", b.name, to.name)
	}
	delete(s.buffers, b)
	to.buffers[b] = true
	b.scope = to
	return nil
}

// End returns every buffer of the scope. A second End does nothing.
func (s *Scope) End() error {
	s.ended = true
	buffers := make([]*Buffer, 0, len(s.buffers))
	for b := range s.buffers {
		buffers = append(buffers, b)
	}
	slices.SortFunc(buffers, func(a, b *Buffer) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.name, b.name))
	})
	var err error
	for _, b := range buffers {
		err = errors.Join(err, s.arena.giveBack(b, "the end of scope "+s.name))
	}
	return err
}
