package workflows

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// accepted is a world whose gate has accepted a comment.
func accepted(t *testing.T, comment string) (*world, *Plan) {
	t.Helper()
	world := newWorld(t)
	decision := world.gate(world.say("maintainer", comment))
	if decision.Plan == nil {
		t.Fatalf("refused: %s", decision.Reason)
	}
	return world, decision.Plan
}

// madeUpReport has made-up pairs and the statistics of these pairs.
func madeUpReport(t *testing.T, plan *Plan, ratio float64) *harness.Report {
	t.Helper()
	report := &harness.Report{
		Schema: harness.ReportSchema,
		State:  harness.Complete,
		Base:   harness.Revision{SHA: plan.Base},
		Head:   harness.Revision{SHA: plan.Head},
		Run:    harness.Run{ConfigSHA256: parseBench(t, worldBench).SHA256},
		Plan: harness.Plan{Pairs: 14, Analyses: 1, Alpha: 0.05, Equivalence: 0.01, Seed: 5, SeedDrawn: true, Design: "abba",
			Warmup: 1, Resident: "both", Isolated: true},
	}
	workload := harness.Workload{
		Name:       "keccak",
		Mode:       "process",
		Metric:     metrics.Metric{Name: "prove_seconds", Better: "lower", Scale: stats.ScaleLog},
		Verified:   evidence.Verified{Base: 15, Head: 15},
		Cross:      evidence.CrossCheck{Done: true, Accepted: true, Proofs: 15},
		ProofsMade: 30,
		Unbound:    true,
	}
	planned := scheduled(t)
	var pairs []stats.Pair
	for i := range 14 {
		a := 1 + 0.003*float64(i*7%5)
		b := a*ratio + 0.001*float64(i*5%7)
		plan := planned.Pair(i + 1)
		workload.Pairs = append(workload.Pairs, evidence.Pair{
			Number:  i + 1,
			Block:   i/2 + 1,
			Build:   1,
			Order:   stats.Order(plan.Order),
			Seed:    plan.Seed,
			A:       a,
			B:       b,
			Attempt: 1,
		})
		pairs = append(pairs, stats.Pair{
			Number: i + 1,
			Block:  i/2 + 1,
			Build:  1,
			Order:  stats.Order(plan.Order),
			A:      a,
			B:      b,
		})
	}
	result, err := stats.Analyze(pairs, stats.Options{Scale: stats.ScaleLog, Alpha: 0.05, Equivalence: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	workload.Stats = &result
	report.Workloads = []harness.Workload{workload}
	return report
}

// scheduled is the schedule of the plan of such a report.
func scheduled(t *testing.T) *schedule.Schedule {
	t.Helper()
	planned, err := schedule.New(14, schedule.ABBA, 5)
	if err != nil {
		t.Fatal(err)
	}
	return planned
}

func (world *world) upload(plan *Plan, archive []byte) {
	world.Lock.Lock()
	defer world.Lock.Unlock()
	world.Artifacts = append(world.Artifacts, &githubtest.Artifact{
		ID:      int64(500 + len(world.Artifacts)),
		Run:     plan.RunID,
		Name:    ResultArtifact,
		Archive: archive,
	})
}

func archive(t *testing.T, name string, mode fs.FileMode, data []byte) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(mode)
	file, err := writer.CreateHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	file.Write(data)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func (world *world) uploadResult(plan *Plan, result *result) {
	world.t.Helper()
	data, err := result.Encode()
	if err != nil {
		world.t.Fatal(err)
	}
	world.upload(plan, archive(world.t, ResultFile, 0o644, data))
}

func resultOf(plan *Plan, report *harness.Report) *result {
	return &result{Schema: ResultSchema, PlanHash: plan.Hash(), Base: plan.Base, Head: plan.Head, Report: report}
}

func (world *world) publish(plan *Plan, job string) error {
	return world.controller("publish").Publish(context.Background(), plan, job)
}

// verdicts lists the controller's verdict comments.
func (world *world) verdicts() []string {
	var verdicts []string
	for _, body := range world.bodies() {
		if strings.Contains(body, "chiasmus:verdict") {
			verdicts = append(verdicts, body)
		}
	}
	return verdicts
}

func TestPublishVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		ratio      float64
		comment    string
		conclusion string
		state      string
		reaction   string
	}{
		"improvement": {0.9, "/bench-gpu", "success", "🟢 improvement", "[eyes rocket]"},
		"regression":  {1.1, "/bench-gpu", "failure", "🔴 regression", "[eyes -1]"},
		"equivalent":  {0.9975, "/bench-gpu", "success", "⚪ no regression", "[eyes +1]"},
	} {
		t.Run(name, func(t *testing.T) {
			world, plan := accepted(t, test.comment)
			world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, test.ratio)))
			for range 2 { // a second publish changes nothing
				if err := world.publish(plan, "success"); err != nil {
					t.Fatal(err)
				}
			}
			verdicts := world.verdicts()
			if len(verdicts) != 1 || !strings.Contains(verdicts[0], "@maintainer") ||
				!strings.Contains(verdicts[0], plan.Head) || !strings.Contains(verdicts[0], plan.Base) {
				t.Fatalf("verdicts %q", verdicts)
			}
			if strings.Contains(verdicts[0], "has changed") {
				t.Error("the head has not moved")
			}
			check := world.CheckRuns[0]
			if check.Status != "completed" || check.Conclusion != test.conclusion {
				t.Errorf("check run %+v", check)
			}
			if progress := world.bodies()[0]; !strings.Contains(progress, test.state) ||
				!strings.Contains(progress, "#issuecomment-") {
				t.Errorf("progress %q", progress)
			}
			if got := world.reactions(plan.CommentID); got != test.reaction {
				t.Errorf("reactions %s", got)
			}
		})
	}
}

