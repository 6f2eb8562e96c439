package measure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// headsWorld has a base and heads that are slower, the same and faster.
func headsWorld(t *testing.T, config string) *world {
	w := newWorld(t, config)
	w.commit("base", "seconds=0.005")
	w.commit("slow", "seconds=0.0056")
	w.commit("same", "seconds=0.005 ")
	w.commit("fast", "seconds=0.0044")
	return w
}

func (w *world) heads(base string, heads ...string) harness.Options {
	o := w.options(base + ".." + heads[0])
	o.Heads = heads[1:]
	return o
}

// Every head has its verdict, every proof of every arm is verified, and all arms of a pair have its seed.
func TestSeveralHeads(t *testing.T) {
	longtest.Only(t)
	w := headsWorld(t, strings.Replace(twoWorkloads, "pairs: 8", "pairs: 14", 1))
	r := w.compare(w.heads("base", "slow", "same", "fast"), failure.ExitRegression)
	if r.State != report.Complete || len(r.Heads) != 3 || len(r.Workloads) != 6 {
		t.Fatalf("%s with %d heads and %d workloads", r.State, len(r.Heads), len(r.Workloads))
	}
	want := map[string]stats.Verdict{"slow": stats.Regression, "fast": stats.Improvement}
	for i, load := range r.Workloads {
		head := r.HeadOf(&load)
		if load.HeadNumber != i%3+1 || load.Name != load.Of+"."+head.Ref {
			t.Errorf("workload %d is %s, head %d (%s) of %s", i, load.Name, load.HeadNumber, head.Ref, load.Of)
		}
		verdict, changed := want[head.Ref]
		if f := load.Family; f == nil || f.Heads != 3 || f.Workloads != 2 || f.Upheld != changed {
			t.Errorf("%s: family %+v", load.Name, f)
		} else if ci, own := f.OfHead.EffectCIPercent, load.Stats.EffectCIPercent; ci.High-ci.Low <= own.High-own.Low {
			t.Errorf("%s: the simultaneous interval %v is no wider than %v", load.Name, ci, load.Stats.EffectCIPercent)
		}
		called := load.Verdict() == stats.Regression || load.Verdict() == stats.Improvement
		if called != changed || changed && load.Verdict() != verdict {
			t.Errorf("%s: %s", load.Name, load.Verdict())
		}
		if made := load.Verified.Base + load.Verified.Head; made != load.ProofsMade || made == 0 || !load.Cross.Accepted ||
			load.Cross.Proofs != load.Verified.Head {
			t.Errorf("%s: %d proofs, verified %+v, cross %+v", load.Name, load.ProofsMade, load.Verified, load.Cross)
		}
		if load.ProofsMade != load.ProofsPlanned {
			t.Errorf("%s: %d proofs made, %d planned", load.Name, load.ProofsMade, load.ProofsPlanned)
		}
		checkPairs(t, load)
		for _, s := range load.Samples {
			if s.Arm != schedule.Base && s.Arm != schedule.Head || s.Waiting != nil {
				t.Errorf("%s has a sample of %s", load.Name, s.Arm)
			}
		}
	}
	bySeed := map[uint64]int{}
	for _, load := range r.Workloads[:3] {
		for _, p := range load.Pairs {
			bySeed[p.Seed]++
		}
	}
	for seed, n := range bySeed {
		if n != 3 || len(bySeed) != 14 {
			t.Errorf("seed %d is that of %d heads' pairs", seed, n)
		}
	}
}

