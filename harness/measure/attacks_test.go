package measure_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// inProcesses is the world's workload in process mode.
func inProcesses(config string) string {
	return strings.Replace(config, `session: ["{bin/prover}", session, --model, model]`,
		`process: ["{bin/prover}", prove, --model, model, --seed, "{seed}", --proof, "{proof}", --metrics, "{metrics}"]`, 1)
}

// unbound is a workload whose verifier gets no statement.
func unbound(config string) string {
	return strings.Replace(config, `, --statement, "{statement}", --exact, "{exact_statement}"]`, "]", 1)
}

// exactly is a workload whose verifier gets only the exact statement.
func exactly(config string) string {
	return strings.Replace(config, `--statement, "{statement}", `, "", 1)
}

// withKey adds a key to the workload.
func withKey(config, key string) string {
	return strings.Replace(config, "    timeout: 30s\n", "    timeout: 30s\n    "+key+"\n", 1)
}

// crossRequired is a workload whose head base's verifier has to accept.
func crossRequired(config string) string {
	return strings.Replace(config, "verify: [", "verify:\n      cross: required\n      command: [", 1)
}

const quick = "seconds=0.002 noise=0.01 "

// A proof of something else, of less, or of nothing new ends the run and names head, with a session and with processes.
func TestAttacksOnWhatIsProven(t *testing.T) {
	longtest.Only(t)
	for name, c := range map[string]struct {
		config, base, head string
		step, cause        string
		both               bool // in process mode too
		arm                schedule.Arm
	}{
		"less, and it says so": {worldConfig, "", "statement=small", failure.StepStatement,
			"the arms prove different statements", true, schedule.Head},
		"less, and it lies": {worldConfig, "", "statement=small says=claim", failure.StepVerify,
			"did not accept", true, schedule.Head},
		"less, and only its proofs say": {exactly(worldConfig), "", "statement=small says=claim exact=honest",
			failure.StepStatement, "for seed", true, schedule.Head},
		"less, and it does not say": {worldConfig, "", "statement=small says=none", failure.StepStatement,
			"head does not", false, schedule.Head},
		"less, without a session's word": {worldConfig, "exact=none", "statement=small says=claim exact=none",
			failure.StepVerify, "did not accept", true, schedule.Head},
		"another machine": {worldConfig, "", "statement=other,machine says=claim", failure.StepVerify,
			"did not accept", true, schedule.Head},
		"less, with a verifier to match": {crossRequired(worldConfig), "", "statement=small says=claim verifier=halved",
			failure.StepCross, "base's verifier refuses head's proof: invalid: the proof is of another", true, schedule.Head},
		"nothing, with a verifier to that": {crossRequired(worldConfig), "", "fault=badproof verifier=weak",
			failure.StepCross, "the checksum does not match", false, schedule.Head},
		"another seed's proof": {worldConfig, "", "fault=replay", failure.StepVerify, "did not accept", true,
			schedule.Head},
		"another seed's proof, accepted": {worldConfig, "", "fault=replay verifier=halved", failure.StepProof,
			"it is the old proof, not a new one", true, schedule.Head},
		"another seed's proof, unbound": {unbound(worldConfig), "exact=none", "fault=replay exact=none", failure.StepProof,
			"it is the old proof, not a new one", true, schedule.Head},
		"another seed's, without statements": {unbound(worldConfig), "says=none", "fault=replay says=none", failure.StepProof,
			"it is the old proof, not a new one", true, schedule.Head},
		"other than bench.yaml has": {withKey(worldConfig, "statement: "+strings.Repeat("ab", 32)), "", "",
			failure.StepStatement, "but bench.yaml has abab", true, "either"},
		"not exactly what bench.yaml has": {withKey(worldConfig, "exact_statement: "+strings.Repeat("ab", 32)), "", "",
			failure.StepStatement, "but bench.yaml has abab", true, "either"},
		"no arm states a claim": {worldConfig, "says=none", "says=none", failure.StepStatement,
			"verify names {statement}, but base reports none", true, schedule.Base},
	} {
		modes := map[string]string{"session": c.config}
		if c.both {
			modes["process"] = inProcesses(c.config)
		}
		for mode, config := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				w := newWorld(t, config)
				w.commit("base", quick+c.base)
				w.commit("head", quick+"seconds=0.001 "+c.head)
				r := w.compare(w.options("base..head"), failure.ExitFailed)
				if f := r.Failure; f.Step != c.step || !strings.Contains(f.Cause+f.LogTail, c.cause) ||
					f.Arm != c.arm && c.arm != "either" {
					t.Errorf("step %s of %s: %s\n%s", f.Step, f.Arm, f.Cause, f.LogTail)
				}
				if r.Workloads[0].Stats != nil {
					t.Errorf("a verdict: %s", r.Workloads[0].Stats.Verdict)
				}
			})
		}
	}
}

