package document

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/report"
)

// throughput is the table of each arm's work per second. It restates the times in other units and has no test of its
// own.
func throughput(r *report.Report, w *report.Workload) []Block {
	t := w.Throughput
	if !complete(r) || t == nil {
		return nil
	}
	table := Table{Columns: []Column{{Title: "Arm"}, {Title: "Median", Number: true}, {Title: "CI", Number: true}}}
	for _, arm := range []struct {
		name string
		of   report.Throughs
	}{{"Base", t.Base}, {"Head", t.Head}} {
		ci := absent
		if arm.of.CI.Exists() {
			ci = Rate(arm.of.CI.Low, t.Unit) + " to " + Rate(arm.of.CI.High, t.Unit)
		}
		table.Rows = append(table.Rows, []string{arm.name, Rate(float64(arm.of.Median), t.Unit), ci})
	}
	count := fmt.Sprintf("%s %s in every proof", digits(t.Count, 12), t.Unit)
	if t.From != "" {
		count = fmt.Sprintf("the %s that a proof reports as %s", t.Unit, t.From)
	}
	note := fmt.Sprintf("Throughput is %s, divided by its %s.", count, t.Time)
	if t.Base.CI.Exists() {
		note += fmt.Sprintf(" The CIs are for the medians, at a confidence level of %s or more if proofs are independent.",
			confidence(1-math.Min(float64(t.Base.Confidence), float64(t.Head.Confidence))))
	}
	table.Notes = []string{note}
	return []Block{table}
}

// prefixes are the SI prefixes of a throughput.
var prefixes = []struct {
	size float64
	name string
}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}}

// Rate formats a rate with four digits and an SI prefix, such as 146.2 Mcycles/s.
func Rate(value float64, unit string) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return absent
	}
	for _, p := range prefixes {
		// A value that rounds up to one at four digits is printed with this prefix.
		if math.Abs(value) >= p.size*0.99995 {
			return significant(value/p.size) + " " + p.name + unit + "/s"
		}
	}
	return digits(value, 4) + " " + unit + "/s"
}

// significant formats a number from 1 to 999.95 with four digits, including trailing zeros.
func significant(value float64) string {
	decimals := 3 - int(math.Floor(math.Log10(math.Abs(value)*1.00005)))
	return fmt.Sprintf("%.*f", max(0, decimals), value)
}