// A failure of one head ends the run, and the error names that head.
func TestHeadsThatAreWrong(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		model, step string
	}{
		{"fault=badproof at=3", failure.StepVerify},
		{"format=2", failure.StepCross},
		{"statement=less", failure.StepStatement},
		{"bits=100", failure.StepStatement},
		{"fault=replay at=3", failure.StepVerify},
		{"spin=2", failure.StepIdle},
		{"verifier=halved statement=less says=claim", failure.StepCross},
	} {
		t.Run(c.model, func(t *testing.T) {
			w := newWorld(t, worldConfig)
			w.commit("base", "")
			w.commit("good", "seconds=0.0051")
			w.commit("bad", c.model)
			o := w.heads("base", "good", "bad")
			o.PullRequest = true
			r, err := harness.Compare(t.Context(), o)
			if err == nil || r.Failure == nil || r.Failure.Step != c.step || r.Failure.Arm != "head2" ||
				r.Failure.SHA != r.Heads[1].SHA {
				t.Fatalf("error %v, failure %+v; want the step %s of head2", err, r.Failure, c.step)
			}
		})
	}
}

// A pair is dropped with all its arms if any arm was disturbed, and all of them are measured again.
func TestDropsOfHeads(t *testing.T) {
	w := headsWorld(t, worldConfig)
	disturbed := 0
	w.observe = func() measure.Observer {
		return &scripted{causes: func(n int) []environment.Cause {
			if n == 6 || n == 15 {
				disturbed++
				return []environment.Cause{{Kind: environment.Others, Detail: "others took a CPU"}}
			}
			return nil
		}}
	}
	r := w.compare(w.heads("base", "slow", "same", "fast"), failure.ExitOK, failure.ExitRegression)
	seeds := map[int]uint64{}
	for _, load := range r.Workloads {
		if len(load.Drops) != disturbed || len(load.Pairs) != 8 {
			t.Errorf("%s: %d pairs, %d dropped, want 8 and %d", load.Name, len(load.Pairs), len(load.Drops), disturbed)
		}
		for _, drop := range load.Drops {
			if len(drop.Causes) != 1 {
				t.Errorf("%s: pair %d was dropped for %v", load.Name, drop.Pair, drop.Causes)
			}
		}
		for _, p := range load.Pairs {
			if seeds[p.Number] == 0 {
				seeds[p.Number] = p.Seed
			}
			if seeds[p.Number] != p.Seed {
				t.Errorf("%s: pair %d counts with another seed than that of the other heads", load.Name, p.Number)
			}
		}
	}
}

// Only the proving session is kept if bench.yaml says so.
func TestHeadsOneAtATime(t *testing.T) {
	w := headsWorld(t, strings.Replace(worldConfig, "launches: 1", "resident: one, warmup: 1", 1))
	r := w.compare(w.heads("base", "slow", "fast"), failure.ExitOK, failure.ExitRegression)
	for _, load := range r.Workloads {
		if load.BaseIdle != nil || load.HeadIdle != nil {
			t.Errorf("%s: a session waited: %v, %v", load.Name, load.BaseIdle, load.HeadIdle)
		}
		if load.ProofsMade != load.ProofsPlanned {
			t.Errorf("%s: %d proofs made, %d planned", load.Name, load.ProofsMade, load.ProofsPlanned)
		}
	}
}

