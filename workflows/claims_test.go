package workflows

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// claimsPlan is a plan with the commits and bench.yaml of these tests' report.
func claimsPlan() *Plan {
	return &Plan{
		Schema:    planSchema,
		Base:      strings.Repeat("a", 40),
		Head:      strings.Repeat("b", 40),
		Workloads: []string{"keccak"},
		Deadline:  "2h",
	}
}

// judgeClaims checks a result under that bench.yaml, after a change.
func judgeClaims(t *testing.T, bench string, change func(result *result)) error {
	t.Helper()
	plan, trusted := claimsPlan(), parseBench(t, bench)
	result := resultOf(plan, madeUpReport(t, plan, 1.1))
	result.Report.Run.ConfigSHA256 = trusted.SHA256
	change(result)
	data, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	_, err = checkResult(data, plan, trusted)
	return err
}

// ofWorkload changes the only workload of a result.
func ofWorkload(change func(workload *harness.Workload)) func(result *result) {
	return func(result *result) { change(&result.Report.Workloads[0]) }
}

// sampled adds samples with these exact statements to every pair.
func sampled(workload *harness.Workload, base, head string) {
	for i := range workload.Pairs {
		pair := &workload.Pairs[i]
		pair.Base, pair.Head = 2*i, 2*i+1
		for _, one := range []evidence.Sample{
			{Arm: schedule.Base, ExactStatement: base}, {Arm: schedule.Head, ExactStatement: head},
		} {
			value := pair.A
			if one.Arm == schedule.Head {
				value = pair.B
			}
			one.Kind, one.Metrics = evidence.Measured, map[string]float64{"prove_seconds": value}
			workload.Samples = append(workload.Samples, one)
		}
	}
}

// bound is worldBench with a verifier that gets the exact statement.
var bound = strings.Replace(worldBench, `verify: ["{prover}", "{proof}"]`,
	`verify: ["{prover}", "{proof}", "{exact_statement}"]`, 1)

// withCross is worldBench with a rule for the case that base's verifier refuses a proof of head.
func withCross(rule string) string {
	return strings.Replace(worldBench, `verify: ["{prover}", "{proof}"]`,
		`verify: {command: ["{prover}", "{proof}"], cross: `+rule+`}`, 1)
}

// withLine is a bench.yaml with an additional line in its first workload.
func withLine(bench, line string) string {
	return strings.Replace(bench, "  - name: quick", "    "+line+"\n  - name: quick", 1)
}

