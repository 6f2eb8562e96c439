package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
)

func (a *app) runs() *cobra.Command {
	return &cobra.Command{
		Use: "runs", Short: textRunsShort, Long: textRunsLong, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dirs, err := journal.List(journal.RunsFolder(a.directory))
			if err != nil {
				return a.fail(nil, err)
			}
			if len(dirs) == 0 {
				fmt.Fprintf(a.stderr, "harness: no runs in %s\n", journal.RunsFolder(a.directory))
				return nil
			}
			table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "RUN\tSTATE\tREVISIONS\tRESULT")
			for _, dir := range dirs {
				fmt.Fprintln(table, describeRun(dir))
			}
			return table.Flush()
		},
	}
}

// describeRun returns a line of the list.
func describeRun(dir journal.Directory) string {
	r, err := report.Load(dir)
	if err != nil {
		return fmt.Sprintf("%s\tunreadable\t\t%v", dir.ID(), err)
	}
	state := string(r.State)
	if journal.InUse(dir.JournalFile()) {
		state = "running"
	}
	return fmt.Sprintf("%s\t%s\t%s..%s\t%s", dir.ID(), state, oneLine(r.Base.Ref), oneLine(headRefs(r)), result(r))
}

// headRefs returns the names of the heads of a run.
func headRefs(r *report.Report) string {
	if len(r.Heads) == 0 {
		return r.Head.Ref
	}
	var names []string
	for _, head := range r.Heads {
		names = append(names, head.Ref)
	}
	return strings.Join(names, ", ")
}

// result summarizes the result of a run.
func result(r *report.Report) string {
	if r.Failure != nil {
		return fmt.Sprintf("%s: %s", r.Failure.Step, oneLine(r.Failure.Cause))
	}
	var words []string
	for _, w := range r.Workloads {
		text := fmt.Sprintf("%d of %d pairs", len(w.Pairs), r.Plan.Pairs)
		if w.Stats != nil {
			text = fmt.Sprintf("%s, %d pairs", w.Verdict(), w.Stats.Pairs)
		}
		words = append(words, w.Name+": "+text)
	}
	return strings.Join(words, "; ")
}

// oneLine cleans an untrusted text and truncates it for a table.
func oneLine(text string) string {
	const most = 60
	text = document.Clean(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return text
}
