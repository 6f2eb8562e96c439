package measure

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// A bond holds the statements that a proof must prove.
type bond struct{ statement, exact string }

// claimed compares the statement and security bits that a prover reports with its earlier report and with the other
// arms' reports.
func (m *measurement) claimed(arm schedule.Arm, said evidence.Session) error {
	before, again := m.progress.Sessions[arm]
	if again && (before.Statement != said.Statement || before.SecurityBits != said.SecurityBits) {
		return m.runners[arm].failed(failure.StepStatement,
			fmt.Errorf("after a restart it claims statement %q at %d bits; before, it claimed %q at %d bits",
				said.Statement, said.SecurityBits, before.Statement, before.SecurityBits))
	}
	if again && !m.workload.IsSession() {
		return nil // each proof runs in a new process, which repeats the claim
	}
	if literal := m.workload.Statement; literal != "" && said.Statement != "" && said.Statement != literal {
		return m.runners[arm].failed(failure.StepStatement,
			fmt.Errorf("it claims to prove statement %s, but bench.yaml has %s", said.Statement, literal))
	}
	if err := m.run.record(record.KindOpened, record.Opened{Workload: m.workload.Name, Arm: arm,
		Session: said}); err != nil {
		return err
	}
	base, known := m.progress.Sessions[schedule.Base]
	if again || !known {
		return nil
	}
	for _, head := range m.run.decision.Heads() {
		if session, opened := m.progress.Sessions[head]; opened && (arm == schedule.Base || arm == head) {
			if err := m.compareClaims(base, session, head); err != nil {
				return err
			}
		}
	}
	return nil
}

// sessionOf converts the ready line of a session.
func sessionOf(r session.Ready) evidence.Session {
	return evidence.Session{
		Backend:      r.Backend,
		Device:       r.Device,
		SetupSeconds: r.SetupSeconds,
		Statement:    r.Statement,
		SecurityBits: r.SecurityBits,
	}
}

// compareClaims returns an error if head claims another statement than base or fewer security bits.
func (m *measurement) compareClaims(base, head evidence.Session, arm schedule.Arm) error {
	problem, warning := claimsDiffer(base, head)
	if warning != "" {
		if err := m.warn("statement", m.named(arm, warning)); err != nil {
			return err
		}
	}
	return m.different(arm, problem)
}

// different returns an error for a difference between the claims of the arms, or only warns if the caller allowed a
// different statement.
func (m *measurement) different(head schedule.Arm, problem string) error {
	switch {
	case problem == "":
		return nil
	case m.run.decision.AllowDifferentStatement:
		return m.warn(report.WarnDifferentStatement, m.named(head, problem))
	}
	return m.runners[head].failed(failure.StepStatement,
		errors.New(problem+" (--allow-different-statement continues nevertheless)"))
}

// claimsDiffer applies the rules of the session contract: another statement or fewer bits is a problem. A prover that
// does not know its statement or bits omits the keys. A head that omits a key that base has is a problem too: otherwise
// omission would circumvent the rule.
func claimsDiffer(base, head evidence.Session) (problem, warning string) {
	switch {
	case base.Statement != head.Statement && base.Statement != "" && head.Statement != "":
		return fmt.Sprintf("the arms prove different statements: base %.16s, head %.16s", base.Statement, head.Statement), ""
	case base.Statement != "" && head.Statement == "":
		return "base names the statement that it proves and head does not", ""
	case head.SecurityBits < base.SecurityBits && head.SecurityBits == 0:
		return fmt.Sprintf("base claims %d bits of security and head claims none", base.SecurityBits), ""
	case head.SecurityBits < base.SecurityBits:
		return fmt.Sprintf("head claims %d bits of security and base %d: a weaker proof is no faster proof",
			head.SecurityBits, base.SecurityBits), ""
	case base.Statement == "" && head.Statement != "":
		return "", "head names the statement that it proves and base does not: whether base proves the same is unchecked"
	case head.SecurityBits > base.SecurityBits && base.SecurityBits != 0:
		return "", fmt.Sprintf("head claims %d bits of security and base %d", head.SecurityBits, base.SecurityBits)
	}
	return "", ""
}

