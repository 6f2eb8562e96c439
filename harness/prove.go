package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/session"
)

// The metrics that the harness adds to those of the prover.
const (
	metricWall       = "wall_seconds"
	metricProofBytes = "proof_bytes"
	metricCPU        = "cpu_seconds"
	metricCPUShare   = "cpu_share" // cpu_seconds over what all processors have: 1 is all of them all the time
	metricRSS        = "max_rss_bytes"
)

// prove makes one proof, verifies it outside the timed region, and journals it. Only then are expectations asserted.
func (m *measurement) prove(ctx context.Context, sample Sample) error {
	if err := m.rest(ctx); err != nil {
		return err
	}
	begun := time.Now()
	r := m.runners[sample.Arm]
	id := m.run.nextID()
	request := session.Request{ID: id, Seed: sample.Seed, Proof: r.proofFile(id), Metrics: r.metricsFile(id)}
	m.observer.Start(m.measured(sample.Arm)...)
	proof, err := m.provers[sample.Arm].Prove(ctx, request)
	seen := m.observer.Stop()
	if err != nil {
		return errors.Join(r.failed(StepProof, err), m.close(sample.Arm))
	}
	m.last = sample.Arm
	sample.take(proof, seen)
	refused := m.verify(ctx, r, request, &sample)
	if refused != nil && !isRefusal(refused) {
		return r.failed(StepVerify, refused)
	}
	if err := m.run.record(recordSample, sampleRecord{m.workload.Name, sample}); err != nil {
		return err
	}
	if err := m.accept(r, request, sample, proof, refused); err != nil {
		return err
	}
	if err := m.cross(ctx, sample, request); err != nil {
		return err
	}
	if err := m.reportLeft(sample.Arm); err != nil {
		return err
	}
	m.spent += time.Since(begun)
	m.made++
	m.tell()
	return errors.Join(os.Remove(request.Proof), removeIfThere(request.Metrics))
}

// rest waits for the cooldown and stops where that was asked for.
func (m *measurement) rest(ctx context.Context) error {
	if seconds := m.run.decision.Plan.CooldownSeconds; seconds > 0 {
		select {
		case <-time.After(time.Duration(seconds * float64(time.Second))):
		case <-m.run.controls.Stop:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil || m.run.stopped() {
		return ErrInterrupted
	}
	return nil
}

// take fills a sample with what was measured.
func (s *Sample) take(proof session.Proof, seen environment.Observation) {
	s.Started = proof.Started.UTC()
	s.Metrics = maps.Clone(proof.Metrics)
	s.Counters = proof.Counters
	s.ProofSHA256 = proof.SHA256
	own := map[string]float64{metricCPU: proof.Usage.CPUSeconds, metricRSS: proof.Usage.MaxRSSBytes, metricCPUShare: proof.Usage.CPUSeconds / proof.WallSeconds / float64(runtime.NumCPU())}
	maps.Copy(own, seen.Readings)
	for name, value := range own {
		if _, taken := s.Metrics[name]; !taken && value != 0 {
			s.Metrics[name] = value
		}
	}
	// These two are always the harness's own.
	s.Metrics[metricWall] = proof.WallSeconds
	s.Metrics[metricProofBytes] = float64(proof.Bytes)
	for _, cause := range seen.Causes {
		s.Causes = append(s.Causes, Cause{Arm: s.Arm, Kind: string(cause.Kind), Text: cause.Detail})
	}
}

// verify asks the arm's own verifier.
func (m *measurement) verify(ctx context.Context, r *runner, request session.Request, sample *Sample) error {
	var err error
	sample.VerifySeconds, err = r.verify(ctx, request.Proof, request.Seed)
	sample.Verified = err == nil
	return err
}

func isRefusal(err error) bool {
	var refused *refusal
	return errors.As(err, &refused)
}

// accept ends the run for a proof that is not verified, not as expected, or not comparable.
func (m *measurement) accept(r *runner, request session.Request, sample Sample, proof session.Proof, refused error) error {
	if refused != nil {
		err := r.failed(StepVerify, refused)
		var failed *FailureError
		if errors.As(err, &failed) {
			failed.Failure.Proof = request.Proof
		}
		return err
	}
	if err := m.expect(sample); err != nil {
		return r.failed(StepExpect, err)
	}
	m.wallTimed[sample.Arm] = proof.WallTimed
	if other, known := m.wallTimed[sample.Arm.Other()]; known && other != proof.WallTimed {
		return r.failed(StepProof, fmt.Errorf("one arm reports %s and the other is timed from outside: they cannot be compared", session.PrimarySeconds))
	}
	switch value, ok := sample.Metrics[m.metric.Name]; {
	case !ok:
		return r.failed(StepProof, fmt.Errorf("the primary metric %s is not among its metrics: %s", m.metric.Name, names(sample.Metrics)))
	case value <= 0 && m.metric.Scale == config.LogScale:
		return r.failed(StepProof, fmt.Errorf("the primary metric %s is %g: the log scale needs values above 0", m.metric.Name, value))
	}
	return nil
}

// expect asserts what bench.yaml expects of every proof.
func (m *measurement) expect(sample Sample) error {
	for _, group := range []struct {
		what     string
		expected map[string]config.Expectation
		values   map[string]float64
	}{{"counter", m.workload.Expect.Counters, sample.Counters}, {"metric", m.workload.Expect.Metrics, sample.Metrics}} {
		for _, name := range slices.Sorted(maps.Keys(group.expected)) {
			value, ok := group.values[name]
			switch want := group.expected[name]; {
			case !ok:
				return fmt.Errorf("the %s %s is missing, expected %s (there are: %s)", group.what, name, want, names(group.values))
			case !want.Holds(value):
				return fmt.Errorf("the %s %s is %g, expected %s", group.what, name, value, want)
			}
		}
	}
	return nil
}

func names(values map[string]float64) string {
	if len(values) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(values)), ", ")
}

