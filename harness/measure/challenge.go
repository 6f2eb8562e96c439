package measure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/record"
)

// challenge gives the arm's verifier, which has just accepted a proof, proofs that it must refuse: the same proof for
// another seed and statement, and an altered copy. Each arm is challenged once.
func (m *measurement) challenge(ctx context.Context, proof string, sample evidence.Sample, b bond) error {
	if _, done := m.progress.Challenges[sample.Arm]; done {
		return nil
	}
	r := m.runners[sample.Arm]
	c := evidence.Challenge{Arm: sample.Arm, Asked: m.workload.BindsStatement()}
	path := filepath.Join(r.handed, m.workload.Name+"-challenge.proof")
	defer os.Remove(path)
	// The altered proof comes last: altering changes the copy.
	if err := copyProof(ctx, proof, path, sample, m.workload.Timeout); err != nil {
		return r.failed(failure.StepVerify, err)
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
		return r.failed(failure.StepVerify, err)
	}
	if c.Altered, err = r.accepts(ctx, path, altered, b); err != nil {
		return err
	}
	return m.run.record(record.KindChallenge, record.Challenge{Workload: m.workload.Name, Challenge: c})
}

// accepts reports whether the verifier accepts a proof. A refusal is not an error.
func (r *runner) accepts(ctx context.Context, proof string, sample evidence.Sample, b bond) (bool, error) {
	_, err := r.verify(ctx, proof, sample, b)
	var refused *refusal
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &refused):
		return false, nil
	}
	return false, r.failed(failure.StepVerify, err)
}

// another returns a statement of the same form with a different last character.
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

// alter flips one bit in the middle of a file, and returns the file's hash.
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