// All claims of a result besides its figures are checked against the trusted bench.yaml and against each other, field
// by field.
func TestResultClaims(t *testing.T) {
	for name, test := range map[string]struct {
		change func(result *result)
		want   string
	}{
		"one proof not verified": {ofWorkload(func(w *harness.Workload) { w.Verified.Head = 14 }),
			"verified is {base 15, head 14}, proofs_made is 30"},
		"verified counts moved to base": {ofWorkload(func(w *harness.Workload) { w.Verified = evidence.Verified{Base: 30} }),
			"verified is {base 30, head 0}, the counted times are of {base 14, head 14} proofs"},
		"a negative count": {ofWorkload(func(w *harness.Workload) { w.Verified = evidence.Verified{Base: 31, Head: -1} }),
			"verified is {base 31, head -1}"},
		"fewer proofs than pairs": {ofWorkload(func(w *harness.Workload) {
			w.Verified, w.ProofsMade = evidence.Verified{Base: 13, Head: 13}, 26
			w.Cross.Proofs = 13
		}), "the counted times are of {base 14, head 14} proofs"},
		"one proof not tried by base": {ofWorkload(func(w *harness.Workload) { w.Cross.Proofs = 14 }),
			"cross has done true and 14 proofs, want true and 15"},
		"accepted, although one was refused": {ofWorkload(func(w *harness.Workload) { w.Cross.Refused = 1 }),
			"cross has accepted true and refused 1 of 15 proofs"},
		"refused, although none was": {ofWorkload(func(w *harness.Workload) { w.Cross.Accepted = false }),
			"cross has accepted false and refused 0 of 15 proofs"},
		"more refused than tried": {ofWorkload(func(w *harness.Workload) {
			w.Cross.Accepted, w.Cross.Refused = false, 16
		}), "refused 16 of 15 proofs, a contradiction"},
		"verified counts moved to head": {ofWorkload(func(w *harness.Workload) {
			w.Verified, w.Cross.Proofs = evidence.Verified{Head: 30}, 30
		}), "verified is {base 0, head 30}, the counted times are of {base 14, head 14} proofs"},
		"a bound verifier": {ofWorkload(func(w *harness.Workload) { w.Unbound = false }),
			"unbound is false, want true by verify in bench.yaml and the challenges"},
		"a session": {ofWorkload(func(w *harness.Workload) { w.Mode = "session" }),
			"mode is \"session\", bench.yaml says \"process\""},
		"a statement that only base says": {ofWorkload(func(w *harness.Workload) { w.BaseSession.Statement = "aa" }),
			"head_session.statement is \"\", want \"aa\""},
		"fewer bits": {ofWorkload(func(w *harness.Workload) {
			w.BaseSession.SecurityBits, w.HeadSession.SecurityBits = 100, 80
		}), "head_session.security_bits is 80, want at least base's 100"},
		"another exact statement": {ofWorkload(func(w *harness.Workload) { sampled(w, "aa", "bb") }),
			"pair 1 proves the exact statement \"aa\" in base and \"bb\" in head"},
		"an exact statement that only base says": {ofWorkload(func(w *harness.Workload) { sampled(w, "aa", "") }),
			"pair 1 proves the exact statement \"aa\" in base and \"\" in head"},
		"another seed": {ofWorkload(func(w *harness.Workload) { w.Pairs[3].Seed++ }), "pair 4 has the seed"},
		"another attempt": {ofWorkload(func(w *harness.Workload) { w.Pairs[3].Attempt = 2 }),
			"pair 4 has attempt 2, its 0 drops make it attempt 1"},
		"a drop that was not measured again": {ofWorkload(func(w *harness.Workload) { w.Drops = dropped(4) }),
			"pair 4 has attempt 1, its 1 drops make it attempt 2"},
		"a drop without a cause": {ofWorkload(func(w *harness.Workload) { w.Drops = []evidence.Drop{{Pair: 4}} }),
			"drops has pair 4 without a cause"},
		"a drop without a pair": {ofWorkload(func(w *harness.Workload) { w.Drops = dropped(15) }), "drops has pair 15"},
		"too many drops": {ofWorkload(func(w *harness.Workload) {
			w.Drops = dropped(1, 2, 3, 4)
			for i := range 4 {
				again(t, w, i)
			}
		}), "4 pairs of 14 were dropped, at most 3 may be"},
		"a host of several": {ofWorkload(func(w *harness.Workload) { w.Pairs[0].Host = 1 }),
			"pair 1 has host 1, want 0"},
		"several hosts": {func(result *result) { result.Report.Hosts = make([]harness.HostRun, 2) },
			"hosts has 2 entries, want none"},
		"a different statement allowed": {func(result *result) { result.Report.DifferentStatement = true },
			"different_statement is true, want false"},
		"a new format declared": {func(result *result) { result.Report.NewProofFormat = true },
			"new_proof_format is true, want false"},
		"the same revision twice": {func(result *result) { result.Report.AA = true }, "a_a is true, base and head say false"},
		"a dirty head": {func(result *result) { result.Report.Head.Dirty = true },
			"head was measured with changes"},
		"another environment of base": {func(result *result) {
			result.Report.Base.Env = map[string]string{"SLOW": "1"}
		}, "base was measured with changes that its commit lacks: dirty is false, env has 1 variables"},
		"another design": {func(result *result) { result.Report.Plan.Design = "alternating" },
			"the design \"alternating\", bench.yaml says \"abba\""},
		"no warm-up": {func(result *result) { result.Report.Plan.Warmup = 0 },
			"warmup 0 and settle 0, bench.yaml says 1 and 0"},
		"more settling": {func(result *result) { result.Report.Plan.Settle = 5 },
			"warmup 1 and settle 5, bench.yaml says 1 and 0"},
		"one resident": {func(result *result) { result.Report.Plan.Resident = "one" },
			"resident \"one\", bench.yaml says \"both\""},
		"a cooldown": {func(result *result) { result.Report.Plan.CooldownSeconds = 9 },
			"a cooldown of 9 s, bench.yaml says 0 s"},
		"a chosen seed": {func(result *result) { result.Report.Plan.SeedDrawn = false },
			"the seed 5, seed_drawn false: an executor draws its seed"},
		"a run of years": {func(result *result) { result.Report.Run.Finished = time.Unix(1e9, 0) }, "its run took"},
		"a run that ends before it begins": {func(result *result) { result.Report.Run.Started = time.Unix(1e9, 0) },
			"its run took -"},
		"a result from before its start": {func(result *result) { result.Started = time.Unix(1e9, 0) },
			"before it was started"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := judgeClaims(t, worldBench, test.change); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want a refusal with %q", err, test.want)
			}
		})
	}
}

