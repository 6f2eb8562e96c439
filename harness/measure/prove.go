package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// prove makes one proof and journals it. The proof is verified outside the timed region, once the statement that it
// must prove is known.
func (m *measurement) prove(ctx context.Context, sample evidence.Sample) error {
	if err := m.rest(ctx); err != nil {
		return err
	}
	begun := time.Now()
	if err := m.prepare(ctx, sample.Arm); err != nil {
		return err
	}
	r := m.runners[sample.Arm]
	id := m.run.nextID()
	request := r.request(id, sample.Seed)
	others := m.waiting(sample.Arm)
	if err := m.pauseAll(others); err != nil {
		return err
	}
	m.observer.Start(m.measured(sample.Arm)...)
	before := accounts(others)
	proof, err := m.provers[sample.Arm].Prove(ctx, request)
	after := accounts(others)
	seen := m.observer.Stop()
	if err != nil {
		return errors.Join(r.failed(failure.StepProof, err), m.close(sample.Arm))
	}
	m.last = sample.Arm
	if claimed := fill(&sample, proof, seen); len(claimed) > 0 {
		text := fmt.Sprintf("%s reports %s, which only the harness measures: its values are ignored", sample.Arm,
			strings.Join(claimed, ", "))
		if err := m.warn("metrics", text); err != nil {
			return err
		}
	}
	m.watched(&sample, proof.WallSeconds, before, after, seen.IdleGPU)
	if m.workload.Adapter != "" {
		if sample.Benchmarks, err = r.results(id); err != nil {
			return r.failed(failure.StepProof, err)
		}
	}
	sample.Unchecked = !m.workload.Verifies()
	if err := m.run.record(record.KindSample, record.Sample{Workload: m.workload.Name, Sample: sample}); err != nil {
		return err
	}
	if err := m.accept(r, sample, proof); err != nil {
		return err
	}
	if err := m.check(ctx, r, request, sample); err != nil {
		return err
	}
	if err := m.reportLeft(sample.Arm); err != nil {
		return err
	}
	m.spent += time.Since(begun)
	m.made++
	m.tell()
	return removeIfThere(request.Metrics)
}

// check verifies a proof. Without a verifier it only compares the claims of both arms.
func (m *measurement) check(ctx context.Context, r *runner, request session.Request, sample evidence.Sample) error {
	if sample.Unchecked {
		return errors.Join(m.sameClaims(sample), m.common(sample), removeIfThere(request.Proof))
	}
	handed, err := r.hand(ctx, request.Proof, sample)
	if err != nil {
		return err
	}
	return m.verify(ctx, unverified{handed, len(m.progress.Samples) - 1})
}

// sameClaims compares the claims of both arms for one seed in a workload without a verifier.
func (m *measurement) sameClaims(sample evidence.Sample) error {
	for _, other := range m.progress.Samples {
		if other.Arm == sample.Arm || other.Seed != sample.Seed || other.ExactStatement == "" ||
			sample.ExactStatement == "" || other.ExactStatement == sample.ExactStatement {
			continue
		}
		head := sample.Arm
		if head == schedule.Base {
			head = other.Arm
		}
		return m.different(head, fmt.Sprintf("for seed %d %s proves statement %.16s and %s %.16s", sample.Seed, other.Arm,
			other.ExactStatement, sample.Arm, sample.ExactStatement))
	}
	return nil
}

