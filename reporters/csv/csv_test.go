package csv

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/reporters/internal/golden"
	"github.com/chiasmus/chiasmus/stats"
)

func TestGolden(t *testing.T) {
	load := &fixture.Complete().Workloads[0]
	for name, write := range map[string]func(*bytes.Buffer) error{
		"pairs":   func(b *bytes.Buffer) error { return Write(b, fixture.Improvement(), "") },
		"dropped": func(b *bytes.Buffer) error { return WriteDropped(b, load) },
		"heads":   func(b *bytes.Buffer) error { return WriteAnswer(b, fixture.Heads()) },
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name+".csv", got.String())
	}
}

// The statistics of the file equal the report's, for the primary metric and for a secondary one.
func TestReadsBack(t *testing.T) {
	report := fixture.Complete()
	for _, load := range report.Workloads {
		for _, test := range []struct {
			metric string
			want   *stats.Result
		}{{"", load.Stats}, {"peak_host_bytes", load.Secondary[1].Stats}} {
			var b bytes.Buffer
			if err := Write(&b, report, load.Name); err != nil {
				t.Fatal(err)
			}
			pairs, err := stats.ReadCSV(&b, "pairs.csv", test.metric)
			if err != nil {
				t.Fatal(err)
			}
			got, err := stats.Analyze(pairs, stats.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(*test.want, got); diff != "" {
				t.Errorf("%s, %q: %s", load.Name, test.metric, diff)
			}
		}
	}
}

func TestMissingMetric(t *testing.T) {
	load := fixture.Improvement().Workloads[0]
	delete(load.Samples[load.Pairs[0].Base].Metrics, "peak_host_bytes")
	var b bytes.Buffer
	if err := WritePairs(&b, &load); err != nil {
		t.Fatal(err)
	}
	if _, err := stats.ReadCSV(&b, "pairs.csv", "peak_host_bytes"); err == nil ||
		!strings.Contains(err.Error(), "line 2, ") {
		t.Errorf("error %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		report         *report.Report
		workload, want string
	}{
		{fixture.Complete(), "", "name one of keccak-16k, quick"},
		{fixture.Complete(), "nonsense", `workload "nonsense" is not in the report: it has keccak-16k, quick`},
		{fixture.Bare(), "", "no workload"},
	} {
		if err := Write(&bytes.Buffer{}, test.report, test.workload); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// The answer has a row for each workload. Changes are of head against base; the effect is a reduction. A run without a
// verdict has no numbers.
func TestAnswer(t *testing.T) {
	var b bytes.Buffer
	report := fixture.Complete()
	if err := WriteAnswer(&b, report); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "keccak-16k,-3.4") || !strings.HasPrefix(lines[2], "quick,2.37") ||
		!strings.HasSuffix(lines[2], ",regression,prove_seconds,14") {
		t.Errorf("%q", lines)
	}
	b.Reset()
	if err := WriteAnswer(&b, fixture.Partial()); err != nil ||
		!strings.HasSuffix(b.String(), "\nkeccak-16k,,,,partial,prove_seconds,5\n") {
		t.Errorf("partial: %v %q", err, b.String())
	}
}
