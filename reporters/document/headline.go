package document

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/stats"
)

// StatusOf is the presentation of a verdict.
func StatusOf(v stats.Verdict) Status {
	switch v {
	case stats.Improvement:
		return Status{"improvement", "✅", "✔", Good}
	case stats.Regression:
		return Status{"regression", "❌", "✘", Bad}
	case stats.Equivalent:
		return Status{"equivalent", "⚖️", "≈", Neutral}
	case stats.Negligible:
		return Status{"negligible", "⚖️", "≈", Neutral}
	case stats.Borderline:
		return Status{"borderline", "⚠️", "±", Caution}
	}
	return Status{"inconclusive", "❔", "?", Caution}
}

// Substitutes for a verdict.
var (
	partialStatus = Status{"partial", "⏸️", "‖", Caution}
	failedStatus  = Status{"failed", "⛔", "✘", Bad}
	// undecidedStatus marks a workload measured on a host that was too busy for a verdict.
	undecidedStatus = Status{"not decided", "❔", "?", Caution}
)

// headlines returns a sentence per workload, or one for the run if there is no workload.
func headlines(r *report.Report) []Headline {
	var list []Headline
	for i := range r.Workloads {
		list = append(list, headline(r, &r.Workloads[i]))
	}
	if r.State == report.Failed {
		sentence := "the run failed"
		if f := r.Failure; f != nil {
			sentence = fmt.Sprintf("the run failed at step %s: %s", f.Step, firstLine(f.Cause))
		}
		return append([]Headline{{Status: failedStatus, Sentence: sentence}}, list...)
	}
	if len(list) == 0 {
		return []Headline{{Status: partialStatus, Sentence: "interrupted before anything was measured"}}
	}
	return list
}

// headline is the sentence for one workload.
func headline(r *report.Report, w *report.Workload) Headline {
	h := Headline{Workload: w.Name, Caveats: caveats(r, w)}
	if !decided(r, w) {
		if number, ok := unjudged(r, w); ok {
			return number
		}
		h.Status = partialStatus
		planned := plural.Of(r.PairsPlanned(), "pair")
		h.Sentence = fmt.Sprintf("interrupted after %d of %s: no verdict", len(w.Pairs), planned)
		if r.State == report.Failed {
			h.Sentence = fmt.Sprintf("ended by the failure after %d of %s: no verdict", len(w.Pairs), planned)
		}
		return h
	}
	h.Status = StatusOf(w.Verdict())
	h.Sentence = Sentence(w.Metric, w.Stats, r.Plan.Equivalence, w.Sequential != nil)
	if list := breaches(r, w); len(list) > 0 {
		h.Sentence = strings.Join(list, "; ") + ". Total time: " + h.Sentence
	}
	h.Caveats = append(h.Caveats, hostsApart(r, w)...)
	h.Findings = findings(r, w)
	if w.PreCheck != nil {
		h.Findings = append(h.Findings, w.PreCheck.Text)
	}
	if w.Deferred != nil {
		h.Findings = append(h.Findings, deferred(w.Deferred))
	}
	return h
}

// decided reports whether a workload has a verdict to show.
func decided(r *report.Report, w *report.Workload) bool {
	return r.State == report.Complete && w.Stats != nil && w.Stats.Verdict != ""
}

