package harness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/config"
)

// A Challenge is what an arm's verifier said of what it has to refuse, once a workload and outside of every timed
// region: a verifier that accepts anything makes every proof valid. No text of bench.yaml shows this: a placeholder may
// stand in the arguments of a command that reads none.
type Challenge struct {
	Arm Arm `json:"arm"`
	// Altered says that it accepted a proof of which one byte was changed.
	Altered bool `json:"accepts_altered"`
	// Asked says that verify is told what a proof must prove, by {statement}, {exact_statement} or {seed}, and Other that
	// the verifier accepted a proof for others than these.
	Asked bool `json:"asked"`
	Other bool `json:"accepts_other"`
}

// text says what is wrong with the verifier, empty where nothing is.
func (c Challenge) text() string {
	switch {
	case c.Altered:
		return fmt.Sprintf("%s's verifier accepts a proof of which one byte was changed: nothing of %s is verified", c.Arm,
			c.Arm)
	case c.Other:
		return fmt.Sprintf("%s's verifier accepts a proof for another statement or seed than it is told: a proof of less "+
			"would be accepted as faster", c.Arm)
	}
	return ""
}

// challengeRecord is a Challenge in the journal.
type challengeRecord struct {
	Workload string `json:"workload"`
	Challenge
}

// challenge hands the verifier of a proof's arm what it has to refuse, after it has accepted the proof itself.
func (m *measurement) challenge(ctx context.Context, proof string, sample Sample, b bond) error {
	if _, done := m.progress.challenges[sample.Arm]; done {
		return nil
	}
	r := m.runners[sample.Arm]
	c := Challenge{Arm: sample.Arm, Asked: m.workload.Told()}
	path := filepath.Join(r.handed, m.workload.Name+"-challenge.proof")
	defer os.Remove(path)
	// The altered proof comes last: it is made of the copy.
	if err := copyProof(ctx, proof, path, sample, m.workload.Timeout); err != nil {
		return r.failed(StepVerify, err)
	}
	var err error
	if c.Asked {
		other := sample
		other.Seed++
		if c.Other, err = r.accepts(ctx, path, other, bond{another(b.statement), another(b.exact)}); err != nil {
			return err
		}
	}
	altered := sample
	if altered.ProofSHA256, err = alter(path); err != nil {
		return r.failed(StepVerify, err)
	}
	if c.Altered, err = r.accepts(ctx, path, altered, b); err != nil {
		return err
	}
	return m.run.record(recordChallenge, challengeRecord{m.workload.Name, c})
}

// accepts runs the verifier where a refusal is no failure.
func (r *runner) accepts(ctx context.Context, proof string, sample Sample, b bond) (bool, error) {
	_, err := r.verify(ctx, proof, sample, b)
	var refused *refusal
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &refused):
		return false, nil
	}
	return false, r.failed(StepVerify, err)
}

// another is a statement of the same form that differs in its last character.
func another(statement string) string {
	if statement == "" {
		return ""
	}
	last := byte('0')
	if statement[len(statement)-1] == last {
		last = '1'
	}
	return statement[:len(statement)-1] + string(last)
}

// alter changes one bit in the middle of a file, and returns the file's hash.
func alter(path string) (sum string, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() == 0 {
		return "", errors.New("the verifier accepts a proof of no bytes")
	}
	middle := info.Size() / 2
	one := make([]byte, 1)
	if _, err := file.ReadAt(one, middle); err != nil {
		return "", err
	}
	one[0] ^= 1
	if _, err := file.WriteAt(one, middle); err != nil {
		return "", err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// challenged fills in what the challenges of a workload showed. Runs of versions that made none are judged by what
// bench.yaml says.
func (w *Workload) challenged(p *progress, c config.Workload) {
	if w.NotVerified = !c.Verifies(); w.NotVerified {
		return
	}
	w.Unbound = !c.Told()
	if w.Unbound {
		w.Warnings = append(w.Warnings, Warning{warnUnbound, unboundText(w.Name)})
	}
	for _, arm := range []Arm{Base, Head} {
		made, done := p.challenges[arm]
		if !done {
			continue
		}
		w.Challenges = append(w.Challenges, made)
		w.Unbound = w.Unbound || made.Other
		if text := made.text(); text != "" {
			w.Warnings = append(w.Warnings, Warning{warnVerifier, text})
		}
	}
}
