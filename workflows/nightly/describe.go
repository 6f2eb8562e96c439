package nightly

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/bisect"
)

// Sentence describes the result of a search in plain text.
func (search *Search) Sentence() string {
	culprit := strings.TrimSpace(shorten(search.Culprit.SHA) + " " + search.Culprit.Subject)
	switch search.State {
	case Found:
		return fmt.Sprintf("first bad commit %s, confirmed against its parent, confidence of the whole search %.4f", culprit,
			search.Confidence)
	case Range:
		return fmt.Sprintf("the first bad commit is one of %d, of which only the last, %s, could be measured; confidence "+
			"of the whole search %.4f", search.Suspects, culprit, search.Confidence)
	case Unconfirmed:
		return fmt.Sprintf("half of the difference is reached at %s, which is NOT confirmed against its parent: many small "+
			"steps can look like this", culprit)
	case Unfinished:
		text := fmt.Sprintf("the search is unfinished (%s)", search.Reason)
		if search.Suspects > 0 {
			text += fmt.Sprintf(": the first bad commit is one of %d up to %s", search.Suspects, culprit)
		}
		return text + "; the next night continues"
	case NoDifference:
		return "the search found nothing: " + search.Reason
	}
	return "the search failed: " + search.Reason
}

// search returns a workload's newest search since its last good revision, or nil.
func (history History) search(workload string) *Search {
	start := history.afterGood(workload)
	for i := len(history) - 1; i >= start; i-- {
		switch record := &history[i]; {
		case record.Workload != workload:
		case record.Ended != "":
			return nil // it belongs to an alarm that has ended
		case record.Search != nil:
			return record.Search
		}
	}
	return nil
}

// searchText is the section on a search: its result and every decision.
func searchText(search *Search) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n**Search for the commit**, from %s to %s: %s.\n", plain(shorten(search.Good)),
		plain(shorten(search.Bad)), plain(search.Sentence()))
	if len(search.Decisions) > 0 {
		out.WriteString("\n| commit | subject | decision | against its base | confidence | pairs |\n| --- | --- | --- | " +
			"--- | ---: | ---: |\n")
	}
	for _, entry := range search.Decisions {
		decision, effect, confidence := decided(entry)
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %d |\n", plain(shorten(entry.Commit.SHA)),
			plain(clip(entry.Commit.Subject, 100)), decision, plain(effect), confidence, entry.Pairs)
	}
	return out.String()
}

// decided describes one decision.
func decided(entry bisect.Entry) (decision, effect, confidence string) {
	if entry.Skipped != "" {
		return "skipped", clip(entry.Skipped, 200), ""
	}
	decision = map[string]string{
		bisect.KindEnds:    "bad differs from good",
		bisect.KindConfirm: "confirmed against its parent",
	}[entry.Kind]
	switch {
	case entry.Kind == bisect.KindConfirm && !entry.IsBad:
		decision = "not confirmed against its parent"
	case decision == "" && entry.IsBad:
		decision = "bad"
	case decision == "":
		decision = "good"
	}
	return decision, bisect.Percent(entry.Difference), fmt.Sprintf("%.4f", entry.Confidence)
}

// clip truncates external text to n runes.
func clip(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return text
}
