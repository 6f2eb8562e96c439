package backendtest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Case is a backend under test, and executions that it proves: of one machine, by size.
type Case struct {
	Backend   backend.Backend
	Reference backend.Backend // computes what Backend has to compute
	Fillers   *machine.Fillers
	Execute   func(size int) (machine.Execution, error)
	Sizes     [2]int // two sizes whose executions have different instances
	Params    protocol.Params
}

// Check is one property of a backend.
type Check struct {
	Name string
	// Holds returns an error that says what the backend does wrong. It leaves no proof or prover open.
	Holds func(c *Case) error
}

// Checks returns all checks. A backend that passes them can replace the reference.
func Checks() []Check {
	return []Check{
		{"stages return what the reference's return", stagesAreEqual},
		{"other parameters", otherLayouts},
		{"proofs are equal byte for byte", proofsAreEqual},
		{"written files are equal byte for byte", filesAreEqual},
		{"proofs follow one another", proofsFollow},
		{"one proof is open at a time", oneProofIsOpen},
		{"memory is limited", memoryIsLimited},
		{"executions have the proof's instances", otherInstances},
		{"messages without a row are found", missesAreFound},
		{"denominators of zero are found", zerosAreFound},
		{"a plan is needed for every layer", layersArePlanned},
		{Records, recordsArrive},
		{"changes of columns arrive", changesArrive},
		{"recordings are complete", recordings},
	}
}

// Records is the name of the check of the ways in which records reach a device. For a machine with derived or growing
// records, it is worth running alone.
const Records = "records arrive in any way"

// Run checks a backend, each check in a subtest: all of them, or those with the given names.
func Run(t *testing.T, c Case, names ...string) {
	for _, check := range Checks() {
		if names != nil && !slices.Contains(names, check.Name) {
			continue
		}
		t.Run(check.Name, func(t *testing.T) {
			if err := check.Holds(&c); err != nil {
				t.Error(err)
			}
		})
	}
}

// opened calls use with a prover of the backend, and then closes the prover.
func (c *Case) opened(b backend.Backend, layout protocol.Layout, use func(p backend.Prover) error) error {
	p, err := b.Open(c.Fillers, layout, backend.Budget{})
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	return errors.Join(use(p), p.Close())
}

// walked takes one proof of each size through its stages. It returns the caps of the preprocessed columns, followed by
// what the stages return.
func (c *Case) walked(b backend.Backend, layout protocol.Layout, sizes ...int) (noted []returned, err error) {
	err = c.opened(b, layout, func(p backend.Prover) error {
		fixed, program := p.Caps()
		noted = append(noted, returned{"Caps", [][]merkle.Digest{fixed, program}})
		for _, size := range sizes {
			execution, err := c.Execute(size)
			if err != nil {
				return err
			}
			w := newWalk(c.Fillers, execution, layout)
			if err := w.take(p, execution); err != nil {
				return err
			}
			noted = append(noted, w.noted...)
		}
		return nil
	})
	return noted, err
}

// compare returns an error that names the first stage whose results differ between the backend and the reference.
func (c *Case) compare(layout protocol.Layout, sizes ...int) error {
	want, err := c.walked(c.Reference, layout, sizes...)
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	got, err := c.walked(c.Backend, layout, sizes...)
	if err != nil {
		return err
	}
	for i := range min(len(want), len(got)) {
		// As text an empty list and none are equal.
		if want[i].stage != got[i].stage || fmt.Sprint(want[i].value) != fmt.Sprint(got[i].value) {
			return fmt.Errorf("%s (parameters %+v): it returns other values than the reference", got[i].stage, layout)
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("it returns %d values, the reference %d", len(got), len(want))
	}
	return nil
}

// smallest checks that a nonce passes, that no smaller nonce does, and that hashes is the number of nonces tried.
func smallest(hash merkle.Hash, seed [32]byte, bits int, nonce, hashes uint64) error {
	passes := func(nonce uint64) bool { return protocol.GrindingOf(hash).Passes(seed, nonce, bits) }
	for smaller := range nonce {
		if passes(smaller) {
			return fmt.Errorf("Grind: it returns nonce %d, but %d passes", nonce, smaller)
		}
	}
	if !passes(nonce) || hashes != nonce+1 {
		return fmt.Errorf("Grind: nonce %d passes: %t; %d hashes, want %d", nonce, passes(nonce), hashes, nonce+1)
	}
	return nil
}
