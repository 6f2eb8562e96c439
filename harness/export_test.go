package harness

import (
	"context"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// SetObserver replaces what watches the host.
func SetObserver(c *Controls, observe func() Observer) { c.observe = observe }

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

// Clocks are the times of pairs by both clocks.
type Clocks struct{ clocks }

// NewClocks returns none.
func NewClocks() Clocks { return Clocks{clocks{map[Arm][]float64{}, map[Arm][]float64{}}} }

// Add adds one proof.
func (c Clocks) Add(arm Arm, own, wall float64) {
	c.own[arm], c.wall[arm] = append(c.own[arm], own), append(c.wall[arm], wall)
}

// Contradicted is the rule about the two clocks.
func Contradicted(c Clocks, equivalence float64) (Arm, string) {
	return contradicted(c.clocks, equivalence, 0.001)
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
