package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/report"
)

// codeProfile shows the functions that changed most, from call stacks sampled after the measurement.
func codeProfile(w *report.Workload) []Block {
	p := w.CodeProfile
	if p == nil {
		return nil
	}
	if p.Failed != "" {
		return []Block{Paragraph("There is no profile (the verdict does not depend on it): " + p.Failed)}
	}
	var blocks []Block
	if p.BaseSamples > 0 {
		blocks = append(blocks, Paragraph(fmt.Sprintf("CPU time of a proof: %s ms in base, %s ms in head. Sampled by %s "+
			"after the last measured pair: %d samples in %d proofs of base, %d samples in %d proofs of head. A function's "+
			"time excludes the functions it calls. A change within ± can be due to sampling alone.",
			milliseconds(p.BaseSeconds), milliseconds(p.HeadSeconds), p.Source, p.BaseSamples, p.BaseProofs, p.HeadSamples,
			p.HeadProofs)))
	}
	if g := p.GPU; g != nil {
		blocks = append(blocks, Paragraph(fmt.Sprintf("GPU time of a proof, summed over kernels: %s ms in base, %s ms in "+
			"head. Traced by Nsight Systems in %d proofs of base and %d of head. [GPU] marks a kernel; its percentage is of "+
			"the total GPU time, and ± is the difference between two traces of the same revision.",
			milliseconds(g.BaseSeconds), milliseconds(g.HeadSeconds), g.BaseProofs, g.HeadProofs)))
	}
	table := Table{
		Columns: []Column{
			{Title: "Function", Code: true}, {Title: "Base, ms", Number: true}, {Title: "Head, ms", Number: true},
			{Title: "Change, ms", Number: true}, {Title: "±", Number: true}, {Title: "Of total time", Number: true},
		},
		Notes: append([]string{}, p.Notes...),
	}
	for _, c := range p.Functions {
		table.Rows = append(table.Rows, []string{
			c.Function, milliseconds(c.BaseSeconds), milliseconds(c.HeadSeconds), fmt.Sprintf("%+.3g", 1e3*c.Difference()),
			milliseconds(c.NoiseSeconds), fmt.Sprintf("%+.2f %%", c.Percent),
		})
	}
	if len(table.Rows) > 0 {
		blocks = append(blocks, table)
	}
	if p.Graph != "" {
		blocks = append(blocks, Facts{Rows: []Fact{{
			Label: "Differential flame graph", Value: p.Graph, Code: true, Link: p.Graph,
		}}})
	}
	return blocks
}

// milliseconds writes seconds in milliseconds.
func milliseconds(seconds float64) string { return fmt.Sprintf("%.3g", 1e3*seconds) }
