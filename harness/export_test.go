package harness

import (
	"context"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/internal/floor"
)

// SetObserver replaces what watches the host.
func SetObserver(c *Controls, observe func() Observer) { c.observe = observe }

// SetIdleAsWritten lets waiting sessions run, as they do where they are isolated.
func SetIdleAsWritten(c *Controls, as bool) { c.idleAsWritten = as }

// SetUncounted replaces what says why there are no cgroups.
func SetUncounted(c *Controls, why string) { c.uncounted = func() string { return why } }

// SetWaitQuiet replaces what waits for a quiet host.
func SetWaitQuiet(c *Controls, wait func(context.Context, environment.Thresholds, ...func([]environment.Cause)) error) {
	c.waitQuiet = wait
}

// MovedHost says what makes two snapshots those of different hosts.
func MovedHost(before, now *environment.Snapshot) string { return movedHost(before, now) }

// WallWarnings says whose requests took longer than their proofs.
func WallWarnings(samples Samples) []Warning { return wallWarnings(samples) }

// ClaimsDiffer is the rule about statements.
func ClaimsDiffer(base, head Session) (problem, warning string) { return claimsDiffer(base, head) }

// ClockOf is the rule about the two clocks, without what a busy host adds.
func ClockOf(margin float64, base, head Samples) *Clock {
	defer floor.OnAnyHost()()
	return clockOf("prove_seconds", margin, pointers(base), pointers(head))
}

// Evaded is the rule about what is done between replies and requests, without what a busy host adds.
func Evaded(samples Samples, plan Plan) (Arm, string) {
	defer floor.OnAnyHost()()
	return (&progress{samples: samples}).evaded(plan)
}

// DeferredIn describes what was done between replies and requests.
func DeferredIn(samples Samples, margin float64) *Deferred {
	return (&progress{samples: samples}).deferred(margin)
}

// Restless is the rule about a session that waits.
func Restless(samples Samples, arm Arm, limits environment.Thresholds) string {
	return (&progress{samples: samples}).restless(arm, limits)
}

// Hand takes a proof out of the hands of what made it, into a folder.
func Hand(ctx context.Context, proof, folder string, sample Sample) (string, error) {
	r := &runner{
		arm:      Head,
		revision: &Revision{},
		workload: config.Workload{Timeout: time.Minute},
		handed:   folder,
		dir:      journal.Directory(folder),
	}
	return r.hand(ctx, proof, sample)
}

// Short says that starting is short against proving.
var Short = short

// SealBaseline makes a changed baseline whole again.
func SealBaseline(b *Baseline) { b.SHA256 = b.sum() }

// PreparedLonger compares the seconds of both arms' prepare.
var PreparedLonger = preparedLonger

// SetStacks makes every profile of two proofs of each arm find the stacks that take returns, in the order of the calls.
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

// ThroughsOf is the throughput of one arm.
var ThroughsOf = throughs

// PairsFor is pairsFor.
var PairsFor = pairsFor