// A claim is accepted only if bench.yaml allows it.
func TestResultClaimsByRules(t *testing.T) {
	refused := ofWorkload(func(w *harness.Workload) {
		w.Cross = evidence.CrossCheck{Done: true, Proofs: 15, Refused: 15, Text: "no"}
	})
	told := func(base, head string) func(result *result) {
		return ofWorkload(func(w *harness.Workload) {
			w.BaseSession.Statement, w.HeadSession.Statement = base, head
		})
	}
	unboundTold := func(change func(result *result)) func(result *result) {
		return func(result *result) {
			result.Report.Workloads[0].Unbound = false
			change(result)
		}
	}
	literal := withLine(worldBench, "statement: abcd")
	for name, test := range map[string]struct {
		bench  string
		change func(result *result)
		want   string // empty: the claim passes
	}{
		"as it is":                        {worldBench, func(*result) {}, ""},
		"refused, which is only reported": {withCross("reported"), refused, ""},
		"refused, which is required":      {withCross("required"), refused, "cross is \"required\""},
		"the same statement":              {worldBench, told("aa", "aa"), ""},
		"a statement of head only":        {worldBench, told("", "aa"), ""},
		"the statement of bench.yaml":     {literal, told("abcd", "abcd"), ""},
		"both another than bench.yaml":    {literal, told("aa", "aa"), "statement is \"aa\", want \"abcd\""},
		"head another than bench.yaml": {literal, told("", "aa"),
			"head_session.statement is \"aa\", bench.yaml has \"abcd\""},
		"the same exact statements": {worldBench,
			ofWorkload(func(w *harness.Workload) { sampled(w, "aa", "aa") }), ""},
		"exact statements that the verifier receives": {bound, unboundTold(ofWorkload(func(w *harness.Workload) {
			sampled(w, "aa", "")
		})), ""},
		"the exact statement of bench.yaml": {withLine(bound, "exact_statement: abcd"),
			unboundTold(ofWorkload(func(w *harness.Workload) { sampled(w, "abcd", "abcd") })), ""},
		"another than the exact statement of bench.yaml": {withLine(bound, "exact_statement: abcd"),
			unboundTold(ofWorkload(func(w *harness.Workload) { sampled(w, "aa", "aa") })), "want \"abcd\""},
		"base another than bench.yaml, head unreported": {withLine(bound, "exact_statement: abcd"),
			unboundTold(ofWorkload(func(w *harness.Workload) { sampled(w, "aa", "") })), "want \"abcd\""},
		"a verifier that receives it": {bound, func(*result) {},
			"unbound is true, want false by verify in bench.yaml and the challenges"},
		"three drops": {worldBench, ofWorkload(func(w *harness.Workload) {
			w.Drops = dropped(1, 2, 3)
			for i := range 3 {
				again(t, w, i)
			}
		}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := judgeClaims(t, test.bench, test.change)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// dropped lists pairs that were dropped once.
func dropped(pairs ...int) []evidence.Drop {
	var list []evidence.Drop
	for _, pair := range pairs {
		list = append(list, evidence.Drop{Pair: pair, Attempt: 1, Causes: []evidence.Cause{{Kind: "steal"}}})
	}
	return list
}

// again marks a pair as counted at its second attempt.
func again(t *testing.T, workload *harness.Workload, at int) {
	t.Helper()
	pair := &workload.Pairs[at]
	pair.Attempt, pair.Seed = 2, scheduled(t).Seed(pair.Number, 2)
}

// The orders of pairs follow from the seed of the plan, and dropped pairs were measured again.
func TestSchedulesOfResults(t *testing.T) {
	for name, test := range map[string]struct {
		change func(report *harness.Report, workload *harness.Workload)
		want   string
	}{
		"another order": {func(report *harness.Report, workload *harness.Workload) {
			workload.Pairs[0].Order = workload.Pairs[1].Order
		}, "pair 1 has the order"},
		"a pair dropped and left out": {func(report *harness.Report, workload *harness.Workload) {
			workload.Pairs, workload.Drops = workload.Pairs[:8], dropped(9)
		}, "pairs [9] were dropped and never measured again"},
		"as it is": {func(*harness.Report, *harness.Workload) {}, ""},
	} {
		report := madeUpReport(t, claimsPlan(), 1.1)
		test.change(report, &report.Workloads[0])
		err := checkSchedule(report, &report.Workloads[0])
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// In a pre-check, head's times count without base's.
func TestProofsOfHeadAloneAreVerified(t *testing.T) {
	workload := harness.Workload{ProofsMade: 4, Verified: evidence.Verified{Base: 3, Head: 1}}
	for range 2 {
		workload.Samples = append(workload.Samples, evidence.Sample{Kind: evidence.PreCheck, Arm: schedule.Head})
	}
	if err := checkVerified(&workload); err == nil || !strings.Contains(err.Error(), "{base 0, head 2} proofs") {
		t.Errorf("%v", err)
	}
	workload.Verified = evidence.Verified{Base: 2, Head: 2}
	if err := checkVerified(&workload); err != nil {
		t.Error(err)
	}
}
