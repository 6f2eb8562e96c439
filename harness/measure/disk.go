package measure

import (
	"errors"
	"fmt"
	"math"
	"syscall"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/plural"
)

// leastFree is the free space in bytes below which a disk counts as full after a failure: a proof, its copies and the
// journal need more.
const leastFree = 1 << 20

// fullDisk attributes a failure to a full disk, whichever program noticed it first: the run can be resumed once there
// is space. It returns nil for other failures: without ENOSPC, only a session or proof that failed on a disk with less
// than leastFree counts.
func fullDisk(folder, step string, err error) error {
	free, known := freeBytes(folder)
	made := step == failure.StepSession || step == failure.StepProof
	if !errors.Is(err, syscall.ENOSPC) && (!made || !known || free >= leastFree) {
		return nil
	}
	cause := fmt.Sprintf("the disk of %s is full (%s free): make space, at least %d MiB, and continue with harness "+
		"resume: %v",
		folder, plural.Of(int(min(free, math.MaxInt32)), "byte"), leastFree>>20, err)
	return &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Cause: cause}, Err: err}
}
