package measure_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// outcome is what a resumed run must have in common with an undisturbed run: everything except times, paths, and
// interrupted pairs, which are measured again under another seed.
func outcome(t *testing.T, r *report.Report, again map[string]int) []byte {
	t.Helper()
	var all []any
	for _, w := range r.Workloads {
		pairs := slices.Clone(w.Pairs)
		for i := range pairs {
			pairs[i].Base, pairs[i].Head, pairs[i].Attempt = 0, 0, 0
			if pairs[i].Number == again[w.Name] {
				pairs[i].Seed, pairs[i].A, pairs[i].B = 0, 0, 0
			}
		}
		slices.SortFunc(pairs, func(a, b evidence.Pair) int { return a.Number - b.Number })
		all = append(all, w.Name, pairs, w.Cross.Accepted)
		if again[w.Name] == 0 {
			all = append(all, w.Stats, w.Secondary, w.Sequential)
		}
	}
	text, err := json.MarshalIndent(append(all, r.State, r.ExitCode, r.Plan, r.Base.SHA, r.Head.SHA), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const twoWorkloads = `version: 1
build:
  command: [sh, build.sh]
  artifacts: [bin/prover]
workloads:
  - name: first
    session: ["{bin/prover}", session, --model, model]
    verify: ["{bin/prover}", verify, --model, model, --proof, "{proof}", --exact, "{exact_statement}"]
  - name: second
    process: ["{bin/prover}", prove, --model, model, --seed, "{seed}", --proof, "{proof}", --metrics, "{metrics}"]
    verify: ["{bin/prover}", verify, --model, model, --proof, "{proof}", --exact, "{exact_statement}"]
metrics:
  primary: prove_seconds
  report: [proof_bytes]
plan: {settle: 0, pairs: 8, seed: 7, launches: 1}
`

// cuts are the positions to kill a run at. A resumed run depends only on the end of the journal: before the first
// proof on the last record's kind, then on the last two records' kinds, in a session and in processes. Of equal ends,
// the last leaves the least to measure.
func cuts(records []journal.Record) (places []int) {
	before, last := "", map[string]int{}
	for i, record := range records {
		if record.Kind == "begun" {
			places = slices.AppendSeq(places, maps.Values(last))
			clear(last)
		}
		last[before+record.Kind] = i
		if record.Kind == "sample" || record.Kind == "verified" {
			before = record.Kind + " "
		}
		if record.Kind == "checked" {
			break // from here on only the reports are missing: TestKilledWhileReporting
		}
	}
	return slices.Sorted(slices.Values(slices.AppendSeq(places, maps.Values(last))))
}

// Wherever a run is killed, the resumed run has every pair once and the same result.
func TestResumeFromAnywhere(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, twoWorkloads)
	w.commit("base", "seconds=0.005 noise=0.02")
	w.commit("head", "seconds=0.005 noise=0.02")
	whole := w.compare(w.options("base..head"), failure.ExitOK)
	dir := journal.Directory(whole.Paths.Directory)
	records, err := journal.Read(dir.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range cuts(records) {
		killed := truncate(t, dir, cut)
		before, err := report.Load(killed)
		if err != nil || before.State != report.Partial || before.ExitCode != failure.ExitInterrupted {
			t.Fatalf("cut after %d records: the report before resuming: %v", cut, err)
		}
		r, err := measure.Resume(t.Context(), killed, w.controls())
		if err != nil {
			t.Fatalf("cut after %d records (%s): %v", cut, records[cut].Kind, err)
		}
		again := map[string]int{}
		for _, load := range r.Workloads {
			for _, drop := range load.Drops {
				again[load.Name] = drop.Pair
			}
			checkAgain(t, load)
		}
		if got, want := outcome(t, r, again), outcome(t, whole, again); !bytes.Equal(got, want) {
			t.Fatalf("cut after %d records (%s): another outcome\n%s\nwant\n%s", cut, records[cut].Kind, got, want)
		}
		for _, load := range r.Workloads {
			checkPairs(t, load)
		}
		if r.Run.Resumed != 1 {
			t.Errorf("resumed %d times", r.Run.Resumed)
		}
		if err := os.RemoveAll(string(killed)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := measure.Resume(t.Context(), dir, w.controls()); report.ExitCode(nil, err) != failure.ExitUsage {
		t.Errorf("a finished run was resumed: %v", err)
	}
}

// After the last proof a run is complete once the artifacts are hashed again. Then only the reports remain to be
// written, without builds and on a busy host too.
func TestKilledWhileReporting(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.0055 noise=0.005")
	w.commit("bad", "seconds=0.005 noise=0.005 fault=badproof at=4")
	ends := []string{"measured", "environment", "checked", "finished", "reported"}
	whole := w.compare(w.options("base..head"), failure.ExitRegression)
	failed := w.compare(w.options("base..bad"), failure.ExitFailed)
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // the builds are gone
	controls := w.controls()
	controls.NoWait = true
	held, err := journal.LockHost(t.Context(), controls.LockFile, journal.Holder{PID: 1, What: "another"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	for name, c := range map[string]struct {
		run  *report.Report
		ends []string
		// from is the first index among the ends at which the run has ended.
		from, code int
		state      report.State
	}{
		"complete": {whole, ends, 2, failure.ExitRegression, report.Complete},
		"failed": {failed, []string{"environment", "failed", "finished", "reported"}, 1, failure.ExitFailed,
			report.Failed},
	} {
		dir := journal.Directory(c.run.Paths.Directory)
		records, err := journal.Read(dir.JournalFile())
		if err != nil {
			t.Fatal(err)
		}
		for i, kind := range c.ends {
			last := len(records) - len(c.ends) + i
			if records[last].Kind != kind {
				t.Fatalf("%s: record %d is %s, want %s", name, last, records[last].Kind, kind)
			}
			if kind == "reported" {
				continue // whole
			}
			killed := truncate(t, dir, last+1)
			before, err := report.Load(killed)
			wantState, wantCode := c.state, c.code
			if i < c.from {
				wantState, wantCode = report.Partial, failure.ExitInterrupted
			}
			if err != nil || before.State != wantState || before.ExitCode != wantCode {
				t.Errorf("%s, killed after %s: %s with exit code %d and error %v, want %s and %d", name, kind, before.State,
					before.ExitCode, err, wantState, wantCode)
			}
			if i >= c.from {
				checkFinished(t, killed, controls, c.run)
			}
			if err := os.RemoveAll(string(killed)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(dir.Report("json")); err != nil {
			t.Fatal(err)
		}
		checkFinished(t, dir, controls, c.run)
	}
}

// checkFinished resumes a run that has ended, which writes its reports once.
func checkFinished(t *testing.T, dir journal.Directory, controls measure.Controls, want *report.Report) {
	t.Helper()
	r, err := measure.Resume(t.Context(), dir, controls)
	if got := report.ExitCode(r, err); got != want.ExitCode || r == nil || r.State != want.State {
		t.Fatalf("%s: resumed with exit code %d, want %d: %v", dir, got, want.ExitCode, err)
	}
	if r.Run.Resumed != 0 || !bytes.Equal(outcome(t, r, nil), outcome(t, want, nil)) {
		t.Errorf("%s: another outcome, resumed %d times", dir, r.Run.Resumed)
	}
	for _, extension := range []string{"json", "txt"} {
		if _, err := os.Stat(dir.Report(extension)); err != nil {
			t.Error(err)
		}
	}
	if _, err := measure.Resume(t.Context(), dir, controls); report.ExitCode(nil, err) != failure.ExitUsage {
		t.Errorf("%s: resumed again: %v", dir, err)
	}
}

// checkAgain requires that a pair measured again has a new seed.
func checkAgain(t *testing.T, load report.Workload) {
	t.Helper()
	attempts := map[uint64]int{}
	for _, s := range load.Samples {
		if s.Kind == evidence.Measured {
			if first, seen := attempts[s.Seed]; seen && first != s.Attempt {
				t.Errorf("attempts %d and %d at pair %d have the same seed", first, s.Attempt, s.Pair)
			}
			attempts[s.Seed] = s.Attempt
		}
	}
	if len(load.Drops) > 1 {
		t.Errorf("%d pairs were cut in half by one cut", len(load.Drops))
	}
	analysed, err := stats.Analyze(statsPairs(load.Pairs), stats.DefaultOptions())
	if err != nil || load.Stats == nil || load.Stats.T.Mean != analysed.T.Mean {
		t.Errorf("the statistics are not those of the pairs: %v", err)
	}
}

func statsPairs(pairs []evidence.Pair) []stats.Pair {
	var out []stats.Pair
	for _, p := range pairs {
		out = append(out, p.Of(p.A, p.B))
	}
	return out
}

// A run that failed is a result: it cannot be resumed until it succeeds.
func TestAFailedRunIsNotResumed(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.commit("head", "fault=badproof at=4")
	r := w.compare(w.options("base..head"), failure.ExitFailed)
	_, err := measure.Resume(t.Context(), journal.Directory(r.Paths.Directory), w.controls())
	if report.ExitCode(nil, err) != failure.ExitUsage ||
		!strings.Contains(err.Error(), "it ended with a failure (verify:") {
		t.Errorf("a failed run was resumed: %v", err)
	}
}

// A run that another process works on is not touched.
func TestARunInUseIsNotResumed(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.commit("head", "")
	r := w.compare(w.options("base..head"), failure.ExitOK)
	dir := truncate(t, journal.Directory(r.Paths.Directory), 9)
	j, _, err := journal.Open(dir.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := measure.Resume(t.Context(), dir, w.controls()); err == nil ||
		!strings.Contains(err.Error(), "another harness is working on it") {
		t.Errorf("resumed beside another process: %v", err)
	}
}

// A run whose run.json was changed after its start cannot be resumed: more pairs or another seed would be another plan.
func TestAChangedRunIsNotResumed(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.commit("head", "")
	r := w.compare(w.options("base..head"), failure.ExitOK)
	for _, c := range []struct{ from, to, want string }{
		{`"seed": 7,`, `"seed": 8,`, "plan.seed was 7 and is 8"},
		{`"pairs": 8,`, `"pairs": 20,`, "plan.pairs was 8 and is 20"},
		{`"sha": "` + r.Base.SHA, `"sha": "` + r.Head.SHA, "base was \"" + r.Base.SHA + "\" and is \"" + r.Head.SHA + "\""},
		{`timeout: 30s`, `timeout: 40s`, "config_source does not have the hash config_sha256"},
	} {
		dir := truncate(t, journal.Directory(r.Paths.Directory), 12)
		text, err := os.ReadFile(dir.RunFile())
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), c.from, c.to, 1)
		if changed == string(text) {
			t.Fatalf("%q is not in run.json", c.from)
		}
		if err := os.WriteFile(dir.RunFile(), []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = measure.Resume(t.Context(), dir, w.controls())
		if report.ExitCode(nil, err) != failure.ExitUsage || !strings.Contains(err.Error(), c.want) {
			t.Errorf("resumed with %s: %v, want %q", c.to, err, c.want)
		}
		if err := os.RemoveAll(string(dir)); err != nil {
			t.Fatal(err)
		}
	}
}

// A busy host says nothing about the revisions: the run can be resumed once the host is quiet.
func TestAHostThatWasBusyDoesNotEndARun(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.02")
	w.commit("head", "seconds=0.005 noise=0.02")
	whole := w.compare(w.options("base..head"), failure.ExitOK)
	dir := truncate(t, journal.Directory(whole.Paths.Directory), 14)
	controls := w.controls()
	controls.NoWait = true
	held, err := journal.LockHost(t.Context(), controls.LockFile, journal.Holder{PID: 1, What: "another"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := measure.Resume(t.Context(), dir, controls)
	if report.ExitCode(r, err) != failure.ExitUnfit || r.State != report.Failed || !r.Resumable() {
		t.Fatalf("resumed beside another measurement: %v", err)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	r, err = measure.Resume(t.Context(), dir, controls)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := outcome(t, r, nil), outcome(t, whole, nil); !bytes.Equal(got, want) || r.Failure != nil {
		t.Errorf("another outcome\n%s\nwant\n%s", got, want)
	}
}

// The journal is newer than the report if a resumed run was killed, and complete if no report could be written.
func TestLoadReportPrefersWhatIsNewer(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.0055 noise=0.005")
	r := w.compare(w.options("base..head"), failure.ExitRegression)
	dir := journal.Directory(r.Paths.Directory)

	killed := truncate(t, dir, 20)
	stale := *r
	stale.State, stale.Workloads = report.Partial, nil
	text, err := json.Marshal(stale)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(killed.Report("json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if now, err := report.Load(killed); err != nil || len(now.Workloads) != 1 ||
		now.ExitCode != failure.ExitInterrupted {
		t.Errorf("the report of a run that was killed after it was resumed: %v", err)
	}

	if err := os.Remove(dir.Report("json")); err != nil {
		t.Fatal(err)
	}
	again, err := report.Load(dir)
	if err != nil || again.State != report.Complete || again.ExitCode != failure.ExitRegression ||
		again.Workloads[0].Stats.T.P != r.Workloads[0].Stats.T.P {
		t.Errorf("the report of a run whose files could not be written: %v", err)
	}
}

// Only different hardware makes a different host. A new kernel is reported, and does not prevent resuming.
func TestMovedHost(t *testing.T) {
	host := func(change func(*environment.Snapshot)) *environment.Snapshot {
		s := &environment.Snapshot{
			Machine:  "Bench",
			Kernel:   "6.1",
			Hostname: "one",
			CPU:      environment.CPU{Model: "Fast", Logical: 16},
			Memory:   environment.Memory{Total: 64 << 30},
		}
		s.GPUs = []environment.GPU{{UUID: "GPU-1", Driver: "580"}}
		change(s)
		return s
	}
	before := host(func(*environment.Snapshot) {})
	for want, change := range map[string]func(*environment.Snapshot){
		"": func(s *environment.Snapshot) {
			s.Kernel, s.Hostname, s.GPUs[0].Driver = "6.2", "two", "590"
		},
		"cpu.model: Fast -> Slow":         func(s *environment.Snapshot) { s.CPU.Model = "Slow" },
		"cpu.logical: 16 -> 8":            func(s *environment.Snapshot) { s.CPU.Logical = 8 },
		"gpus: 1 -> none":                 func(s *environment.Snapshot) { s.GPUs = nil },
		"gpus[0].uuid: GPU-1 -> GPU-2":    func(s *environment.Snapshot) { s.GPUs[0].UUID = "GPU-2" },
		"memory.total_bytes: 68719476736": func(s *environment.Snapshot) { s.Memory.Total = 32 << 30 },
	} {
		if got := measure.MovedHost(before, host(change)); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := measure.MovedHost(before, host(func(s *environment.Snapshot) { s.Memory.Total -= 100 << 20 })); got != "" {
		t.Errorf("a kernel that keeps 100 MiB more for itself: %q", got)
	}
}
