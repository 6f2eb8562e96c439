package harness

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
	"github.com/chiasmus/chiasmus/harness/session"
)

// WallSeconds is the time of a proof by the harness's clock.
const WallSeconds = metricWall

// The metrics that the harness adds to those of the prover.
const (
	metricWall       = "wall_seconds"
	metricProofBytes = "proof_bytes"
	metricCPU        = "cpu_seconds"
	metricCPUShare   = "cpu_share" // cpu_seconds over what all processors have: 1 is all of them all the time
	metricRSS        = "max_rss_bytes"
	// metricInstructions are those that all processes of a prover retire in user mode.
	metricInstructions = "instructions"
)

// prove makes one proof and journals it. It is verified outside the timed region, as soon as it is known what it must
// prove.
func (m *measurement) prove(ctx context.Context, sample Sample) error {
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
	other := m.waiting(sample.Arm)
	if err := m.pause(other); err != nil {
		return m.runners[sample.Arm.Other()].failed(StepSession, err)
	}
	m.observer.Start(m.measured(sample.Arm)...)
	waiting := accountOf(other)
	proof, err := m.provers[sample.Arm].Prove(ctx, request)
	waited := accountOf(other).Since(waiting)
	seen := m.observer.Stop()
	if err != nil {
		return errors.Join(r.failed(StepProof, err), m.close(sample.Arm))
	}
	m.last = sample.Arm
	if claimed := sample.take(proof, seen); len(claimed) > 0 {
		text := fmt.Sprintf("%s reports %s, which the harness alone measures: what it says of that is left out", sample.Arm,
			strings.Join(claimed, ", "))
		if err := m.warn("metrics", text); err != nil {
			return err
		}
	}
	if other != nil && other != m.twin && m.workload.IsSession() {
		sample.Idle = &Idle{
			Seconds:    proof.WallSeconds,
			CPUSeconds: waited.CPUSeconds,
			IOBytes:    waited.IOBytes,
			GPUShare:   seen.IdleGPU,
		}
	}
	if m.workload.Adapter != "" {
		if sample.Benchmarks, err = r.results(id); err != nil {
			return r.failed(StepProof, err)
		}
	}
	sample.Unchecked = !m.workload.Verifies()
	if err := m.run.record(recordSample, sampleRecord{m.workload.Name, sample}); err != nil {
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

// check has a proof verified. Without a verifier it is only compared what the arms say that they proved.
func (m *measurement) check(ctx context.Context, r *runner, request session.Request, sample Sample) error {
	if sample.Unchecked {
		return errors.Join(m.sameClaims(sample), m.common(sample), removeIfThere(request.Proof))
	}
	handed, err := r.hand(ctx, request.Proof, sample)
	if err != nil {
		return err
	}
	return m.verify(ctx, unverified{handed, len(m.progress.samples) - 1})
}

// sameClaims compares what the arms say of one seed, where nobody verifies it.
func (m *measurement) sameClaims(sample Sample) error {
	for _, other := range m.progress.samples {
		if other.Arm == sample.Arm || other.Seed != sample.Seed || other.ExactStatement == "" ||
			sample.ExactStatement == "" || other.ExactStatement == sample.ExactStatement {
			continue
		}
		return m.different(fmt.Sprintf("for seed %d %s proves statement %.16s and %s %.16s", sample.Seed, other.Arm,
			other.ExactStatement, sample.Arm, sample.ExactStatement))
	}
	return nil
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

// take fills a sample with what was measured. It returns the names of metrics that the prover reports and may not.
func (s *Sample) take(proof session.Proof, seen environment.Observation) (claimed []string) {
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
		metricCPU:          proof.Usage.CPUSeconds,
		metricRSS:          proof.Usage.MaxRSSBytes,
		metricCPUShare:     proof.Usage.CPUSeconds / proof.WallSeconds / float64(runtime.NumCPU()),
		metricInstructions: proof.Usage.Instructions,
	}
	// The observer counts CPU time in ticks of 10 ms, for its shares: it stands in where there is nothing better.
	for _, source := range []map[string]float64{seen.Readings, measured} {
		for name, value := range source {
			if value != 0 {
				s.Metrics[name] = value
			}
		}
	}
	s.Metrics[metricWall] = proof.WallSeconds
	s.Culprits = seen.Culprits
	if proof.SHA256 != "" {
		s.Metrics[metricProofBytes] = float64(proof.Bytes)
	}
	for _, cause := range seen.Causes {
		s.Causes = append(s.Causes, Cause{Arm: s.Arm, Kind: string(cause.Kind), Text: cause.Detail})
	}
	return claimed
}

// accept ends the run for a proof that is not as expected, or not comparable.
func (m *measurement) accept(r *runner, sample Sample, proof session.Proof) error {
	if why := proof.Impossible(); why != "" {
		return r.failed(StepTimes, errors.New(why))
	}
	if !m.workload.IsSession() && proof.Claim != (session.Claim{}) {
		if err := m.claimed(sample.Arm, sessionOf(session.Ready{Claim: proof.Claim})); err != nil {
			return err
		}
	}
	if err := m.expect(sample); err != nil {
		return r.failed(StepExpect, err)
	}
	m.wallTimed[sample.Arm] = proof.WallTimed
	if other, known := m.wallTimed[sample.Arm.Other()]; known && other != proof.WallTimed {
		return r.failed(StepProof,
			fmt.Errorf("one arm reports %s and the other is timed from outside: they cannot be compared",
				session.PrimarySeconds))
	}
	switch value, ok := sample.Metrics[m.metric.Name]; {
	case !ok:
		return r.failed(StepProof,
			fmt.Errorf("the primary metric %s is not among its metrics: %s", m.metric.Name, names(sample.Metrics)))
	case value <= 0 && m.metric.Scale == config.LogScale:
		return r.failed(StepProof,
			fmt.Errorf("the primary metric %s is %g: the log scale needs values above 0", m.metric.Name, value))
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
	plan, _ := m.progress.settling(m.run.decision.Plan)
	pending := m.pending(plan.Pairs)
	made := len(m.progress.samples)
	left := proofsOf(m.schedule, pending, plan, m.alone(), m.last, m.previous, m.launched)
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
