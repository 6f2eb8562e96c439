package harness

import (
	"context"

	"github.com/chiasmus/chiasmus/harness/environment"
)

// SetObserver replaces what watches the host.
func SetObserver(c *Controls, observe func() Observer) { c.observe = observe }

// SetWaitQuiet replaces what waits for a quiet host.
func SetWaitQuiet(c *Controls, wait func(context.Context, environment.Thresholds, ...func([]environment.Cause)) error) {
	c.waitQuiet = wait
}

// MovedHost says what makes two snapshots those of different hosts.
func MovedHost(before, now *environment.Snapshot) string { return movedHost(before, now) }

// ClaimsDiffer is the rule about statements.
func ClaimsDiffer(base, head Session) (problem, warning string) { return claimsDiffer(base, head) }
