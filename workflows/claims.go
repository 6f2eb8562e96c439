package workflows

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// checkRun checks properties of a run that its figures do not show: that it used the trusted bench.yaml, compared two
// commits on one host, and used no option that an executor must not use.
func checkRun(report *harness.Report, trusted *config.File) error {
	run := &report.Run
	switch {
	case run.ConfigSHA256 != trusted.SHA256:
		return fmt.Errorf("run.config_sha256 is %q, the trusted bench.yaml has %q", clip(run.ConfigSHA256, 64),
			trusted.SHA256)
	case report.DifferentStatement:
		return errors.New("different_statement is true, want false: an executor may not allow it")
	case report.NewProofFormat:
		return errors.New("new_proof_format is true, want false: an executor may not allow it")
	case len(report.Hosts) > 0:
		return fmt.Errorf("hosts has %d entries, want none: a result comes from one host", len(report.Hosts))
	case report.AA != (report.Base.SHA == report.Head.SHA):
		return fmt.Errorf("a_a is %v, base and head say %v", report.AA, report.Base.SHA == report.Head.SHA)
	}
	for arm, revision := range map[schedule.Arm]*plan.Revision{schedule.Base: &report.Base, schedule.Head: &report.Head} {
		if revision.OfCommand() {
			return fmt.Errorf("%s is a command, want a commit", arm)
		}
		if revision.Dirty || len(revision.Env) > 0 {
			return fmt.Errorf("%s was measured with changes that its commit lacks: dirty is %v, env has %d variables, want "+
				"false and none", arm, revision.Dirty, len(revision.Env))
		}
	}
	return nil
}

// checkProofs checks a complete report's claims about a workload's proofs: every proof was verified, base's verifier
// tried each of head's proofs, and both revisions proved the statement that the trusted bench.yaml and base give.
func checkProofs(workload *harness.Workload, trusted *config.File) error {
	rules, ok := trusted.Workload(configured(workload))
	if !ok {
		return fmt.Errorf("bench.yaml has the workloads %q", trusted.Names())
	}
	if workload.NotVerified != !rules.Verifies() {
		return fmt.Errorf("not_verified is %v, bench.yaml has a verifier: %v", workload.NotVerified, rules.Verifies())
	}
	if !rules.Verifies() {
		if err := checkUnverified(workload); err != nil {
			return err
		}
	} else if err := checkVerifiers(workload, trusted); err != nil {
		return err
	}
	mode := "process"
	if rules.IsSession() {
		mode = "session"
	}
	if workload.Mode != mode {
		return fmt.Errorf("mode is %q, bench.yaml says %q", clip(workload.Mode, 20), mode)
	}
	other := slices.ContainsFunc(workload.Challenges, func(c evidence.Challenge) bool { return c.Other })
	if unbound := rules.Verifies() && !rules.BindsStatement() || other; workload.Unbound != unbound {
		return fmt.Errorf("unbound is %v, want %v by verify in bench.yaml and the challenges that verifiers accepted",
			workload.Unbound, unbound)
	}
	if err := checkStatements(workload, rules.Statement); err != nil {
		return err
	}
	return checkExact(workload, &rules)
}

// configured returns the name of a report's workload in bench.yaml, which for a benchmark is the name of its suite.
func configured(workload *harness.Workload) string { return cmp.Or(workload.Suite, workload.Name) }

// checkVerifiers checks the results of a workload's verifiers.
func checkVerifiers(workload *harness.Workload, trusted *config.File) error {
	for i := range workload.Samples {
		if workload.Samples[i].Unchecked {
			return fmt.Errorf("sample %d is unchecked, and bench.yaml has a verifier", i)
		}
	}
	if err := checkVerified(workload); err != nil {
		return err
	}
	if err := checkCross(workload); err != nil {
		return err
	}
	return checkAccepted(workload, trusted, false)
}

// checkUnverified checks that a workload without a verifier claims no verification.
func checkUnverified(workload *harness.Workload) error {
	verified, cross := workload.Verified, workload.Cross
	if verified.Base+verified.Head > 0 || cross.Done || cross.Proofs > 0 || len(workload.Challenges) > 0 {
		return fmt.Errorf("verified is {base %d, head %d}, cross has done %v, and bench.yaml has no verifier", verified.Base,
			verified.Head, cross.Done)
	}
	for i := range workload.Samples {
		if workload.Samples[i].Verified {
			return fmt.Errorf("sample %d is verified, and bench.yaml has no verifier", i)
		}
	}
	return nil
}

// checkVerified checks that every proof was verified: the harness ends a run that skips one.
func checkVerified(workload *harness.Workload) error {
	verified, made := workload.Verified, workload.ProofsMade
	if verified.Base+verified.Head != made {
		return fmt.Errorf("verified is {base %d, head %d}, proofs_made is %d: want each proof verified", verified.Base,
			verified.Head, made)
	}
	least := map[schedule.Arm]int{schedule.Base: len(workload.Pairs), schedule.Head: len(workload.Pairs)}
	for _, sample := range workload.Samples {
		if sample.Kind == evidence.PreCheck {
			least[sample.Arm]++
		}
	}
	if verified.Base < least[schedule.Base] || verified.Head < least[schedule.Head] {
		return fmt.Errorf("verified is {base %d, head %d}, the counted times are of {base %d, head %d} proofs",
			verified.Base, verified.Head, least[schedule.Base], least[schedule.Head])
	}
	return nil
}

