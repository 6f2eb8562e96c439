package json

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// A report reads back as written, and has the fields that readers of report.json rely on.
func TestRoundTrip(t *testing.T) {
	for name, r := range map[string]*report.Report{
		"complete": fixture.Complete(), "sequential": fixture.Sequential(), "partial": fixture.Partial(),
		"fleet": fixture.Fleet("bench-3"), "failed": fixture.Failed(), "bare": fixture.Bare(), "hostile": fixture.Hostile(),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, r); err != nil {
				t.Fatal(err)
			}
			var back report.Report
			if err := json.Unmarshal(b.Bytes(), &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r, &back, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestContract(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, fixture.Sequential()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema, State string
		Base, Head    map[string]any
		Workloads     []struct {
			Name       string
			Stats      struct{ Schema, Verdict string }
			Secondary  []map[string]any
			Sequential struct {
				Looks []struct {
					Pairs        int
					Level, Spent float64
					CI           []float64
					Stopped      bool
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	w := got.Workloads[0]
	if got.Schema != "chiasmus.report/1" || got.State != "complete" || w.Stats.Schema != "chiasmus.stats/2" ||
		w.Stats.Verdict != "regression" {
		t.Errorf("%+v", got)
	}
	if analyses := w.Sequential.Looks; len(analyses) != 3 || len(analyses[1].CI) != 2 || analyses[2].CI != nil ||
		!analyses[1].Stopped || analyses[1].Pairs != 20 {
		t.Errorf("looks %+v", analyses)
	}
	for _, key := range []string{"metric", "control", "p_holm", "stats"} {
		if _, ok := w.Secondary[0][key]; !ok {
			t.Errorf("secondary lacks %s", key)
		}
	}
}
