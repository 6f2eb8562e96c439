package circuit

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/sha256"
)

// Claims describes what the proofs of a machine claim. It is all that a verifier needs.
type Claims interface {
	// Machine returns the machine, made for a program if it runs programs.
	Machine() *Machine

	// Size returns the number of units that a proof of these public values and instances claims.
	Size(public Public, instances []Instance) (int, error)

	// Claim states, in one canonical text, what a proof of this size with
	// these public values claims. It names no layout and no parameters.
	Claim(public Public, size int) string

	// Describe lists the public values as people read them.
	Describe(public Public) []Field
}

// Field is one public value for people.
type Field struct {
	Name  string // as flags and JSON give it: "digest", "length"
	Value string
}

// statementVersion returns the first line of every statement. Machines with public data have a newer version.
func statementVersion(m *Machine) string {
	if m.HasData {
		return "chiasmus.statement/2"
	}
	return "chiasmus.statement/1"
}

// ExactStatementText returns the canonical text of a proof's claim, including the public values.
func ExactStatementText(c Claims, public Public, size int) string {
	m := c.Machine()
	return strings.Join([]string{statementVersion(m), "machine " + m.Name, c.Claim(public, size), ""}, "\n")
}

// ClassStatementText returns the canonical text that all proofs of one size share. For a machine that is made for a
// program, all proofs of the program share it, because their sizes depend on the input.
func ClassStatementText(c Claims, size int) string {
	m := c.Machine()
	if m.HasProgram() {
		return strings.Join([]string{statementVersion(m), "machine " + m.Name, fmt.Sprintf("program %x", m.Program.Digest),
			""}, "\n")
	}
	return strings.Join([]string{statementVersion(m), "machine " + m.Name, fmt.Sprintf("size %d %s", size, m.Unit), ""},
		"\n")
}

// ExactStatement returns the SHA-256 of the exact statement's text.
func ExactStatement(c Claims, public Public, size int) [32]byte {
	return sha256.Sum256([]byte(ExactStatementText(c, public, size)))
}

// ClassStatement returns the SHA-256 of the class statement's text.
func ClassStatement(c Claims, size int) [32]byte {
	return sha256.Sum256([]byte(ClassStatementText(c, size)))
}
