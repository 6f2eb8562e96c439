package session

import (
	"crypto/rand"
	"encoding/hex"
)

// markName is a variable in the environment of every child. What the child starts inherits it, whatever its group, session
// and parent are.
const markName = "CHIASMUS_CHILD"

// newMark draws the variable of one child. All have the same length: the size of the environment moves the stack, which
// moves times.
func newMark() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return markName + "=" + hex.EncodeToString(random[:])
}