// Wherever a run of several heads is killed, the resumed run has every pair once and the same result.
func TestResumeHeadsFromAnywhere(t *testing.T) {
	longtest.Only(t)
	w := headsWorld(t, twoWorkloads)
	whole := w.compare(w.heads("base", "slow", "same"), failure.ExitOK, failure.ExitRegression)
	dir := journal.Directory(whole.Paths.Directory)
	records, err := journal.Read(dir.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range cuts(records) {
		killed := truncate(t, dir, cut)
		before, err := report.Load(killed)
		if err != nil || before.State != report.Partial {
			t.Fatalf("cut after %d records: the report before resuming: %+v, %v", cut, before, err)
		}
		r, err := measure.Resume(t.Context(), killed, w.controls())
		if err != nil {
			t.Fatalf("cut after %d records (%s): %v", cut, records[cut].Kind, err)
		}
		again := map[string]int{} // a pair is measured again for all heads
		for _, load := range r.Workloads {
			for _, drop := range load.Drops {
				for _, head := range []string{"slow", "same"} {
					again[strings.TrimSuffix(load.Name, filepath.Ext(load.Name))+"."+head] = drop.Pair
				}
			}
			checkAgain(t, load)
			checkPairs(t, load)
		}
		if got, want := outcome(t, r, again), outcome(t, whole, again); !bytes.Equal(got, want) {
			t.Fatalf("cut after %d records (%s): another outcome\n%s\nwant\n%s", cut, records[cut].Kind, got, want)
		}
		if err := os.RemoveAll(string(killed)); err != nil {
			t.Fatal(err)
		}
	}
}

// Base's verifier checks the proofs of every head, and each head has the results for its own proofs.
func TestCrossOfHeads(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.commit("good", "seconds=0.0051")
	w.commit("other", "format=2")
	r := w.compare(w.heads("base", "good", "other"), failure.ExitOK, failure.ExitRegression)
	for i, load := range r.Workloads {
		if c := load.Cross; !c.Done || c.Accepted != (i == 0) || c.Proofs != load.Verified.Head {
			t.Errorf("%s: cross %+v of %d proofs", load.Name, c, load.Verified.Head)
		}
	}
}

// At every interim analysis, a pair counts for all heads or for none.
func TestPairsOfAllHeads(t *testing.T) {
	w := headsWorld(t, worldConfig)
	whole := w.compare(w.heads("base", "slow", "same", "fast"), failure.ExitOK, failure.ExitRegression)
	dir := journal.Directory(whole.Paths.Directory)
	records, err := journal.Read(dir.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	for cut, record := range records {
		if record.Kind != "verified" {
			continue
		}
		killed := truncate(t, dir, cut+1)
		r, err := report.Load(killed)
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range r.Workloads {
			if len(load.Pairs) != len(r.Workloads[0].Pairs) {
				t.Errorf("after %d records %s has %d pairs and %s %d", cut+1, load.Name, len(load.Pairs), r.Workloads[0].Name,
					len(r.Workloads[0].Pairs))
			}
		}
		if err := os.RemoveAll(string(killed)); err != nil {
			t.Fatal(err)
		}
	}
}

// A stopped run shows the results so far for every head, without a verdict.
func TestStopHeads(t *testing.T) {
	w := headsWorld(t, worldConfig)
	o := w.heads("base", "slow", "same")
	stop := make(chan struct{})
	o.Stop = stop
	proofs := 0
	o.Notify = func(n measure.Notice) {
		if proofs = max(proofs, n.Proofs); proofs == 12 {
			proofs++
			close(stop)
		}
	}
	r, err := harness.Compare(context.Background(), o)
	if report.ExitCode(r, err) != failure.ExitInterrupted || r.State != report.Partial || len(r.Workloads) != 2 {
		t.Fatalf("%v: %s with %d workloads", err, r.State, len(r.Workloads))
	}
	for _, load := range r.Workloads {
		if load.Stats != nil || load.Family != nil || len(load.Pairs) == 0 || len(load.Pairs) == 8 {
			t.Errorf("%s: %d pairs, %v", load.Name, len(load.Pairs), load.Stats)
		}
	}
	if whole, err := measure.Resume(t.Context(), journal.Directory(r.Paths.Directory), w.controls()); err != nil ||
		whole.State != report.Complete {
		t.Errorf("resumed: %v", err)
	}
}

// The journal of a run of two arms does not mention several heads.
func TestOneHeadHasNoHeads(t *testing.T) {
	w := headsWorld(t, worldConfig)
	one := w.compare(w.options("base..slow"), failure.ExitOK, failure.ExitRegression)
	text, err := json.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"heads"`, `"head_number"`, `"of_head"`, `"waiting"`, "further_heads"} {
		if bytes.Contains(text, []byte(key)) {
			t.Errorf("report.json of one head has the key %s", key)
		}
	}
}

func TestHeadsAreRefused(t *testing.T) {
	w := headsWorld(t, worldConfig)
	w.git("tag", "slow-again", "slow")
	for want, change := range map[string]func(o *harness.Options){
		"slow and slow-again are the same": func(o *harness.Options) { o.Heads = []string{"slow-again"} },
		"nowhere":                          func(o *harness.Options) { o.Heads = []string{"nowhere"} },
		"--dirty":                          func(o *harness.Options) { o.Dirty = true },
		"--precheck 1":                     func(o *harness.Options) { o.PreCheck = 1 },
		"set --analyses 1":                 func(o *harness.Options) { o.Analyses = 2 },
		"shows only one head":              func(o *harness.Options) { o.OneWorkload = true },
		"9 heads: at most 8": func(o *harness.Options) {
			o.Heads = slices.Repeat([]string{"same"}, 8)
		},
	} {
		o := w.heads("base", "slow", "same")
		w.git("checkout", "-q", "slow")
		change(&o)
		_, err := harness.Compare(t.Context(), o)
		if report.ExitCode(nil, err) != failure.ExitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want a usage error with %q", err, want)
		}
	}
}

// The plan of several heads reports their cost.
func TestPredictHeads(t *testing.T) {
	w := headsWorld(t, worldConfig)
	made := 0
	f, err := harness.Predict(t.Context(), w.heads("base", "slow", "same", "fast"))
	if err != nil {
		t.Fatal(err)
	}
	r := w.compare(w.heads("base", "slow", "same", "fast"), failure.ExitOK, failure.ExitRegression)
	records, err := journal.Read(journal.Directory(r.Paths.Directory).JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if record.Kind == "sample" {
			made++
		}
	}
	if planned := f.Workloads[0].Proofs; planned != made {
		t.Errorf("%d proofs were predicted, %d made", planned, made)
	}
	again, err := harness.Predict(t.Context(), w.heads("base", "slow", "same", "fast"))
	if err != nil || again.Workloads[0].Left <= 0 || math.IsNaN(again.Workloads[0].Left.Seconds()) {
		t.Errorf("after a run no time is predicted: %v", err)
	}
}

// Several commands without a repository.
func TestSeveralCommands(t *testing.T) {
	w := newWorld(t, worldConfig)
	command := func(seconds string) []string { return []string{"sleep", seconds} }
	o := harness.Options{Controls: w.controls()}
	o.Directory, o.Pairs = w.dir, 12
	o.Commands = &plan.Commands{
		Base:    plan.Command{Argv: command("0.02"), Label: "base"},
		Head:    plan.Command{Argv: command("0.03"), Label: "late"},
		Further: []plan.Command{{Argv: command("0.01"), Label: "early"}},
	}
	r := w.compare(o, failure.ExitOK, failure.ExitRegression)
	if len(r.Workloads) != 2 || r.Heads[1].Label() != "early" || r.Workloads[1].Name != "command.early" {
		t.Fatalf("%d workloads of %v", len(r.Workloads), r.Heads)
	}
	if late, early := r.Workloads[0].Stats.EffectPercent, r.Workloads[1].Stats.EffectPercent; late > -10 || early < 10 {
		t.Errorf("late is %g %% faster, early %g %%", float64(late), float64(early))
	}
	o.Commands.Further[0].Label = "late"
	if _, err := harness.Compare(t.Context(), o); err == nil || !strings.Contains(err.Error(), "both called late") {
		t.Errorf("two commands of one name: %v", err)
	}
}

// A view of one head has nothing of the others except why their pairs were dropped.
func TestAgainst(t *testing.T) {
	w := headsWorld(t, worldConfig)
	r := w.compare(w.heads("base", "slow", "same"), failure.ExitOK, failure.ExitRegression)
	for _, load := range r.Workloads {
		for _, s := range load.Samples {
			if s.Kind == evidence.Measured && s.Order != stats.OrderAB && s.Order != stats.OrderBA {
				t.Errorf("%s has a sample of order %q", load.Name, s.Order)
			}
		}
		if load.BaseIdle == nil || load.HeadIdle == nil {
			t.Errorf("%s: no session waited", load.Name)
		}
	}
}