// cross lets base's verifier try the first proof of head. It works on a copy in base's own folder: an isolated base
// cannot see head's.
func (m *measurement) cross(ctx context.Context, sample Sample, request session.Request) error {
	if sample.Arm != Head || m.progress.cross.Done {
		return nil
	}
	base := m.runners[Base]
	path := filepath.Join(base.proofs, m.workload.Name+"-cross.proof")
	defer os.Remove(path)
	if err := copyWritten(request.Proof, path); err != nil {
		return err
	}
	result := CrossCheck{Done: true, Accepted: true}
	if _, err := base.verify(ctx, path, request.Seed); err != nil {
		var refused *refusal
		if !errors.As(err, &refused) {
			return base.failed(StepVerify, err)
		}
		result.Accepted = false
		result.Text = refused.tail[strings.LastIndexByte(refused.tail, '\n')+1:]
		if result.Text == "" {
			result.Text = refused.status
		}
	}
	return m.run.record(recordCross, crossRecord{m.workload.Name, result})
}

// copyWritten copies a file that a measured program wrote.
func copyWritten(from, to string) error {
	written, err := session.OpenWritten(from)
	if err != nil {
		return err
	}
	copied, err := os.Create(to)
	if err != nil {
		return errors.Join(err, written.Close())
	}
	_, err = io.Copy(copied, written)
	return errors.Join(err, copied.Close(), written.Close())
}

func removeIfThere(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// tell reports how far the workload is, and nothing about its times.
func (m *measurement) tell() {
	plan := m.run.decision.Plan
	pending := m.pending(plan.Pairs)
	made := len(m.progress.samples)
	left := proofsOf(m.schedule, pending, plan, m.alone(), m.last, m.previous)
	m.run.notify(Notice{
		Workload: m.workload.Name,
		Pairs:    plan.Pairs - m.uncounted(), PairsPlanned: plan.Pairs,
		Proofs: made, ProofsPlanned: made + left,
		Left: m.spent / time.Duration(m.made) * time.Duration(left),
	})
}

// uncounted returns how many of the planned pairs do not count yet.
func (m *measurement) uncounted() int {
	return m.run.decision.Plan.Pairs - len(m.progress.counted(m.metric.Name))
}
