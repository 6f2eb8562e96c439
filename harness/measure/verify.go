package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// unverified is a journaled proof to be verified: the path of its copy, and its index among the samples.
type unverified struct {
	proof  string
	sample int
}

// hand copies a proof to a folder that its prover cannot reach. The copy is verified, now or later. The run ends if the
// copy does not have the journaled hash.
func (r *runner) hand(ctx context.Context, proof string, sample evidence.Sample) (string, error) {
	path := filepath.Join(r.handed, filepath.Base(proof))
	if err := copyProof(ctx, proof, path, sample, r.workload.Timeout); err != nil {
		return "", r.failed(failure.StepProof, err)
	}
	return path, os.Remove(proof)
}

// verify verifies a proof, or keeps it until base has proven the same seed: only base names the statement that it must
// prove. Base's own proof is verified first, which confirms its statement.
func (m *measurement) verify(ctx context.Context, made unverified) error {
	sample := m.progress.Samples[made.sample]
	if _, known := m.progress.ProofOf(schedule.Base, sample.Seed); !known && sample.Arm != schedule.Base {
		m.unverified = append(m.unverified, made)
		return nil
	}
	if err := m.verifyOne(ctx, made); err != nil {
		return err
	}
	waiting := m.unverified
	m.unverified = nil
	for _, kept := range waiting {
		if m.progress.Samples[kept.sample].Seed != sample.Seed {
			m.unverified = append(m.unverified, kept)
		} else if err := m.verifyOne(ctx, kept); err != nil {
			return err
		}
	}
	return nil
}

// verifyOne verifies a proof with the verifier of its revision, and a proof of head with base's too. The answers are
// journaled before anything acts on them.
func (m *measurement) verifyOne(ctx context.Context, made unverified) error {
	sample := m.progress.Samples[made.sample]
	r := m.runners[sample.Arm]
	b, err := m.bind(sample)
	if err != nil {
		return err
	}
	found := record.Verified{Workload: m.workload.Name, Sample: made.sample}
	seconds, refused := r.verify(ctx, made.proof, sample, b)
	found.VerifySeconds, found.Verified = seconds, refused == nil
	if refused != nil && !isRefusal(refused) {
		return r.failed(failure.StepVerify, refused)
	}
	if refused == nil && sample.Arm != schedule.Base {
		if found.Cross, err = m.cross(ctx, made.proof, sample, b); err != nil {
			return err
		}
	}
	if err := m.run.record(record.KindVerified, found); err != nil {
		return err
	}
	if refused != nil {
		return keeping(made.proof, r.failed(failure.StepVerify, refused))
	}
	if err := m.fresh(sample); err != nil {
		return keeping(made.proof, err)
	}
	if found.Cross != nil && !found.Cross.Accepted && m.crossRequired() {
		return keeping(made.proof, r.failed(failure.StepCross, fmt.Errorf(
			"base's verifier refuses head's proof: %s (--new-proof-format declares that the format of proofs has changed)",
			found.Cross.Text)))
	}
	if err := m.challenge(ctx, made.proof, sample, b); err != nil {
		return err
	}
	return os.Remove(made.proof)
}

// keeping adds the path of the refused proof to a failure, so that the proof is not deleted.
func keeping(proof string, err error) error {
	var failed *failure.Error
	if errors.As(err, &failed) {
		failed.Failure.Proof = proof
	}
	return err
}

func isRefusal(err error) bool {
	var refused *refusal
	return errors.As(err, &refused)
}

// crossRequired reports whether base's verifier must accept head's proofs.
func (m *measurement) crossRequired() bool {
	d := m.run.decision
	if d.AllowDifferentStatement || d.NewProofFormat {
		return false
	}
	return m.workload.Cross == config.CrossRequired || m.workload.Cross == config.CrossAuto && d.PullRequest
}

// cross runs base's verifier on a copy of head's proof in base's own folder: an isolated base cannot see head's folder.
func (m *measurement) cross(ctx context.Context, proof string, sample evidence.Sample, b bond) (*record.Cross, error) {
	base := m.runners[schedule.Base]
	path := filepath.Join(base.handed, m.workload.Name+"-cross.proof")
	defer os.Remove(path)
	if err := copyProof(ctx, proof, path, sample, m.workload.Timeout); err != nil {
		return nil, m.runners[sample.Arm].failed(failure.StepVerify, err)
	}
	_, err := base.verify(ctx, path, sample, b)
	var refused *refusal
	switch {
	case err == nil:
		return &record.Cross{Accepted: true}, nil
	case !errors.As(err, &refused):
		return nil, base.failed(failure.StepVerify, err)
	}
	return &record.Cross{Text: cmp.Or(reason(refused.tail), refused.status)}, nil
}

// copyProof copies a proof to a file of its own.
func copyProof(ctx context.Context, from, to string, s evidence.Sample, timeout time.Duration) error {
	copied, err := os.Create(to)
	if err != nil {
		return err
	}
	return errors.Join(copyWritten(ctx, from, copied, s, timeout), copied.Close())
}

// copyWritten copies a file that a measured program wrote, within the timeout. It fails if the size or SHA-256 differs
// from the sample's, because the file was then changed.
func copyWritten(ctx context.Context, from string, to io.Writer, s evidence.Sample, timeout time.Duration) error {
	limited, cancel := context.WithTimeoutCause(ctx, timeout,
		fmt.Errorf("the proof %s could not be read within %v", from, timeout))
	defer cancel()
	written, err := session.ReadWritten(limited, from, to, int64(s.Metrics[metrics.ProofBytes]))
	var grown *session.TooLargeError
	switch {
	case errors.As(err, &grown), errors.Is(err, os.ErrNotExist), err == nil && written.SHA256 != s.ProofSHA256:
		return fmt.Errorf("the proof %s was changed or removed after it was handed over", from)
	}
	return err
}
