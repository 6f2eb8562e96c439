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

// checkDrops ends the measurement on a host where too many pairs were dropped, before a pair is measured a second time.
// Until then it continues, so that every pair has a first measurement: see report.Busy.
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