// caveats lists the qualifications of a headline.
func caveats(r *report.Report, w *report.Workload) []string {
	var list []string
	switch {
	case r.AA && r.Base.OfCommand():
		list = append(list, "A/A run: both arms are the same command")
	case r.AA:
		list = append(list, "A/A run: both arms are the same revision built in the same environment")
	}
	if r.DifferentStatement {
		list = append(list, "the two revisions do not prove the same statement at the same strength")
	}
	if w.Cross.Done && !w.Cross.Accepted {
		declared := ""
		if r.NewProofFormat {
			declared = ", because head declares a new proof format"
		}
		list = append(list, fmt.Sprintf("base's verifier refuses %s of head%s", refused(w.Cross), declared))
	}
	list = append(list, unverified(w)...)
	if w.Clock.Disagrees() {
		list = append(list, w.Clock.String())
	}
	if f := w.Family; f != nil && !f.Upheld && decided(r, w) &&
		(w.Stats.Verdict == stats.Improvement || w.Stats.Verdict == stats.Regression) {
		list = append(list, notUpheld(f))
	}
	if decided(r, w) && oneBuild(r, w) {
		why := ""
		if r.OneBuild != "" {
			why = " (" + r.OneBuild + ")"
		}
		list = append(list, "only one build of each revision was measured"+why+": its linker layout counts as part of the "+
			"change. With plan.builds of 6 or more, layouts are randomized")
	}
	if r.Base.Dirty || r.Head.Dirty {
		list = append(list, "measured with uncommitted changes")
	}
	if r.State == report.Complete {
		list = append(list, openBounds(w)...)
	}
	for _, s := range w.Secondary {
		if s.ControlMoved && r.State == report.Complete {
			list = append(list, fmt.Sprintf("the control %s moved, although the change cannot affect it", s.Metric))
		}
	}
	return list
}

// oneBuild reports whether each revision had one build and the two builds differ.
func oneBuild(r *report.Report, w *report.Workload) bool {
	return r.Plan.Builds <= 1 && !r.AA && !r.Base.OfCommand() && !slices.Equal(r.Base.Artifacts, r.HeadOf(w).Artifacts)
}

// unverified lists what the verifiers do not guarantee: arms whose verifier accepts an altered proof or a proof of
// something else, and verifiers that are not given the statement to check.
func unverified(w *report.Workload) []string {
	if w.NotVerified {
		return []string{notVerified(w)}
	}
	var list []string
	add := func(format string, arm schedule.Arm) {
		if text := fmt.Sprintf(format, arm); !slices.Contains(list, text) { // a joined report has one check per host
			list = append(list, text)
		}
	}
	for _, c := range w.Challenges {
		switch {
		case c.Altered:
			add("no proof of %s is verified: its verifier accepts a proof with a changed byte", c.Arm)
		case c.Other:
			add("%s's verifier accepts a proof for another statement or seed: a proof of less work would count as faster",
				c.Arm)
		}
	}
	if w.Unbound && len(list) == 0 {
		list = append(list, "no verifier is given the statement to check, so a proof of less work would count as faster")
	}
	return list
}

// notVerified explains why nothing checks that the measured program did its work.
func notVerified(w *report.Workload) string {
	if w.Suite != "" {
		return "not verified: the benchmark suite reports its own figures"
	}
	return "not verified: there is no verifier, so doing less work would count as faster"
}

// refused counts the proofs that base's verifier rejected.
func refused(c evidence.CrossCheck) string {
	if c.Refused == c.Proofs {
		return "all " + plural.Of(c.Proofs, "proof")
	}
	return fmt.Sprintf("%d of %s", c.Refused, plural.Of(c.Proofs, "proof"))
}

// Sentence describes the effect on a metric with its interval: "head is 3.4 % faster (prove_seconds), 95 % CI 2.2 to
// 4.6 %, 14 pairs". Words give the direction, so numbers have no sign. In tables a faster head has a minus sign.
func Sentence(metric metrics.Metric, s *stats.Result, equivalence float64, repeated bool) string {
	effect, ci := float64(s.EffectPercent), s.EffectCIPercent
	if !s.EffectPercent.Exists() {
		return fmt.Sprintf("the effect on %s has no percentage: mean difference %s, %s", cmp.Or(metric.Name, "the values"),
			number(s.T.Mean), strength(s))
	}
	headIsLower := effect >= 0
	if effect < 0 {
		effect, ci = -effect, stats.Interval{Low: -ci.High, High: -ci.Low}
	}
	if s.T.Mean != 0 { // the sign of d; the percentage has the opposite sign if base's mean is negative
		headIsLower = s.T.Mean > 0
	}
	other, word := directions(metric.Name)
	if headIsLower {
		other, word = word, other
	}
	places := decimals((ci.High - ci.Low) / 2)
	size := fixed(effect, places) + " %"
	tail := strength(s)
	if ci.Exists() {
		kind := "CI"
		if repeated {
			kind = "repeated CI"
		}
		tail = fmt.Sprintf("%s %s %s, %s", confidence(s.Alpha), kind, bounds(ci, places, word, other), tail)
	}
	what := size + " " + word
	if effect == 0 {
		what = "the same"
	}
	is := claim(metric.Name, "is", what)
	margin := fmt.Sprintf("%.4g %%", 100*equivalence)
	switch s.Verdict {
	case stats.Equivalent:
		return fmt.Sprintf("no difference worth acting on in a typical proof (within %s): %s, %s", margin, is, tail)
	case stats.Negligible:
		return fmt.Sprintf("%s, less than the %s worth acting on, %s", is, margin, tail)
	case stats.Borderline:
		return fmt.Sprintf("%s, but only one of the two tests rejects, %s", claim(metric.Name, "may be", what), tail)
	case stats.Inconclusive:
		return fmt.Sprintf("not yet known: %s, %s%s", is, tail, pairsItTakes(s, margin))
	}
	return is + ", " + tail
}

