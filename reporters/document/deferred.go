package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// deferred describes the work of head's session between its replies and the next requests, relative to base's.
func deferred(d *report.Deferred) string {
	text := fmt.Sprintf("between replies and requests, outside the measured times, head's CPU use differs from base's "+
		"by %s of a proof's time (allowed: %.2g %%)", sharePercent(d.CPUShare), 100*d.Allowed)
	if d.GPUShare != nil {
		text += fmt.Sprintf("; on GPUs the driver cannot resolve less than %.2g %% of it", 100*report.GPUError)
	}
	if d.Unseen != "" {
		text += "; work on GPUs was not measured: " + d.Unseen
	}
	return text
}

// sharePercent formats a signed share of a time, to a thousandth of a percent.
func sharePercent(share float64) string { return percent(stats.Number(100*share), 3) }

// deferredOf describes the resources that one arm's session used there.
func deferredOf(cpu float64, gpu *float64) string {
	text := Quantity("_seconds", cpu) + " of CPU time per proof"
	if gpu != nil {
		text += ", " + Quantity("_seconds", *gpu) + " of GPU time"
	}
	return text
}
