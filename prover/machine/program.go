package machine

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Program is a machine with its inputs and claims.
type Program interface {
	Machine() *Machine

	// Input makes a witness from the bytes of an input file. Every table gets
	// at least 2^minLogHeight rows.
	Input(data []byte, minLogHeight int) (Witness, error)

	// Synthetic makes a witness of size units, drawn from the seed.
	Synthetic(size int, seed uint64, minLogHeight int) (Witness, error)

	// LogHeights are the heights of the tables for a size.
	LogHeights(size, minLogHeight int) ([]int, error)

	// Size is the number of units that a proof with these public values and
	// heights claims.
	Size(public []goldilocks.Element, logHeights []int) (int, error)

	// Claim states, in one canonical text, what a proof of this size with
	// these public values claims. It names no layout and no parameters.
	Claim(public []goldilocks.Element, size int) string

	// Describe lists the public values as people read them.
	Describe(public []goldilocks.Element) []Field
}

// Field is one public value in words.
type Field struct {
	Name  string // as flags and JSON give it: "digest", "length"
	Value string
}

// statementVersion opens every statement text.
const statementVersion = "chiasmus.statement/1"

// ExactStatementText is the canonical text of what a proof claims, public
// values included.
func ExactStatementText(p Program, public []goldilocks.Element, size int) string {
	return strings.Join([]string{statementVersion, "machine " + p.Machine().Name, p.Claim(public, size), ""}, "\n")
}

// ClassStatementText is the canonical text of what all proofs of one size have
// in common.
func ClassStatementText(p Program, size int) string {
	m := p.Machine()
	return strings.Join([]string{statementVersion, "machine " + m.Name, fmt.Sprintf("size %d %s", size, m.Unit), ""}, "\n")
}

// ExactStatement is the SHA-256 of the exact statement's text.
func ExactStatement(p Program, public []goldilocks.Element, size int) [32]byte {
	return sha256.Sum256([]byte(ExactStatementText(p, public, size)))
}

// ClassStatement is the SHA-256 of the class statement's text.
func ClassStatement(p Program, size int) [32]byte {
	return sha256.Sum256([]byte(ClassStatementText(p, size)))
}
