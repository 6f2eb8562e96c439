package nightly

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/stats"
)

// Workloads lists the workloads of a history, in order of first record.
func (history History) Workloads() []string {
	var names []string
	for _, record := range history {
		if !slices.Contains(names, record.Workload) {
			names = append(names, record.Workload)
		}
	}
	return names
}

// WriteTrend writes a table per workload. Each night shows its change against the revision that it was compared with,
// and the mean of head.
func WriteTrend(w io.Writer, history History) error {
	for i, name := range history.Workloads() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s, last good %s\n", name, shorten(history.Good(name)))
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "night\tkind\tbase\thead\tmean of head\tchange\t95 % CI\tpairs\tchart\tverdict\t")
		for _, record := range history.Of(name) {
			mean, change, interval := "-", "-", "-"
			if record.MeanB.Exists() {
				mean = fmt.Sprintf("%.4g", record.MeanB.Float())
			}
			if record.Effect.Exists() {
				change = signed(record.Effect.Float())
			}
			if record.CI.Exists() {
				interval = signedInterval(record.CI)
			}
			verdict := record.verdictText()
			if record.Search != nil {
				verdict += ": " + document.Clean(record.Search.Sentence())
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t\n", record.Night, record.Kind, shorten(record.Base),
				shorten(record.Head), mean, change, interval, record.Pairs, record.Chart.words(), verdict)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if search := history.search(name); search != nil {
			if err := writeSearch(w, search); err != nil {
				return err
			}
		}
	}
	return nil
}

// signed converts an effect, positive for a reduction, to the change of head against base that all reports show.
func signed(effect float64) string { return fmt.Sprintf("%+.2f %%", 0-effect) }

// signedInterval converts the interval of an effect to the interval of the change.
func signedInterval(ci stats.Interval) string {
	return fmt.Sprintf("%+.2f to %+.2f %%", 0-ci.High, 0-ci.Low)
}

// verdictText describes a record in a table: its verdict and its reason.
func (record *Record) verdictText() string {
	words := record.words()
	switch {
	case words == "":
		return document.Clean(record.Reason)
	case record.Reason == "":
		return words
	}
	return words + "; " + document.Clean(record.Reason)
}

// writeSearch writes the decisions of the search since the last good revision.
func writeSearch(w io.Writer, search *Search) error {
	fmt.Fprintf(w, "\nsearch for the commit from %s to %s: %s\n", shorten(search.Good), shorten(search.Bad),
		document.Clean(search.Sentence()))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "commit\tdecision\tagainst its base\tconfidence\tpairs\tsubject\t")
	for _, entry := range search.Decisions {
		decision, effect, confidence := decided(entry)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%s\t\n", document.Clean(shorten(entry.Commit.SHA)), decision,
			document.Clean(effect), confidence, entry.Pairs, document.Clean(clip(entry.Commit.Subject, 80)))
	}
	return table.Flush()
}
