package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

// quick are limits for tests.
func quick() Limits {
	return Limits{ObjectBytes: 1 << 20, StoreBytes: 16 << 20, Expiry: time.Hour, Presence: 10 * time.Second}
}

// arena is a server with a fleet of the agents a, b and c.
func arena(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.Start(server.Options{
		Listen:     "127.0.0.1:0",
		Folder:     t.TempDir(),
		Kinds:      Kinds(),
		Ordering:   Ordering(),
		Members:    Members("a", "b", "c"),
		StoreBytes: 64 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	inside, err := s.Inside()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(inside.Close)
	if _, err := Make(t.Context(), inside, quick()); err != nil {
		t.Fatal(err)
	}
	return s
}

func dial(t *testing.T, s *server.Server, role string) *bus.Bus {
	t.Helper()
	b, err := bus.Dial(bus.Options{URL: s.URL(), Credential: s.Credential(role), Name: role})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func space(t *testing.T, s *server.Server, role string) *Space {
	t.Helper()
	opened, err := Open(t.Context(), dial(t, s, role))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// An agent writes its own card and reports. It cannot write orders, nor anything of another agent.
func TestRoles(t *testing.T) {
	s := arena(t)
	a, coordinator := space(t, s, "a"), space(t, s, CoordinatorRole)
	for name, write := range map[string]func(context.Context) error{
		"its card":     func(ctx context.Context) error { return put(ctx, a.cards, "a", Card{Label: "a"}) },
		"its progress": func(ctx context.Context) error { return put(ctx, a.progress, "a.job", Progress{State: Running}) },
	} {
		if err := write(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, write := range map[string]func(context.Context) error{
		"an order of its own": func(ctx context.Context) error { return put(ctx, a.orders, "a.job", Order{}) },
		"an order of another": func(ctx context.Context) error { return put(ctx, a.orders, "b.job", Order{}) },
		"another's progress":  func(ctx context.Context) error { return put(ctx, a.progress, "b.job", Progress{}) },
		"another's card":      func(ctx context.Context) error { return put(ctx, a.cards, "b", Card{}) },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if err := write(ctx); err == nil {
			t.Errorf("%s was written", name)
		}
		cancel()
	}
	if there, err := get(t.Context(), coordinator.orders, "b.job", &Order{}); err != nil || there {
		t.Errorf("an agent ordered something: %v", err)
	}
	if err := put(t.Context(), coordinator.orders, "b.job", Order{Job: "job"}); err != nil {
		t.Error(err)
	}
}

// fakeAgent publishes a card like a connected agent.
func fakeAgent(t *testing.T, s *server.Server, card Card) {
	t.Helper()
	card.Instance = card.Label
	if err := put(t.Context(), space(t, s, card.Label).cards, card.Label, card); err != nil {
		t.Fatal(err)
	}
}

func TestChoose(t *testing.T) {
	there := arena(t)
	s := space(t, there, CoordinatorRole)
	for label, job := range map[string]string{"a": "", "b": "", "c": "other"} {
		fakeAgent(t, there, Card{Label: label, Job: job})
	}
	for hosts, want := range map[string]string{"all": "a,b,c", "2": "a,b", "c, a,c": "c,a"} {
		if got, err := s.Choose(t.Context(), hosts, false); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%s: %v, %v", hosts, got, err)
		}
	}
	for hosts, want := range map[string]string{
		"3":   "have nothing to do",
		"a":   "want at least two",
		"a,d": `label "d": there are a, b, c`,
	} {
		if _, err := s.Choose(t.Context(), hosts, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", hosts, err)
		}
	}
}

// If some hosts isolate and others do not, they are refused before measuring, unless all are asked to isolate.
func TestChooseIsolation(t *testing.T) {
	there := arena(t)
	s := space(t, there, CoordinatorRole)
	for _, label := range []string{"a", "b", "c"} {
		fakeAgent(t, there, Card{Label: label, Isolates: label != "b"})
	}
	if _, err := s.Choose(t.Context(), "all", false); err == nil ||
		!strings.Contains(err.Error(), "--hosts all: b of a, b, c were started --without-isolation") {
		t.Error(err)
	}
	if hosts, err := s.Choose(t.Context(), "a,c", false); err != nil || len(hosts) != 2 {
		t.Error(hosts, err)
	}
	if hosts, err := s.Choose(t.Context(), "all", true); err != nil || len(hosts) != 3 {
		t.Error(hosts, err)
	}
}

// A host that ends without a report, one that never answers, and one whose report has another schema: the missing part
// is reported.
func TestFollowGathers(t *testing.T) {
	s := space(t, arena(t), CoordinatorRole)
	job := Job{Job: "job", Hosts: []string{"a", "b", "c"}}
	report, err := s.objects.Put(t.Context(), []byte(`{"schema":"`+harness.ReportSchema+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	for label, progress := range map[string]Progress{
		"a": {State: Ended, Report: &report},
		"b": {State: Ended, Error: "no such workload"},
	} {
		if err := put(t.Context(), s.progress, key(label, job.Job), progress); err != nil {
			t.Fatal(err)
		}
	}
	var gone []string
	following := Following{Tell: func(string, Progress) {}, Gone: func(host string, _ bool) { gone = append(gone, host) }}
	r, err := s.Follow(t.Context(), job, following)
	if err != nil || len(r.Reports) != 1 || r.Reports[0].Name != "a" || r.Missing["b"] != "no such workload" ||
		r.Missing["c"] == "" {
		t.Errorf("%+v, %v", r, err)
	}
	if len(gone) != 1 || gone[0] != "c" {
		t.Errorf("gone: %v", gone)
	}
	other, err := s.objects.Put(t.Context(), []byte(`{"schema":"another"}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := put(t.Context(), s.progress, key("a", job.Job), Progress{State: Ended, Report: &other}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Follow(t.Context(), job, following); err == nil || !strings.Contains(err.Error(), `schema "another"`) {
		t.Error(err)
	}
}

// An agent does not execute orders that no coordinator would write, and reports the reason.
func TestAgentRefusesOrders(t *testing.T) {
	s, folder := arena(t), t.TempDir()
	sha := strings.Repeat("ab", 20)
	good := Order{Schema: OrderSchema, Job: "job", Base: sha, Head: sha, Pairs: 6}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for want, change := range map[string]func(*Order){
		"this agent reads":                    func(o *Order) { o.Schema = "chiasmus.order/9" },
		"want full hashes":                    func(o *Order) { o.Head = "main --upload-pack=x" },
		"of the job":                          func(o *Order) { o.Job = "../.." },
		"of 0 pairs":                          func(o *Order) { o.Pairs = 0 },
		"outside of its folder":               func(o *Order) { o.Files = []File{{Path: "../../home"}} },
		"the order of job other was sent und": func(o *Order) { o.Job = "other" },
		"object " + strings.Repeat("0", 64):   func(o *Order) { o.Files = []File{{Path: "index.json"}} },
	} {
		order := good
		change(&order)
		coordinator := space(t, s, CoordinatorRole)
		count++
		job := fmt.Sprintf("job-%d", count)
		if order.Job == good.Job {
			order.Job = job
		}
		ordered(t, coordinator, key("a", job), order)
		progress := carriedOut(t, s, &Agent{Folder: folder}, job)
		if progress.State != Ended || progress.Report != nil || !strings.Contains(progress.Error, want) {
			t.Errorf("%s: %+v", want, progress)
		}
	}
}

// ordered signs any order for its destination.
func ordered(t *testing.T, coordinator *Space, at string, order Order) {
	t.Helper()
	label, job, _ := strings.Cut(at, ".")
	data, err := json.Marshal(order)
	if err == nil {
		data, err = coordinator.bus.Seal(purpose(label, job), time.Now().Add(time.Hour), data)
	}
	if err == nil {
		err = write(t.Context(), coordinator.orders, at, data)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An agent measures the ordered commits with the coordinator's bench.yaml. It decides on isolation itself, and chooses
// its own random order of proofs.
func TestAgentMeasures(t *testing.T) {
	s := arena(t)
	coordinator := space(t, s, CoordinatorRole)
	repository := t.TempDir()
	config := filepath.Join(repository, "bench.yaml")
	if err := os.WriteFile(config, []byte("version: 1\nbuild: {command: [make], artifacts: [p]}\n"+
		"workloads: [{name: w, process: [\"{p}\", \"{proof}\", \"{metrics}\"], verify: [\"{p}\", \"{proof}\"]}]\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	git := func(arguments ...string) string {
		command := exec.Command("git",
			append([]string{"-c", "user.name=T", "-c", "user.email=t@example.org"}, arguments...)...)
		command.Dir, command.Env = repository,
			append(command.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	git("commit", "-q", "-m", "two", "--allow-empty")
	order := Order{
		Schema:    OrderSchema,
		Job:       "job",
		Base:      git("rev-parse", "HEAD~1"),
		Head:      git("rev-parse", "HEAD"),
		Workloads: []string{"w"},
		Pairs:     6,
	}
	if err := coordinator.Pack(t.Context(), &order, repository, config, t.Logf); err != nil {
		t.Fatal(err)
	}
	if err := coordinator.Place(t.Context(), Job{Job: "job", Hosts: []string{"a"}}, order); err != nil {
		t.Fatal(err)
	}
	var asked harness.Options
	compare := func(_ context.Context, o harness.Options) (*harness.Report, error) {
		asked = o
		o.Notify(measure.Notice{Text: "measuring"})
		return &harness.Report{Schema: harness.ReportSchema, State: harness.Complete}, nil
	}
	progress := carriedOut(t, s, &Agent{Folder: t.TempDir(), Isolate: true, Compare: compare}, "job")
	if progress.Report == nil || progress.Error != "" {
		t.Fatalf("%+v", progress)
	}
	if !asked.Isolate || !asked.RandomSeed || asked.Analyses != 1 || asked.Pairs != 6 ||
		asked.Range != order.Base+".."+order.Head {
		t.Errorf("%+v", asked)
	}
	was, _ := os.ReadFile(config)
	if is, err := os.ReadFile(asked.Config); err != nil || string(is) != string(was) {
		t.Errorf("bench.yaml %q, %v", is, err)
	}
	if _, err := os.Stat(filepath.Join(asked.Directory, ".git")); err != nil {
		t.Error(err)
	}
}

// A cancelled job ends on the hosts that measure it, and is reported as ended if the agent is offline. Its folder is
// deleted, at the latest when the agent returns. The folder of a job whose results were fetched is deleted, too.
func TestCancelledAndTakenJobs(t *testing.T) {
	s := arena(t)
	coordinator, folder := space(t, s, CoordinatorRole), t.TempDir()
	left := func(job string) bool {
		_, err := os.Stat(filepath.Join(folder, "jobs", job))
		return err == nil
	}
	eventually := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(5 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	for _, job := range []string{"away", "kept"} { // left by a killed agent
		if err := os.MkdirAll(filepath.Join(folder, "jobs", job, "repository", ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sha := strings.Repeat("ab", 20)
	place := func(job string) Job {
		j := Job{Job: job, Hosts: []string{"a"}}
		order := Order{Schema: OrderSchema, Job: job, Base: sha, Head: sha, Pairs: 6}
		if err := coordinator.Place(t.Context(), j, order); err != nil {
			t.Fatal(err)
		}
		return j
	}
	if err := coordinator.Cancel(t.Context(), place("away")); err != nil {
		t.Fatal(err)
	}
	kept := place("kept")

	measuring := make(chan struct{}, 1)
	agent := &Agent{Space: space(t, s, "a"), Label: "a", Folder: folder, Log: t.Logf}
	agent.Compare = func(ctx context.Context, o harness.Options) (*harness.Report, error) {
		measuring <- struct{}{}
		select {
		case <-o.Stop:
		case <-ctx.Done():
		}
		return nil, failure.ErrInterrupted
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(ctx) }()
	<-measuring
	if left("away") || !left("kept") {
		t.Errorf("an agent that is back has the cancelled job's folder: %v; the other's: %v", left("away"), left("kept"))
	}
	if err := coordinator.Cancel(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	eventually("the cancelled job's folder stays", func() bool { return !left("kept") })
	for _, job := range []string{"away", "kept"} {
		var progress Progress
		if _, err := get(t.Context(), coordinator.progress, key("a", job), &progress); err != nil ||
			progress.State != Ended || progress.Error != errCancelled.Error() {
			t.Errorf("job %s: %+v, %v", job, progress, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(folder, "jobs", "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := put(t.Context(), coordinator.progress, key("a", "taken"), Progress{State: Ended}); err != nil {
		t.Fatal(err)
	}
	place("taken")
	if err := coordinator.Withdraw(t.Context(), "taken", "a"); err != nil {
		t.Fatal(err)
	}
	eventually("the folder of a job whose results were taken stays", func() bool { return !left("taken") })
	end()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// carriedOut runs the agent a until it has reported the end of a job.
func carriedOut(t *testing.T, s *server.Server, agent *Agent, job string) Progress {
	t.Helper()
	return carriedOutBy(t, s, agent, "a", job)
}

func carriedOutBy(t *testing.T, s *server.Server, agent *Agent, label, job string) Progress {
	t.Helper()
	stop := make(chan struct{})
	agent.Space, agent.Label, agent.Controls, agent.Log = space(t, s, label), label, harness.Controls{Stop: stop}, t.Logf
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(t.Context()) }()
	var progress Progress
	for progress.State != Ended {
		if _, err := get(t.Context(), agent.Space.progress, key(label, job), &progress); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	close(stop)
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	return progress
}