// If bench.yaml declares why, base's verifier may refuse head's proofs, and the report says so. In a pull request's run
// a refusal ends the run.
func TestBaseRefusesHeadsProofs(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.004 noise=0.005")
	w.commit("head", "seconds=0.002 noise=0.005 format=2")
	o := w.options("base..head")
	r := w.compare(o, failure.ExitOK)
	if c := r.Workloads[0].Cross; !c.Done || c.Accepted || c.Proofs != 10 || c.Refused != 10 ||
		!strings.Contains(c.Text, "unknown proof format") {
		t.Errorf("%+v, want all 10 proofs refused", c)
	}
	o = w.options("base..head")
	o.PullRequest = true
	if r := w.compare(o, failure.ExitFailed); r.Failure.Step != failure.StepCross || r.Failure.Arm != schedule.Head ||
		r.Failure.Proof == "" {
		t.Errorf("%+v", r.Failure)
	}
	o.NewProofFormat = true
	if r := w.compare(o, failure.ExitOK); !r.NewProofFormat || r.Workloads[0].Cross.Refused != 10 ||
		r.Workloads[0].Stats.Verdict != stats.Improvement {
		t.Errorf("declared: %+v", r.Workloads[0].Cross)
	}
	o.NewProofFormat, o.AllowDifferentStatement = false, true
	w.compare(o, failure.ExitOK)

	reported := newWorld(t, strings.Replace(crossRequired(worldConfig), "required", "reported", 1))
	reported.commit("base", quick)
	reported.commit("head", quick+"format=2")
	o = reported.options("base..head")
	o.PullRequest = true
	reported.compare(o, failure.ExitOK)
}

// A fixed input gives the same proof for every seed. This is allowed if base does the same, and reported.
func TestFixedInput(t *testing.T) {
	longtest.Only(t)
	for name, config := range map[string]string{
		"session": worldConfig,
		"process": inProcesses(worldConfig),
		"unbound": unbound(worldConfig),
	} {
		w := newWorld(t, config)
		says := ""
		if name == "unbound" {
			says = " says=none"
		}
		w.commit("base", quick+"input=fixed"+says)
		w.commit("head", quick+"input=fixed"+says)
		w.commit("drawn", quick+says)
		r := w.compare(w.options("base..head"), failure.ExitOK)
		if !warned(r.Workloads[0], "fixed input") || r.Workloads[0].Unbound != (name == "unbound") ||
			warned(r.Workloads[0], "unbound") != r.Workloads[0].Unbound {
			t.Errorf("%s: warnings %v", name, r.Workloads[0].Warnings)
		}
		if r := w.compare(w.options("drawn..head"), failure.ExitFailed); r.Failure.Arm != schedule.Head {
			t.Errorf("%s: head alone has a fixed input: %+v", name, r.Failure)
		}
	}
}

func warned(w report.Workload, kind string) bool {
	for _, warning := range w.Warnings {
		if warning.Kind == kind {
			return true
		}
	}
	return false
}

// A base whose proofs do not state exactly what they prove is judged by its statement.
func TestABaseOfBefore(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", quick+"exact=none")
	w.commit("head", quick)
	r := w.compare(w.options("base..head"), failure.ExitOK)
	if !warned(r.Workloads[0], "statement") {
		t.Errorf("warnings %v", r.Workloads[0].Warnings)
	}
	// In the reverse case, base's claim applies to both.
	w.compare(w.options("head..base"), failure.ExitOK)
}

// Both verifiers receive base's claim for every proof. Each proof is verified by the artifacts of its revision, and
// head's proofs by base's too. The verifiers' own logs show this, and that each was challenged once.
func TestEveryProofIsVerifiedAsBaseSays(t *testing.T) {
	for mode, config := range map[string]string{"session": worldConfig, "process": inProcesses(worldConfig)} {
		w := newWorld(t, strings.Replace(config, "{settle: 0, pairs: 8, seed: 7, launches: 1}",
			"{settle: 0, pairs: 8, seed: 7, launches: 1, warmup: 2}", 1))
		w.commit("base", quick)
		w.commit("head", quick)
		r := w.compare(w.options("base..head"), failure.ExitOK)
		load := r.Workloads[0]
		said := map[uint64]string{}
		for _, s := range load.Samples {
			if s.Arm == schedule.Base {
				said[s.Seed] = s.ExactStatement
			}
		}
		for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
			text, err := os.ReadFile(filepath.Join(r.Paths.Logs, "quick-"+string(arm)+"-verifier.log"))
			if err != nil {
				t.Fatal(err)
			}
			calls := strings.Count(string(text), "verify ")
			want := 0
			for _, s := range load.Samples {
				if s.Arm == schedule.Base && arm == schedule.Head {
					continue
				}
				want++
				line := "verify " + s.ProofSHA256 + " statement=" + load.BaseSession.Statement + " exact=" + said[s.Seed] + `: ""`
				if said[s.Seed] == "" || !strings.Contains(string(text), line) {
					t.Errorf("%s: the verifier of %s never said %q", mode, arm, line)
				}
			}
			const challenges = 2 // an altered proof, and one for another statement: both refused
			if refused := strings.Count(string(text), "invalid: "); calls != want+challenges || refused != challenges {
				t.Errorf("%s: the verifier of %s was called %d times for %d proofs, and refused %d", mode, arm, calls, want,
					refused)
			}
		}
		if load.Verified.Base+load.Verified.Head != len(load.Samples) || load.Cross.Proofs != load.Verified.Head {
			t.Errorf("%s: %d samples, %+v verified, %+v", mode, len(load.Samples), load.Verified, load.Cross)
		}
	}
}

