package measure

import (
	"context"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// SetObserver replaces the observer of the host.
func SetObserver(c *Controls, observe func() Observer) { c.observe = observe }

// SetIdleAsWritten lets waiting sessions run, as they do under isolation.
func SetIdleAsWritten(c *Controls, as bool) { c.idleAsWritten = as }

// SetUncounted replaces the function that says why there are no cgroups.
func SetUncounted(c *Controls, why string) { c.uncounted = func() string { return why } }

// SetWaitQuiet replaces the function that waits for a quiet host.
func SetWaitQuiet(c *Controls, wait func(context.Context, environment.Thresholds, ...func([]environment.Cause)) error) {
	c.waitQuiet = wait
}

// MovedHost reports what makes two snapshots different hosts.
func MovedHost(before, now *environment.Snapshot) string { return environment.Moved(before, now) }

// ClaimsDiffer compares two statements.
func ClaimsDiffer(base, head evidence.Session) (problem, warning string) {
	return claimsDiffer(base, head)
}

// Hand moves a proof into a folder that its prover cannot reach.
func Hand(ctx context.Context, proof, folder string, sample evidence.Sample) (string, error) {
	r := &runner{
		arm:      schedule.Head,
		revision: &plan.Revision{},
		workload: config.Workload{Timeout: time.Minute},
		handed:   folder,
		dir:      journal.Directory(folder),
	}
	return r.hand(ctx, proof, sample)
}

// Short reports whether starting is short compared with proving.
var Short = short

// SealBaseline recomputes the checksum of a changed baseline.
func SealBaseline(b *baseline.Baseline) { b.SHA256 = b.Sum() }

// PreparedLonger compares the seconds of both arms' prepare.
var PreparedLonger = preparedLonger

// SetStacks replaces profiles: a profile of two proofs of each arm finds the stacks that take returns, in the order of
// the calls.
func SetStacks(c *Controls, take func() ([]flame.Stack, error)) {
	c.Profile, c.profiledProofs = ProfileAuto, 2
	c.codeSource = func() codeSource {
		return codeSource{"recorded", func() (stackTaker, error) {
			stacks, err := take()
			return stackTaker{
				while: func(do func() error) error { return do() },
				end:   func(context.Context) ([]flame.Stack, []string, error) { return stacks, []string{"a note"}, nil },
			}, err
		}}
	}
}

// SetOnGPU makes a run believe that the host has a GPU.
func SetOnGPU(c *Controls) { c.onGPU = true }
