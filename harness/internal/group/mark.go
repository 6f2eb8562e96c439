package group

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// markName is the environment variable that marks the descendants of a child.
const markName = "CHIASMUS_CHILD"

// newMark returns the variable of one child, NAME=VALUE, for a run or another named purpose. All marks have the same
// length, because the size of the environment shifts the stack, which affects times.
func newMark(run string) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return markName + "=" + token(run) + "." + hex.EncodeToString(random[:])
}

// token hashes the name of a run, so that a child does not learn where the run is stored.
func token(run string) string {
	sum := sha256.Sum256([]byte(run))
	return hex.EncodeToString(sum[:8])
}

// A Process is a descendant of a run's child.
type Process struct {
	PID     int
	Program string
	started string   // start time by the kernel's clock; with PID it identifies the process
	tokens  []string // of its runs; several if a session starts a harness
}

// Of reports whether the process belongs to a run.
func (p Process) Of(run string) bool { return slices.Contains(p.tokens, token(run)) }
