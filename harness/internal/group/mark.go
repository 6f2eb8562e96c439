package group

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// markName is the variable that marks what a child starts.
const markName = "CHIASMUS_CHILD"

// newMark draws the variable of one child, NAME=VALUE, for a run or another purpose with a name. All marks have the
// same length: the size of the environment moves the stack, which moves times.
func newMark(run string) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return markName + "=" + token(run) + "." + hex.EncodeToString(random[:])
}

// token stands for the name of a run. A child need not learn where the run is kept.
func token(run string) string {
	sum := sha256.Sum256([]byte(run))
	return hex.EncodeToString(sum[:8])
}

// A Process is one that belongs to children of runs.
type Process struct {
	PID     int
	Program string
	started string   // when, by the kernel's clock: no two processes share a number and this
	tokens  []string // of its runs: where a session starts a harness, there are several
}

// Of reports whether the process belongs to a run.
func (p Process) Of(run string) bool { return slices.Contains(p.tokens, token(run)) }