// claim compares head with base on a metric. For a time, head is faster or slower; for anything else, the metric is
// lower or higher. The verb is "is" or "may be".
func claim(metric, verb, what string) string {
	switch {
	case metric == "":
		return fmt.Sprintf("head %s %s", verb, what)
	case strings.HasSuffix(metric, "_seconds"):
		return fmt.Sprintf("head %s %s (%s)", verb, what, metric)
	}
	return fmt.Sprintf("head's %s %s %s", metric, verb, what)
}

// bounds formats an interval in the direction of a word. If the interval includes the other direction, it names both.
func bounds(ci stats.Interval, places int, word, other string) string {
	if low := fixed(-ci.Low, places); ci.Low < 0 && low != fixed(0, places) {
		return fmt.Sprintf("%s %% %s to %s %% %s", low, other, fixed(ci.High, places), word)
	}
	return fmt.Sprintf("%s to %s %%", fixed(ci.Low, places), fixed(ci.High, places))
}

// strength describes the sample behind a result.
func strength(s *stats.Result) string {
	if s.Phase == 1 {
		return plural.Of(s.Processes, "process") + " of head alone"
	}
	text := plural.Of(s.Pairs, "pair")
	if s.Unit == stats.UnitHost {
		text += " on " + plural.Of(s.Units, "host")
	}
	return text
}

// pairsItTakes gives the number of pairs for a conclusive run.
func pairsItTakes(s *stats.Result, margin string) string {
	if !s.PairsNeeded.Exists() || float64(s.PairsNeeded) <= float64(s.Pairs) {
		return ""
	}
	if s.Unit == stats.UnitHost {
		return fmt.Sprintf("; about %.0f such hosts would detect a change of %s",
			math.Ceil(float64(s.PairsNeeded)*float64(s.Units)/float64(s.Pairs)), margin)
	}
	return fmt.Sprintf("; about %.0f pairs would detect a change of %s", float64(s.PairsNeeded), margin)
}

// directions names the directions of lower and higher values.
func directions(metric string) (lower, higher string) {
	if strings.HasSuffix(metric, "_seconds") || metric == "" {
		return "faster", "slower"
	}
	return "lower", "higher"
}

// change formats an effect in percent as a signed change of head against base. An effect is a reduction.
func change(effect stats.Number, ci stats.Interval) string {
	if !effect.Exists() {
		return absent
	}
	places := decimals((ci.High - ci.Low) / 2)
	if !ci.Exists() {
		places = 2
	}
	return percent(-effect, places)
}

// percent formats a signed change in percent. Zero has no sign.
func percent(change stats.Number, places int) string {
	if !change.Exists() {
		return absent
	}
	text := fixed(float64(change), places)
	if text != fixed(0, places) && change > 0 {
		text = "+" + text
	}
	return text + " %"
}

// Change formats the effect of a result as a change of head against base, and its interval.
func Change(s *stats.Result) (effect, ci string) {
	return change(s.EffectPercent, s.EffectCIPercent), changeInterval(s.EffectCIPercent)
}

// changeInterval formats the interval of a change.
func changeInterval(ci stats.Interval) string {
	if !ci.Exists() {
		return absent
	}
	return signedInterval(stats.Interval{Low: -ci.High, High: -ci.Low}, decimals((ci.High-ci.Low)/2)) + " %"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
