package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// probeAgain is the total time of the commands up to which they are timed a second time, with warm caches.
const probeAgain = 2 * time.Second

// Probe runs each command once, or twice if the first run is short. It returns the total seconds of the last run and
// the largest number of benchmarks that a command reports. Probe measures nothing for the run: a failing command fails
// here, before a run exists.
func Probe(ctx context.Context, d *plan.Decision) (seconds float64, benchmarks int, err error) {
	folder, err := os.MkdirTemp("", "chiasmus-probe-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(folder)
	dir := journal.Directory(folder)
	if err := errors.Join(os.MkdirAll(dir.Logs(), 0o755), os.MkdirAll(dir.Proofs(), 0o755)); err != nil {
		return 0, 0, err
	}
	for id := range int64(2) {
		seconds = 0
		for _, arm := range d.Arms() {
			took, count, err := probeOnce(ctx, d, arm, dir, id)
			if err != nil {
				return 0, 0, err
			}
			seconds, benchmarks = seconds+took, max(benchmarks, count)
		}
		if seconds > probeAgain.Seconds() {
			break
		}
	}
	return seconds, benchmarks, nil
}

// probeOnce runs one command once. It returns its time, and the number of benchmarks that it reports.
func probeOnce(ctx context.Context, d *plan.Decision, arm schedule.Arm, dir journal.Directory, id int64) (float64,
	int, error) {
	w := d.Workload(plan.AdhocName)
	r, err := newRunner(arm, d.Arm(arm), build.InPlace(d.Directory), w, nil, dir)
	if err != nil {
		return 0, 0, err
	}
	r.stdin = d.Stdin
	prover, err := r.open(ctx)
	if err != nil {
		return 0, 0, err
	}
	proof, err := prover.Prove(ctx, r.request(id, 0))
	var failed *session.Error
	switch {
	case errors.As(err, &failed):
		return 0, 0, &failure.Error{Failure: failure.Failure{
			Step: failure.StepProof, Arm: arm, SHA: d.Arm(arm).SHA, Workload: plan.AdhocName, LogTail: failed.Tail,
			Cause: fmt.Sprintf("%s: %s", d.Arm(arm).Subject, failed.Cause),
		}, Err: err}
	case err != nil:
		return 0, 0, err
	}
	if w.Adapter != "" {
		benchmarks, err := r.results(id)
		if err != nil {
			return 0, 0, r.failed(failure.StepProof, err)
		}
		return proof.WallSeconds, len(benchmarks), nil
	}
	return proof.WallSeconds, 0, nil
}

// request returns the request for one process, or for one proof of a session.
func (r *runner) request(id int64, seed uint64) session.Request {
	q := session.Request{ID: id, Seed: seed, Metrics: r.metricsFile(id), Foreign: r.workload.Adapter != ""}
	if r.workload.IsSession() || r.workload.Process.Uses(config.Proof) {
		q.Proof = r.proofFile(id)
		q.Optional = r.workload.IsSession() && !r.workload.Verifies()
	}
	if r.workload.Adapter != "" {
		q.Output = filepath.Join(r.proofs, fmt.Sprintf("%s-%d.out", r.workload.Name, id))
	}
	return q
}
