package verify

import (
	"errors"
	"fmt"
)

// Check names one of the verifier's checks.
type Check string

// The verifier's checks, in the order in which they are made.
const (
	CheckMachine    Check = "machine"        // the key's machine and digest
	CheckParams     Check = "parameters"     // the key's parameters
	CheckProgram    Check = "program"        // the key's program
	CheckInstances  Check = "instances"      // every table there as often as it may be, at allowed heights
	CheckPublic     Check = "public values"  // the machine's own check of them
	CheckBuses      Check = "bus bounds"     // multiplicities cannot wrap around p
	CheckShape      Check = "shape"          // every part of the proof has the size that follows from the above
	CheckSums       Check = "claimed sums"   // all buses cancel
	CheckQuotient   Check = "constraints"    // constraints at z against the quotient
	CheckChallenges Check = "challenges"     // no challenge is refused, and none makes the verifier divide by zero
	CheckNonce      Check = "grinding nonce" // enough zero bits
	CheckOpenings   Check = "Merkle opening" // opened rows against the caps of the phases
	CheckLayers     Check = "FRI opening"    // opened rows against the caps of the layers
	CheckFolds      Check = "FRI fold"       // DEEP codewords, folds and final polynomial agree
	CheckDecoding   Check = "decoding"       // the proof's binary form
	CheckSecurity   Check = "security"       // proven bits against what the verifier asks
	CheckStatement  Check = "statement"      // the statement against what the verifier asks
	CheckUnknown    Check = "machine name"   // the machine is known
	CheckShards     Check = "shards"         // as many shards as there may be
)

// RejectError is why a proof is not accepted.
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

// RejectedBy returns the check that an error of Verify comes from.
func RejectedBy(err error) (Check, bool) {
	var rejection *RejectError
	if errors.As(err, &rejection) {
		return rejection.Check, true
	}
	return "", false
}
