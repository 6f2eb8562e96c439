package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/stats"
)

func TestRate(t *testing.T) {
	for want, value := range map[string]float64{
		"146.2 Mcycles/s":    146.2e6,
		"1.000 Mcycles/s":    999_960,
		"999.9 kcycles/s":    999_940,
		"1.000 kcycles/s":    1000,
		"999.0 cycles/s":     999,
		"2.427 Gcycles/s":    2_427_184_466,
		"10.00 Gcycles/s":    9.9999e9,
		"3.100 Pcycles/s":    3.1e15,
		"1234567 Pcycles/s":  1.234567e21,
		"20.00 mcycles/s":    0.02,
		"1.000 cycles/s":     1,
		"0.0001000 cycles/s": 1e-4,
		"0 cycles/s":         0,
	} {
		if got := document.Rate(value, "cycles"); got != want {
			t.Errorf("%g is %q, want %q", value, got, want)
		}
	}
}

// A complete report shows the throughput of both arms; a partial report shows none.
func TestThroughput(t *testing.T) {
	r := fixture.Improvement()
	r.Workloads[0].Throughput = &report.Throughput{Unit: "cycles", Count: 1e6, Time: "prove_seconds",
		Base: report.Throughs{Median: 2.42718e6, CI: stats.Interval{Low: 2.4e6, High: 2.45e6}, Confidence: 0.96},
		Head: report.Throughs{Median: 2.577e6, CI: stats.Interval{Low: 2.5e6, High: 2.6e6}, Confidence: 0.97},
	}
	got := table(t, document.New(r), document.Throughput)
	want := [][]string{
		{"Base", "2.427 Mcycles/s", "2.400 Mcycles/s to 2.450 Mcycles/s"},
		{"Head", "2.577 Mcycles/s", "2.500 Mcycles/s to 2.600 Mcycles/s"},
	}
	if !slices.EqualFunc(got.Rows, want, slices.Equal) {
		t.Errorf("%v", got.Rows)
	}
	if note := strings.Join(got.Notes, " "); !strings.Contains(note, "1000000 cycles in every proof") ||
		!strings.Contains(note, "level of 96 % or more") {
		t.Errorf("%v", note)
	}
	r.State = report.Partial
	if slices.ContainsFunc(document.New(r).Sections,
		func(s document.Section) bool { return s.ID == document.Throughput }) {
		t.Error("a partial report shows a throughput")
	}
}
