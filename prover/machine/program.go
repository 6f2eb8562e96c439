package machine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Program is a machine with its inputs and claims.
type Program interface {
	// Machine is the machine made for this program.
	Machine() *Machine

	// Execute runs the program on an input. Cancelling the context ends a long run.
	Execute(ctx context.Context, input Input) (Execution, error)

	// Size is the number of units that a proof of these public values and
	// instances claims.
	Size(public Public, instances []Instance) (int, error)

	// Claim states, in one canonical text, what a proof of this size with
	// these public values claims. It names no layout and no parameters.
	Claim(public Public, size int) string

	// Describe lists the public values as people read them.
	Describe(public Public) []Field
}

// Estimator is a program that knows the instances of a size before it executes.
type Estimator interface {
	Estimate(size, minLogHeight int) ([]Instance, error)
}

// Scaler is a program that knows what a run takes that does the same as another, for longer or shorter.
type Scaler interface {
	// Scale is the instances of a run of `to` units, by those of one of `from`.
	Scale(instances []Instance, from, to uint64, minLogHeight int) ([]Instance, error)
}

// Planner is a program that finds what a proof of an input takes by a run that keeps nothing.
type Planner interface {
	// Plan is what Execute's execution says of its instances and its statement, but that parts of the public data that
	// are no part of the claim may be zero.
	Plan(ctx context.Context, input Input) ([]Instance, Public, error)
}

// Input is what a program runs on: the bytes of a file, or something drawn from a seed.
type Input struct {
	Data   []byte // nil: draw Size units from the seed
	Public []byte // bytes that the proof states; nil where the machine has no public data

	Size int
	Seed uint64

	// Of what sizes count, at which a program that has not ended is given up; 0 for the machine's own.
	Limit    uint64
	Progress func(uint64) // told now and then how much more of a planning run has passed; nil tells nobody

	// Foretell lets an execution be handed over with the instances of the one before, while it goes on: see [Foretold].
	Foretell bool

	MinLogHeight int // every instance gets at least 2^MinLogHeight rows
	Pool         *parallel.Pool
}

// Synthetic reports whether the input is to be drawn.
func (i *Input) Synthetic() bool { return i.Data == nil }

// Field is one public value in words.
type Field struct {
	Name  string // as flags and JSON give it: "digest", "length"
	Value string
}

// statementVersion opens every statement text: machines with public data came later.
func statementVersion(m *Machine) string {
	if m.HasData {
		return "chiasmus.statement/2"
	}
	return "chiasmus.statement/1"
}

// ExactStatementText is the canonical text of what a proof claims, public
// values included.
func ExactStatementText(p Program, public Public, size int) string {
	m := p.Machine()
	return strings.Join([]string{statementVersion(m), "machine " + m.Name, p.Claim(public, size), ""}, "\n")
}

// ClassStatementText is the canonical text of what all proofs of one size have
// in common; with a machine that is made for a program, what all proofs of that have, whose sizes depend on the input.
func ClassStatementText(p Program, size int) string {
	m := p.Machine()
	if m.HasProgram() {
		return strings.Join([]string{statementVersion(m), "machine " + m.Name, fmt.Sprintf("program %x", m.Program.Digest),
			""}, "\n")
	}
	return strings.Join([]string{statementVersion(m), "machine " + m.Name, fmt.Sprintf("size %d %s", size, m.Unit), ""},
		"\n")
}

// ExactStatement is the SHA-256 of the exact statement's text.
func ExactStatement(p Program, public Public, size int) [32]byte {
	return sha256.Sum256([]byte(ExactStatementText(p, public, size)))
}

// ClassStatement is the SHA-256 of the class statement's text.
func ClassStatement(p Program, size int) [32]byte {
	return sha256.Sum256([]byte(ClassStatementText(p, size)))
}