// The configuration gives the conclusion of an undecided run.
func TestPublishUndecided(t *testing.T) {
	for _, setting := range []string{"neutral", "failure"} {
		world, plan := accepted(t, "/bench-gpu")
		plan.Inconclusive = setting
		undecided := madeUpReport(t, plan, 1)
		workload := &undecided.Workloads[0]
		for i := range workload.Pairs {
			workload.Pairs[i].B = workload.Pairs[i].A * (1 + 0.05*float64(1-2*(i/2%2))*float64(i+1))
		}
		if err := harness.Judge(world.bench, undecided.Plan, 1, workload); err != nil ||
			workload.Stats.Verdict != stats.Inconclusive {
			t.Fatal(workload.Stats, err)
		}
		world.uploadResult(plan, resultOf(plan, undecided))
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		if got := world.CheckRuns[0].Conclusion; got != setting {
			t.Errorf("conclusion %s, want %s", got, setting)
		}
	}
}

func TestPublishEndings(t *testing.T) {
	for name, test := range map[string]struct {
		job        string
		jobs       []*githubtest.Job
		want       string
		conclusion string
	}{
		"cancelled while running": {"cancelled",
			[]*githubtest.Job{{ID: 1, Run: 77, Name: "measure", Status: "completed", Conclusion: "cancelled",
				Runner: "gpu-1"}}, "The run was cancelled", "cancelled"},
		"no runner": {"cancelled",
			[]*githubtest.Job{{ID: 1, Run: 77, Name: "measure", Status: "completed",
				Conclusion: "cancelled"}}, "before a runner took it", "cancelled"},
		"timed out": {"failure",
			[]*githubtest.Job{{ID: 1, Run: 77, Name: "measure", Status: "completed", Conclusion: "timed_out",
				Runner: "gpu-1"}}, "took longer than", "timed_out"},
		"timed out, as GitHub says it": {"cancelled",
			[]*githubtest.Job{{ID: 1, Run: 77, Name: "measure", Status: "completed", Conclusion: "cancelled", Runner: "gpu-1",
				Took: 2*time.Hour + 15*time.Minute}}, "took longer than", "timed_out"},
		"failed": {"failure",
			[]*githubtest.Job{{ID: 1, Run: 77, Name: "measure", Status: "completed", Conclusion: "failure",
				Runner: "gpu-1"}}, "left no result", "failure"},
		"fetch failed": {"skipped", nil, "left no result", "failure"},
		"dependencies failed": {"skipped",
			[]*githubtest.Job{{ID: 1, Run: 77, Name: "dependencies", Status: "completed", Conclusion: "failure",
				Runner: "hosted"}}, "`build.fetch` failed", "failure"},
	} {
		t.Run(name, func(t *testing.T) {
			world, plan := accepted(t, "/bench-gpu")
			world.Jobs = test.jobs
			if err := world.publish(plan, test.job); err != nil {
				t.Fatal(err)
			}
			if verdicts := world.verdicts(); len(verdicts) != 1 || !strings.Contains(verdicts[0], test.want) {
				t.Errorf("verdicts %q", verdicts)
			}
			if got := world.CheckRuns[0].Conclusion; got != test.conclusion {
				t.Errorf("conclusion %s, want %s", got, test.conclusion)
			}
		})
	}
}

func TestPublishSaysThatHeadMoved(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	world.Pulls[worldPull].HeadSHA = world.foreign
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
	if err := world.publish(plan, "success"); err != nil {
		t.Fatal(err)
	}
	if verdicts := world.verdicts(); !strings.Contains(verdicts[0], "has changed") {
		t.Errorf("verdicts %q", verdicts)
	}
	if world.CheckRuns[0].SHA != plan.Head {
		t.Error("the check run is not on the pinned commit")
	}
}

