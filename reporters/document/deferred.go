package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// deferred says what head's session did, beyond base's, between its replies and the next requests.
func deferred(d *harness.Deferred) string {
	text := fmt.Sprintf("outside of the times, between replies and requests, head took %s of a proof's time on CPUs "+
		"beyond base (allowed: %.2g %%)", sharePercent(d.CPUShare), 100*d.Allowed)
	if d.GPUShare != nil {
		text += fmt.Sprintf("; on GPUs the driver tells only more than %.2g %% of it apart", 100*harness.GPUError)
	}
	if d.Unseen != "" {
		text += "; what was done on GPUs is not seen: " + d.Unseen
	}
	return text
}

// sharePercent prints a share of a time with its sign, to a thousandth of a percent.
func sharePercent(share float64) string { return percent(stats.Number(100*share), 3) }

// deferredOf says what the session of one arm took there.
func deferredOf(cpu float64, gpu *float64) string {
	text := Quantity("_seconds", cpu) + " of CPU time a proof"
	if gpu != nil {
		text += ", " + Quantity("_seconds", *gpu) + " of GPU time"
	}
	return text
}