// An invalid proof at any position ends the run there, whichever arm made it.
func TestABadProofAnywhere(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, strings.Replace(worldConfig, "pairs: 8", "pairs: 6", 1))
	w.commit("good", quick)
	for _, at := range []string{"1", "2", "3", "5", "7"} { // the first is a warm-up, the last belongs to pair 6
		w.commit("bad"+at, quick+"fault=badproof at="+at)
		for _, c := range []struct {
			spec string
			arm  schedule.Arm
		}{{"good..bad" + at, schedule.Head}, {"bad" + at + "..good", schedule.Base}} {
			r := w.compare(w.options(c.spec), failure.ExitFailed)
			load := r.Workloads[0]
			if f := r.Failure; f.Step != failure.StepVerify || f.Arm != c.arm {
				t.Errorf("%s: %+v", c.spec, f)
			}
			unverified, made := 0, 0
			for _, s := range load.Samples {
				if s.Arm == c.arm {
					made++
					if !s.Verified {
						unverified++
					}
				}
			}
			if unverified != 1 || fmt.Sprint(made) != at {
				t.Errorf("%s: %s made %d proofs, of which %d are not verified", c.spec, c.arm, made, unverified)
			}
		}
	}
}

// The verified proof is the proof that was handed over. If its session changes, extends or removes it meanwhile, the
// run ends.
func TestAProofThatChanges(t *testing.T) {
	const made, changed = "the quick proof", "was changed or removed after it was handed over"
	sum := sha256.Sum256([]byte(made))
	sample := evidence.Sample{
		ProofSHA256: hex.EncodeToString(sum[:]),
		Metrics:     map[string]float64{"proof_bytes": float64(len(made))},
	}
	for now, want := range map[string]string{
		made: "", "the later proof": changed, made + " and more": changed, "the quick": changed, "": changed,
	} {
		proof, folder := filepath.Join(t.TempDir(), "quick-1.proof"), t.TempDir()
		if now != "" {
			if err := os.WriteFile(proof, []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		copied, err := measure.Hand(t.Context(), proof, folder, sample)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", now, err, want)
			}
			continue
		}
		text, readErr := os.ReadFile(copied)
		if _, there := os.Stat(proof); err != nil || readErr != nil || string(text) != made || there == nil ||
			filepath.Dir(copied) != folder {
			t.Errorf("%v, %v: %q", err, readErr, text)
		}
	}
}

// A proof that was journalled but not verified before the run was killed does not count, and its pair is measured
// again.
func TestUnverifiedProofsDoNotCount(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", quick)
	w.commit("head", quick)
	whole := w.compare(w.options("base..head"), failure.ExitOK)
	dir := journal.Directory(whole.Paths.Directory)
	records, err := journal.Read(dir.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	var samples []int
	for i, record := range records {
		if record.Kind == "sample" {
			samples = append(samples, i)
		}
	}
	// Two warm-ups come first: the third and the fourth proof belong to pair 1.
	killed := truncate(t, dir, samples[3]+1)
	before, err := report.Load(killed)
	if err != nil || len(before.Workloads[0].Samples) != 4 || len(before.Workloads[0].Pairs) != 0 {
		t.Fatalf("%d samples, %d pairs: %v", len(before.Workloads[0].Samples), len(before.Workloads[0].Pairs), err)
	}
	r, err := measure.Resume(t.Context(), killed, w.controls())
	if err != nil {
		t.Fatal(err)
	}
	load := r.Workloads[0]
	if len(load.Pairs) != 8 || len(load.Drops) != 1 || load.Drops[0].Pair != 1 ||
		load.Drops[0].Causes[0].Kind != "interrupted" {
		t.Errorf("%d pairs, drops %+v", len(load.Pairs), load.Drops)
	}
	checkPairs(t, load)
	checkAgain(t, load)
}
