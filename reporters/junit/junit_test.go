package junit

import (
	"bytes"
	"encoding/xml"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/reporters/internal/golden"
)

func TestGolden(t *testing.T) {
	for name, test := range map[string]struct {
		report                           *report.Report
		tests, failures, errors, skipped int
	}{
		"complete": {fixture.Complete(), 6, 1, 0, 0},
		"partial":  {fixture.Partial(), 2, 0, 0, 1},
		"failed":   {fixture.Failed(), 3, 0, 2, 1},
		"bare":     {fixture.Bare(), 1, 0, 1, 0},
		"hostile":  {fixture.Hostile(), 6, 1, 0, 0},
		"heads":    {fixture.Heads(), 6, 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := Write(&got, test.report); err != nil {
				t.Fatal(err)
			}
			var back suites
			if err := xml.Unmarshal(got.Bytes(), &back); err != nil {
				t.Fatal(err)
			}
			if back.Tests != test.tests || back.Failures != test.failures || back.Errors != test.errors ||
				back.Skipped != test.skipped {
				t.Errorf("%d tests, %d failures, %d errors, %d skipped", back.Tests, back.Failures, back.Errors, back.Skipped)
			}
			golden.Compare(t, name+".xml", got.String())
		})
	}
}

func TestMovedControl(t *testing.T) {
	r := fixture.Improvement()
	for i := range r.Workloads[0].Secondary {
		r.Workloads[0].Secondary[i].ControlMoved = r.Workloads[0].Secondary[i].Control
	}
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	var back suites
	if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Failures != 1 || back.Suites[0].Cases[2].Failure.Message != "moved: proof_bytes, stage_trace_seconds" {
		t.Errorf("%+v", back)
	}
}