// rest waits for the cooldown. It returns ErrInterrupted if the run is to stop.
func (m *measurement) rest(ctx context.Context) error {
	if seconds := m.run.decision.Plan.CooldownSeconds; seconds > 0 {
		select {
		case <-time.After(time.Duration(seconds * float64(time.Second))):
		case <-m.run.controls.Stop:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil || m.run.stopped() {
		return failure.ErrInterrupted
	}
	return nil
}

// fill stores the measured values in a sample. It returns the reserved metrics that the prover reported.
func fill(s *evidence.Sample, proof session.Proof, seen environment.Observation) (claimed []string) {
	s.Started = proof.Started.UTC()
	s.Metrics = maps.Clone(proof.Metrics)
	for _, name := range slices.Sorted(maps.Keys(harnessMetrics)) {
		if _, reported := s.Metrics[name]; reported {
			claimed = append(claimed, name)
			delete(s.Metrics, name)
		}
	}
	s.Counters = proof.Counters
	s.ProofSHA256, s.ExactStatement = proof.SHA256, proof.ExactStatement
	s.WaitedCPUSeconds = proof.Waited.CPUSeconds
	s.GPUWork, s.GPUUnseen = seen.GPUWork, seen.GPUUnseen
	measured := map[string]float64{
		metrics.CPUSeconds:   proof.Usage.CPUSeconds,
		metrics.MaxRSSBytes:  proof.Usage.MaxRSSBytes,
		metrics.CPUShare:     proof.Usage.CPUSeconds / proof.WallSeconds / float64(runtime.NumCPU()),
		metrics.Instructions: proof.Usage.Instructions,
	}
	// The observer counts CPU time in ticks of 10 ms, so the process's own usage overrides its readings.
	for _, source := range []map[string]float64{seen.Readings, measured} {
		for name, value := range source {
			if value != 0 {
				s.Metrics[name] = value
			}
		}
	}
	s.Metrics[metrics.WallSeconds] = proof.WallSeconds
	s.Culprits = seen.Culprits
	if proof.SHA256 != "" {
		s.Metrics[metrics.ProofBytes] = float64(proof.Bytes)
	}
	for _, cause := range seen.Causes {
		s.Causes = append(s.Causes, evidence.Cause{Arm: s.Arm, Kind: string(cause.Kind), Text: cause.Detail})
	}
	return claimed
}

// accept returns an error for a proof that is not as expected or cannot be compared.
func (m *measurement) accept(r *runner, sample evidence.Sample, proof session.Proof) error {
	if why := proof.Impossible(); why != "" {
		return r.failed(failure.StepTimes, errors.New(why))
	}
	if !m.workload.IsSession() && proof.Claim != (session.Claim{}) {
		if err := m.claimed(sample.Arm, sessionOf(session.Ready{Claim: proof.Claim})); err != nil {
			return err
		}
	}
	if err := m.expect(sample); err != nil {
		return r.failed(failure.StepExpect, err)
	}
	m.wallTimed[sample.Arm] = proof.WallTimed
	if slices.Contains(slices.Collect(maps.Values(m.wallTimed)), !proof.WallTimed) {
		return r.failed(failure.StepProof,
			fmt.Errorf("one arm reports %s and the other is timed from outside: they cannot be compared",
				metrics.ProveSeconds))
	}
	switch value, ok := sample.Metrics[m.metric.Name]; {
	case !ok:
		return r.failed(failure.StepProof,
			fmt.Errorf("the primary metric %s is not among its metrics: %s", m.metric.Name, names(sample.Metrics)))
	case value <= 0 && m.metric.Scale == config.LogScale:
		return r.failed(failure.StepProof,
			fmt.Errorf("the primary metric %s is %g: the log scale needs values above 0", m.metric.Name, value))
	}
	return nil
}

// expect checks the expectations of bench.yaml.
func (m *measurement) expect(sample evidence.Sample) error {
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

func removeIfThere(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// tell reports progress, without measured times.
func (m *measurement) tell() {
	warmed, _ := m.progress.Settling(m.run.decision.Plan)
	pending := m.pending(warmed.Pairs)
	made := len(m.progress.Samples)
	left := plan.ProofsOf(m.schedule, pending, warmed, m.alone(), m.last, m.previous, m.launched)
	m.run.notify(Notice{
		Workload: m.workload.Name,
		Pairs:    warmed.Pairs - m.uncounted(), PairsPlanned: warmed.Pairs,
		Proofs: made, ProofsPlanned: made + left,
		Left: m.spent / time.Duration(m.made) * time.Duration(left),
	})
}

// uncounted returns the number of planned pairs that do not count yet.
func (m *measurement) uncounted() int {
	return m.run.decision.Plan.Pairs - len(m.progress.Counted(m.metric.Name))
}