// A failed run shows its error and log as text, without Markdown, HTML, mentions or links.
func TestPublishEscapes(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	hostile := "`@everyone` <img src=x onerror=alert(1)> [x](javascript:alert(1))\n```\n@team # heading\n"
	result := resultOf(plan, nil)
	result.Error, result.Log = hostile, hostile
	world.uploadResult(plan, result)
	if err := world.publish(plan, "failure"); err != nil {
		t.Fatal(err)
	}
	body := world.verdicts()[0]
	if !strings.Contains(body, "````text\n") || strings.Contains(strings.Split(body, "````text")[0], "\n# ") {
		t.Errorf("the log can leave its block: %q", body)
	}
	firstLine := body[strings.Index(body, "failed**: "):]
	firstLine = firstLine[:strings.IndexByte(firstLine, '\n')]
	if span := strings.TrimPrefix(firstLine, "failed**: "); !strings.HasPrefix(span, "```` ") ||
		!strings.HasSuffix(span, " ````") || strings.Count(span, "````") != 2 {
		t.Errorf("the error can leave its span: %q", firstLine)
	}
}

// Whatever the outcome of one write, a repeated publish ends with one verdict, one completed check run and one progress
// comment.
func TestPublishRepeats(t *testing.T) {
	for _, fault := range []githubtest.Fault{{Status: 502}, {Drop: true}, {Drop: true, Act: true},
		{Status: 500, Act: true}} {
		for _, method := range []string{"POST", "PATCH", "GET"} {
			for skip := range 3 {
				one := fault
				one.Call, one.Skip = method, skip
				t.Run(fmt.Sprintf("%+v", one), func(t *testing.T) {
					t.Parallel()
					world, plan := accepted(t, "/bench-gpu")
					world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
					world.Lock.Lock()
					world.Faults = []*githubtest.Fault{&one}
					world.Lock.Unlock()
					world.instant = true // a lock whose creation seemed to fail is broken after a minute
					for range 2 {
						if err := world.publish(plan, "success"); err != nil {
							t.Fatal(err)
						}
					}
					if len(world.verdicts()) != 1 || len(world.bodies()) != 2 || world.CheckRuns[0].Conclusion != "failure" {
						t.Errorf("%d verdicts, %d comments, conclusion %s", len(world.verdicts()), len(world.bodies()),
							world.CheckRuns[0].Conclusion)
					}
				})
			}
		}
	}
}

// ofFamily computes the statistics of workloads with the same pairs, as one run.
func ofFamily(t *testing.T, r *harness.Report) {
	t.Helper()
	var pairs []stats.Pair
	for _, p := range r.Workloads[0].Pairs {
		pairs = append(pairs, p.Of(p.A, p.B))
	}
	result, err := stats.Analyze(pairs, stats.Options{Scale: stats.ScaleLog, Alpha: 0.05, Equivalence: 0.01,
		Family: len(r.Workloads)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Workloads {
		r.Workloads[i].Stats = &result
	}
}

// The longest bodies, with the maximum number of notes and the longest log, are within the limit and complete.
func TestLongestBodies(t *testing.T) {
	for name, change := range map[string]func(result *result){
		"a log": func(result *result) {
			result.Report, result.Error, result.Log = nil, strings.Repeat("\U0001f680", 4000),
				strings.Repeat("\U0001f680`\n", maxLog/6)
		},
		"a report": func(result *result) {
			for i := range 60 {
				workload := result.Report.Workloads[0]
				workload.Name = fmt.Sprintf("keccak-%d", i)
				workload.Warnings = []harness.Warning{{Kind: "long", Text: strings.Repeat("|<&", 300)}}
				result.Report.Workloads = append(result.Report.Workloads, workload)
			}
			ofFamily(t, result.Report)
		},
	} {
		world, plan := accepted(t, "/bench-gpu")
		plan.BaseDescription = strings.Repeat("`|", 300)
		plan.Notes = []string{strings.Repeat("`", 500), strings.Repeat("|", 500), strings.Repeat("&", 500)}
		world.Pulls[worldPull].HeadSHA = world.foreign
		result := resultOf(plan, madeUpReport(t, plan, 1.1))
		change(result)
		many := strings.Builder{}
		for i := range 60 {
			fmt.Fprintf(&many, "  - {name: keccak-%d, process: [\"{prover}\", \"{proof}\", \"{seed}\"], verify: "+
				"[\"{prover}\", \"{proof}\"]}\n", i)
		}
		world.bench = parseBench(t, strings.Replace(worldBench, "plan:", many.String()+"plan:", 1))
		if result.Report != nil {
			result.Report.Run.ConfigSHA256 = world.bench.SHA256
		}
		world.uploadResult(plan, result)
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		verdict, summary := world.verdicts()[0], world.CheckRuns[0].Summary
		if len(verdict) > MaxBody || len(summary) > MaxBody || len(verdict) < 20000 {
			t.Errorf("%s: %d bytes, the check run's summary %d: %.500q", name, len(verdict), len(summary), verdict)
		}
		if !strings.Contains(verdict, "has changed") ||
			strings.Count(verdict, "<details>") != strings.Count(verdict, "</details>") {
			t.Errorf("%s does not end whole: %q", name, verdict[len(verdict)-600:])
		}
	}
}
