package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/stats"
)

// A run of several heads has one entry in Workloads per workload and head. This file has the text about all heads
// together.

// heldInterval is the interval that belongs to a workload's verdict: with several heads, the simultaneous one.
func heldInterval(w *report.Workload) stats.Interval {
	if f := w.Family; f != nil && f.OfHead != nil {
		return f.OfHead.EffectCIPercent
	}
	return w.Stats.EffectCIPercent
}

// measuredWorkloads counts the distinct workloads of a run.
func measuredWorkloads(r *report.Report) int {
	if len(r.Heads) == 0 {
		return len(r.Workloads)
	}
	names := map[string]bool{}
	for _, w := range r.Workloads {
		names[w.Of] = true
	}
	return len(names)
}

// counted describes the size of a run: workloads, heads, or heads on each of several workloads.
func counted(r *report.Report) string {
	workloads := plural.Of(measuredWorkloads(r), "workload")
	switch {
	case len(r.Heads) == 0:
		return workloads
	case measuredWorkloads(r) == 1:
		return plural.Of(len(r.Heads), "head")
	}
	return fmt.Sprintf("%s, %s", workloads, plural.Of(len(r.Heads), "head"))
}

// rowNoun names the rows of the table.
func rowNoun(r *report.Report) string {
	if len(r.Heads) == 0 {
		return "workloads"
	}
	return "heads"
}

// rowTitle is the title of the table's first column, and rowName its content.
func rowTitle(r *report.Report) string {
	switch {
	case len(r.Heads) == 0:
		return "Workload"
	case measuredWorkloads(r) == 1:
		return "Head"
	}
	return "Workload, head"
}

func rowName(r *report.Report, w *report.Workload) string {
	if w.HeadNumber == 0 || measuredWorkloads(r) > 1 {
		return w.Name
	}
	return Clean(r.HeadOf(w).Label())
}

// severalNote describes the joint guarantee of the table of several heads.
func severalNote(r *report.Report) string {
	text := fmt.Sprintf("The intervals of one workload's heads hold simultaneously (%s). At most %.3g %% of runs call "+
		"any unchanged head changed.", confidence(r.Plan.WholeAlpha()), 100*r.Plan.WholeAlpha())
	return text + " The details below show each head alone, without this adjustment."
}

// notUpheld explains a change that is significant in its workload's own tests but not in the run's family.
func notUpheld(f *report.Family) string {
	switch {
	case f.Heads == 0:
		return fmt.Sprintf("significant for this workload alone, but not after Holm's adjustment for the run's %d "+
			"workloads: p is %s", f.Workloads, PValue(f.P))
	case f.Workloads == 1:
		return fmt.Sprintf("significant for this head alone, but not after adjustment for the run's %d heads: p is %s",
			f.Heads, PValue(f.P))
	}
	return fmt.Sprintf("significant for this head alone, but not after adjustment for %d heads on %d workloads: p is %s",
		f.Heads, f.Workloads, PValue(f.P))
}

// titleOfHeads is the title of a run of several heads.
func titleOfHeads(r *report.Report) string {
	text := ""
	for i, head := range r.Heads {
		if i > 0 {
			text += ", "
		}
		text += head.Label()
	}
	return fmt.Sprintf("Chiasmus: %s against %s", text, r.Base.Label())
}

// headRevisions returns the facts of all heads.
func headRevisions(r *report.Report) []Block {
	if len(r.Heads) == 0 {
		return []Block{revision("Head (B)", r.Head)}
	}
	var blocks []Block
	for i, head := range r.Heads {
		blocks = append(blocks, revision(fmt.Sprintf("Head %d (%c), %s", i+1, 'B'+rune(i), head.Label()), head))
	}
	return blocks
}