// bind returns the statements that a proof for the sample's seed must prove: the values of bench.yaml, else those that
// base reported. Head's report counts only if the caller allowed a different statement. A missing value that verify
// needs is an error.
func (m *measurement) bind(sample evidence.Sample) (bond, error) {
	from := schedule.Base
	if m.run.decision.AllowDifferentStatement {
		from = sample.Arm
	}
	said := sample
	if sample.Arm != from {
		said, _ = m.progress.ProofOf(from, sample.Seed)
	}
	b := bond{m.progress.Sessions[from].Statement, said.ExactStatement}
	if m.workload.Statement != "" {
		b.statement = m.workload.Statement
	}
	switch {
	case m.workload.ExactStatement != "":
		b.exact = m.workload.ExactStatement
	case b.exact == "" && b.statement != "" && m.workload.Verify.Uses(config.ExactStatement):
		b.exact = b.statement
		text := fmt.Sprintf("%s does not report exact_statement for its proofs: {exact_statement} is its statement, which "+
			"is the same for every seed", from)
		if err := m.warn("statement", text); err != nil {
			return b, err
		}
	}
	for _, needed := range []struct {
		kind  config.Kind
		value string
		name  string
	}{{config.Statement, b.statement, "statement"}, {config.ExactStatement, b.exact, "exact_statement"}} {
		if m.workload.Verify.Uses(needed.kind) && needed.value == "" {
			return b, m.runners[from].failed(failure.StepStatement, fmt.Errorf(
				"verify names {%s}, but %s reports none: add it to its session or metrics file, or to workload %s of "+
					"bench.yaml", needed.name, from, m.workload.Name))
		}
	}
	return b, m.exactlyAs(sample, said)
}

// exactlyAs compares the exact statements of both arms for one seed.
func (m *measurement) exactlyAs(sample, base evidence.Sample) error {
	says := sample.ExactStatement
	literal := m.workload.ExactStatement
	switch {
	case literal != "" && says != "" && says != literal:
		return m.runners[sample.Arm].failed(failure.StepStatement,
			fmt.Errorf("it reports that it proved statement %s, but bench.yaml has %s", says, literal))
	case sample.Arm == schedule.Base || base.Arm != schedule.Base || says == base.ExactStatement ||
		base.ExactStatement == "":
		return nil
	case says == "" && m.workload.Verify.Uses(config.ExactStatement):
		return nil // both verifiers receive the statement that base reported
	case says == "":
		return m.different(sample.Arm, "base reports the exact statement of each proof and head does not")
	}
	return m.different(sample.Arm, fmt.Sprintf("for seed %d base proves statement %.16s and head %.16s", sample.Seed,
		base.ExactStatement, says))
}

// fresh returns an error for a proof that is equal to an earlier proof for another seed. If base shows that the input
// is fixed, proofs may be equal, and fresh only warns.
func (m *measurement) fresh(sample evidence.Sample) error {
	for _, workload := range m.run.decision.Workloads {
		p := m.run.history.Workload(workload)
		for _, earlier := range p.Samples {
			if !earlier.Verified || earlier.ProofSHA256 != sample.ProofSHA256 || earlier.Seed == sample.Seed {
				continue
			}
			if !m.sameProof(p, earlier.Seed, sample.Seed) {
				return m.runners[sample.Arm].failed(failure.StepProof, fmt.Errorf(
					"its proof for seed %d is equal to the proof that %s made for seed %d: it is the old proof, not a new one",
					sample.Seed, earlier.Arm, earlier.Seed))
			}
			if err := m.warn(report.WarnFixedInput,
				"proofs are equal whatever the seed: a prover that keeps its last proof cannot be distinguished from a fast "+
					"one"); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameProof reports whether base shows that two seeds ask for the same proof: by its exact statements, or else by its
// proofs.
func (m *measurement) sameProof(earlier *record.Progress, before, now uint64) bool {
	if m.workload.ExactStatement != "" {
		return true
	}
	a, hasA := earlier.ProofOf(schedule.Base, before)
	b, hasB := m.progress.ProofOf(schedule.Base, now)
	if !hasA || !hasB {
		return false
	}
	if a.ExactStatement != "" || b.ExactStatement != "" {
		return a.ExactStatement == b.ExactStatement
	}
	return a.ProofSHA256 == b.ProofSHA256
}