// checkCross checks that base's verifier tried all proofs of head, and that its result matches its counts.
func checkCross(workload *harness.Workload) error {
	cross := workload.Cross
	switch {
	case !cross.Done || cross.Proofs != workload.Verified.Head:
		return fmt.Errorf("cross has done %v and %d proofs, want true and %d: base's verifier tries every proof of head",
			cross.Done, cross.Proofs, workload.Verified.Head)
	case cross.Refused < 0 || cross.Refused > cross.Proofs || cross.Accepted != (cross.Refused == 0):
		return fmt.Errorf("cross has accepted %v and refused %d of %d proofs, a contradiction",
			cross.Accepted, cross.Refused, cross.Proofs)
	}
	return nil
}

// checkAccepted refuses a workload if base's verifier refused proofs of head and the trusted bench.yaml says that this
// ends the run: with cross: required, or cross: auto for a pull request.
func checkAccepted(workload *harness.Workload, trusted *config.File, pullRequest bool) error {
	rules, _ := trusted.Workload(configured(workload))
	required := rules.Verifies() &&
		(rules.Cross == config.CrossRequired || rules.Cross == config.CrossAuto && pullRequest)
	if !required || workload.Cross.Accepted {
		return nil
	}
	return fmt.Errorf("cross has refused %d of %d proofs of head, want 0: cross is %q in bench.yaml, which ends such a "+
		"run",
		workload.Cross.Refused, workload.Cross.Proofs, rules.Cross)
}

// checkStatements checks that the sessions proved the same statement, which must equal that of bench.yaml if it has
// one, and that head has at least base's security bits. A prover may omit both; then neither revision may report them.
func checkStatements(workload *harness.Workload, literal string) error {
	base, head := workload.BaseSession, workload.HeadSession
	want := base.Statement
	if literal != "" && want != "" {
		want = literal
	}
	for arm, session := range map[schedule.Arm]evidence.Session{schedule.Base: base, schedule.Head: head} {
		if want != "" && session.Statement != want {
			return fmt.Errorf("%s_session.statement is %q, want %q", arm, clip(session.Statement, 64), clip(want, 64))
		}
		if literal != "" && session.Statement != "" && session.Statement != literal {
			return fmt.Errorf("%s_session.statement is %q, bench.yaml has %q", arm, clip(session.Statement, 64), literal)
		}
	}
	if head.SecurityBits < base.SecurityBits {
		return fmt.Errorf("head_session.security_bits is %d, want at least base's %d", head.SecurityBits, base.SecurityBits)
	}
	return nil
}

// checkExact checks that both proofs of a pair have the same exact statement, if the samples report it.
func checkExact(workload *harness.Workload, rules *config.Workload) error {
	if len(workload.Samples) == 0 {
		return nil
	}
	for _, pair := range workload.Pairs {
		base, head := workload.Samples[pair.Base].ExactStatement, workload.Samples[pair.Head].ExactStatement
		want := base
		if rules.ExactStatement != "" && base != "" {
			want = rules.ExactStatement
		}
		unreported := head == "" && rules.Verify.Uses(config.ExactStatement) // both verifiers get base's
		if base != want || want != "" && head != want && !unreported {
			return fmt.Errorf("pair %d proves the exact statement %q in base and %q in head, want %q", pair.Number,
				clip(base, 64), clip(head, 64), clip(want, 64))
		}
	}
	return nil
}

// checkSchedule checks a workload's pairs against the schedule that follows from the plan's seed: their order, the seed
// of the attempt that counted, and that all earlier attempts are listed as dropped, within the allowed number.
func checkSchedule(report *harness.Report, workload *harness.Workload) error {
	planned, err := schedule.New(report.Plan.Pairs, schedule.Design(report.Plan.Design), report.Plan.Seed)
	if err != nil {
		return err
	}
	drops := map[int]int{}
	for _, drop := range workload.Drops {
		if drop.Pair < 1 || drop.Pair > report.Plan.Pairs {
			return fmt.Errorf("drops has pair %d, the plan has 1 to %d", drop.Pair, report.Plan.Pairs)
		}
		if len(drop.Causes) == 0 {
			return fmt.Errorf("drops has pair %d without a cause: no pair is dropped because of its times", drop.Pair)
		}
		drops[drop.Pair]++
	}
	for _, pair := range workload.Pairs {
		if pair.Host != 0 {
			return fmt.Errorf("pair %d has host %d, want 0: a result comes from one host", pair.Number, pair.Host)
		}
		want := planned.Pair(pair.Number)
		if string(pair.Order) != string(want.Order) {
			return fmt.Errorf("pair %d has the order %q, seed %d gives %q", pair.Number, clip(string(pair.Order), 4),
				report.Plan.Seed, want.Order)
		}
		if pair.Attempt != 1+drops[pair.Number] {
			return fmt.Errorf("pair %d has attempt %d, its %d drops make it attempt %d", pair.Number, pair.Attempt,
				drops[pair.Number], 1+drops[pair.Number])
		}
		if seed := planned.Seed(pair.Number, pair.Attempt); pair.Seed != seed {
			return fmt.Errorf("pair %d has the seed %d, attempt %d of seed %d has %d", pair.Number, pair.Seed, pair.Attempt,
				report.Plan.Seed, seed)
		}
		delete(drops, pair.Number)
	}
	if most := int(harness.DropLimit * float64(report.Plan.Pairs)); len(workload.Drops) > most {
		return fmt.Errorf("%d pairs of %d were dropped, at most %d may be", len(workload.Drops), report.Plan.Pairs, most)
	}
	if len(drops) > 0 {
		return fmt.Errorf("pairs %v were dropped and never measured again", slices.Sorted(maps.Keys(drops)))
	}
	return nil
}
