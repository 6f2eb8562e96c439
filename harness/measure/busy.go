package measure

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
)

// errBusy marks a workload whose host was too busy. Every planned pair was then measured once.
var errBusy = errors.New("the host was too busy")

// checkDrops returns an error if too many pairs were dropped, once a pair is to be measured a second time. Until then
// the measurement continues, so that every pair has a first measurement: see report.Busy.
func (m *measurement) checkDrops(number int) error {
	again := slices.ContainsFunc(m.progress.Attempts(), func(a record.Attempt) bool {
		return a.Pair == number && a.Dropped && a.Whole()
	})
	dropped, planned := m.progress.Dropped(), m.run.decision.Plan.Pairs
	if !again || float64(dropped) <= report.DropLimit*float64(planned) {
		return nil
	}
	return &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Workload: m.workload.Name,
		Cause: fmt.Sprintf("not decided: machine busy. %d pairs of %d planned were dropped for causes outside the prover, "+
			"more than %.0f %%; the report says what disturbed them, what was measured all the same, and what to do", dropped,
			planned, 100*report.DropLimit)}, Err: errBusy}
}
