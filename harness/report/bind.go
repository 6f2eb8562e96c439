package report

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// The kinds of warning about what was proven.
const (
	WarnDifferentStatement = "different statement"
	warnUnbound            = "unbound"
	warnVerifier           = "verifier"
	WarnFixedInput         = "fixed input"
)

// unboundText explains why a verifier must receive the statement or the seed of a proof.
func unboundText(name string) string {
	return fmt.Sprintf("verify of workload %s receives neither {statement}, {exact_statement} nor {seed}: a proof of "+
		"less would be accepted as faster", name)
}

// challenged fills in the results of the verifiers' challenges. Runs of versions without challenges are judged by
// bench.yaml.
func (w *Workload) challenged(p *record.Progress, c config.Workload) {
	if w.NotVerified = !c.Verifies(); w.NotVerified {
		return
	}
	w.Unbound = !c.BindsStatement()
	if w.Unbound {
		w.Warnings = append(w.Warnings, plan.Warning{Kind: warnUnbound, Text: unboundText(w.Name)})
	}
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		made, done := p.Challenges[arm]
		if !done {
			continue
		}
		w.Challenges = append(w.Challenges, made)
		w.Unbound = w.Unbound || made.Other
		if text := made.Text(); text != "" {
			w.Warnings = append(w.Warnings, plan.Warning{Kind: warnVerifier, Text: text})
		}
	}
}
