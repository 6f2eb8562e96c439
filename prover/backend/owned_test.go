package backend_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
)

// owner stands for a backend's context, and tree and other for two types of its handles.
type owner struct{ name string }

type held struct{ context *owner }

func (h *held) Owner() *owner { return h.context }
func (*held) Bytes() uint64   { return 0 }
func (*held) IsTree()         {}
func (*held) IsCommitment()   {}

type tree struct{ held }
type other struct{ held }

func TestOwn(t *testing.T) {
	context := &owner{"this"}
	valid := &tree{held{context}}
	if own, err := backend.Own[*tree](context, "tree", valid); own != valid || err != nil {
		t.Errorf("%v, %v, want the handle", own, err)
	}
	for name, test := range map[string]struct {
		handle backend.Handle
		want   error
	}{
		"released":        {&tree{}, backend.ErrReleased},
		"another context": {&tree{held{&owner{"another"}}}, backend.ErrForeignHandle},
		"another type":    {&other{held{context}}, backend.ErrForeignHandle},
		"nil":             {nil, backend.ErrForeignHandle},
	} {
		_, err := backend.Own[*tree](context, "a tree", test.handle)
		if !errors.Is(err, test.want) || !strings.HasPrefix(err.Error(), "a tree") {
			t.Errorf("%s: %v, want %v that names it", name, err, test.want)
		}
	}
}

func TestOwnCommitments(t *testing.T) {
	context := &owner{"this"}
	main := &tree{held{context}}
	own, err := backend.OwnCommitments[*tree](context, backend.Commitments{backend.Main: main})
	if err != nil || own[backend.Main] != main || own[backend.Auxiliary] != nil {
		t.Errorf("%v, %v, want the main commitment alone", own, err)
	}
	_, err = backend.OwnCommitments[*tree](context, backend.Commitments{backend.Main: main, backend.Quotient: &tree{}})
	if !errors.Is(err, backend.ErrReleased) || !strings.Contains(err.Error(), backend.Quotient.String()) {
		t.Errorf("%v, want %v that names the phase", err, backend.ErrReleased)
	}
}
