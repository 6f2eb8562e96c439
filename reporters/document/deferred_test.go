package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// A verdict is never shown without the work done outside of the measured times. A verdict by the harness's clock is
// never shown without the reason.
func TestWhatAVerdictRestsOn(t *testing.T) {
	r := fixture.Complete()
	w := &r.Workloads[0]
	gpu, share := 0.0003, 0.0007
	w.Deferred = &report.Deferred{CPUShare: -0.00042, Allowed: 0.002, GPUShare: &share, BaseGPUSeconds: &gpu,
		HeadGPUSeconds: &gpu}
	w.Clock = &report.Clock{Planned: "prove_seconds", Used: "wall_seconds", BaseApart: 0.0004, HeadApart: 0.075,
		Allowed: 0.002}
	h := document.New(r).Headlines[0]
	if text := strings.Join(h.Findings, "\n"); !strings.Contains(text, "between replies and requests, outside the "+
		"measured times, head's CPU use differs from base's by -0.042 % of a proof's time (allowed: 0.2 %); on GPUs "+
		"the driver cannot resolve less than 25 % of it") {
		t.Errorf("findings: %s", text)
	}
	if !slices.Contains(h.Caveats, "judged by the harness's clock, wall_seconds: prove_seconds differs from it by up to "+
		"0.04 % on base and 7.5 % on head, more than 0.2 %, a fifth of the margin") {
		t.Errorf("caveats: %q", h.Caveats)
	}
	w.Deferred.GPUShare, w.Deferred.Unseen, w.Clock.Used = nil, "an old driver", "prove_seconds"
	h = document.New(r).Headlines[0]
	if text := strings.Join(h.Findings, "\n"); !strings.Contains(text, "work on GPUs was not measured: an old driver") {
		t.Errorf("findings: %s", text)
	}
	if text := strings.Join(h.Caveats, "\n"); strings.Contains(text, "clock") {
		t.Errorf("caveats: %s", text)
	}
}
