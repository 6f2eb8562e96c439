package verify

import (
	"errors"
	"fmt"
)

// Check identifies one of the verifier's checks.
type Check string

// The verifier's checks, in order.
const (
	CheckMachine    Check = "machine"        // the key's machine and digest
	CheckParams     Check = "parameters"     // the key's parameters
	CheckProgram    Check = "program"        // the key's program
	CheckInstances  Check = "instances"      // allowed numbers of instances of every table, at allowed heights
	CheckPublic     Check = "public values"  // the machine's own check of public values
	CheckBuses      Check = "bus bounds"     // multiplicities cannot wrap around p
	CheckShape      Check = "shape"          // every part of the proof has the size determined by the above
	CheckSums       Check = "claimed sums"   // all buses cancel
	CheckQuotient   Check = "constraints"    // constraints at z against the quotient
	CheckChallenges Check = "challenges"     // no challenge is refused, and no denominator is zero
	CheckNonce      Check = "grinding nonce" // enough zero bits
	CheckOpenings   Check = "Merkle opening" // opened rows against the caps of the phases
	CheckLayers     Check = "FRI opening"    // opened rows against the caps of the layers
	CheckFolds      Check = "FRI fold"       // DEEP codewords, folds and final polynomial agree
	CheckDecoding   Check = "decoding"       // the proof's binary form
	CheckSecurity   Check = "security"       // proven bits against the requirement
	CheckStatement  Check = "statement"      // the statement against the requirement
	CheckUnknown    Check = "machine name"   // the machine is known
	CheckShards     Check = "shards"         // an allowed number of shards
)

// RejectError is the reason why a proof is rejected.
type RejectError struct {
	Check Check
	Err   error
}

func (e *RejectError) Error() string {
	return fmt.Sprintf("proof rejected: %s: %v", e.Check, e.Err)
}

func (e *RejectError) Unwrap() error { return e.Err }

func reject(check Check, err error) error {
	if err == nil {
		return nil
	}
	return &RejectError{check, err}
}

func rejectf(check Check, format string, args ...any) error {
	return reject(check, fmt.Errorf(format, args...))
}

// RejectedBy returns the check that caused an error of Verify.
func RejectedBy(err error) (Check, bool) {
	var rejection *RejectError
	if errors.As(err, &rejection) {
		return rejection.Check, true
	}
	return "", false
}
