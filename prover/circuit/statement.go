package circuit

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/sha256"
)

// Claims says what the proofs of a machine claim. A verifier needs no more.
type Claims interface {
	// Machine is the machine made for this program.
	Machine() *Machine

	// Size is the number of units that a proof of these public values and
	// instances claims.
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

// statementVersion is the first line of every statement. Machines with public data have a newer version.
func statementVersion(m *Machine) string {
	if m.HasData {
		return "chiasmus.statement/2"
	}
	return "chiasmus.statement/1"
}

// ExactStatementText is the canonical text of what a proof claims, public
// values included.
func ExactStatementText(c Claims, public Public, size int) string {
	m := c.Machine()
	return strings.Join([]string{statementVersion(m), "machine " + m.Name, c.Claim(public, size), ""}, "\n")
}

// ClassStatementText is the canonical text of what all proofs of one size have in common. For a machine that is made
// for a program it is what all proofs of the program have in common, because their sizes depend on the input.
func ClassStatementText(c Claims, size int) string {
	m := c.Machine()
	if m.HasProgram() {
		return strings.Join([]string{statementVersion(m), "machine " + m.Name, fmt.Sprintf("program %x", m.Program.Digest),
			""}, "\n")
	}
	return strings.Join([]string{statementVersion(m), "machine " + m.Name, fmt.Sprintf("size %d %s", size, m.Unit), ""},
		"\n")
}

// ExactStatement is the SHA-256 of the exact statement's text.
func ExactStatement(c Claims, public Public, size int) [32]byte {
	return sha256.Sum256([]byte(ExactStatementText(c, public, size)))
}

// ClassStatement is the SHA-256 of the class statement's text.
func ClassStatement(c Claims, size int) [32]byte {
	return sha256.Sum256([]byte(ClassStatementText(c, size)))
}
