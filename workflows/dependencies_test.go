package workflows

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/egress"
	"github.com/chiasmus/chiasmus/internal/floor"
)

func TestMain(m *testing.M) {
	if code, bridge := egress.Main(os.Args[1:], os.Stdout, os.Stderr); bridge {
		os.Exit(code)
	}
	floor.OnBusyHost()
	code := m.Run()
	forgetOriginal()
	os.Exit(code)
}

// fetchingBench needs an output of build.fetch on the executor. Its fetch searches for secrets.
var fetchingBench = strings.Replace(demoBench, "  command: [sh, build.sh]\n",
	`  fetch: [sh, -c, 'test -n "$https_proxy" && test -z "$GITHUB_TOKEN" && mkdir modules && cp prover.sh modules/prover && echo cached >$HOME/cache']
  command: [sh, -c, 'test -s $HOME/cache && cp modules/prover prover']
`, 1)

// Dependencies are fetched on a host with a network and without secrets, and transferred to a host without a network.
// The plan names their digests, and the executor accepts no others.
func TestDependenciesTravel(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "sesame")
	world := demo(t, revisionOf{factor: 100, bench: fetchingBench}, revisionOf{factor: 110, bench: fetchingBench})
	plan := world.gate(world.say("maintainer", "/bench-gpu")).Plan
	work := t.TempDir()
	bundle, archives := filepath.Join(work, "bundle"), filepath.Join(work, "dependencies")
	options := FetchOptions{Repository: world.GitDir, Config: filepath.Join(world.GitDir, config.FileName), Local: true}
	if err := Fetch(context.Background(), plan.Commits(), options, bundle); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	digests, err := FetchDependencies(context.Background(), FetchOnlyOptions{Bundle: bundle, Out: archives, Log: &log})
	if err != nil || len(digests) != 2 {
		t.Fatalf("%v %v\n%s", digests, err, log.String())
	}
	with, err := plan.With(digests.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if with.Hash() == plan.Hash() {
		t.Error("the digests are not part of the plan's hash")
	}
	measure := func(plan *Plan, folder string) *result {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out")
		err := Measure(context.Background(), plan, MeasureOptions{
			Bundle:       bundle,
			Dependencies: folder,
			Out:          out,
			Log:          &log,
			Controls:     harness.Controls{LockFile: filepath.Join(work, "lock")},
		})
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(out, ResultFile))
		if err != nil {
			t.Fatal(err)
		}
		result, err := checkResult(data, plan, world.benchOf(plan))
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		return result
	}
	if result := measure(with, archives); result.outcome(with) != regression {
		t.Errorf("outcome %s: %s\n%s", result.outcome(with), result.Error, log.String())
	}
	failed := func(result *result, want string) {
		t.Helper()
		if result.Report == nil || result.Report.Failure == nil || !strings.Contains(result.Report.Failure.Cause, want) {
			t.Errorf("want a failure with %q: %+v", want, result.Report)
		}
	}
	failed(measure(plan, archives), "it was not given the result of build.fetch") // build.fetch is never run there
	swapped := filepath.Join(work, "swapped")
	for from, to := range map[string]string{plan.Base: plan.Head, plan.Head: plan.Base} {
		data, err := os.ReadFile(archiveOf(archives, from))
		if err == nil {
			err = writeFile(archiveOf(swapped, to), data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	failed(measure(with, swapped), "the plan wants")
}

func TestDecodeDependencies(t *testing.T) {
	one, two, digest := strings.Repeat("1", 40), strings.Repeat("2", 40), strings.Repeat("a", 64)
	commits := []string{one, two}
	good := Dependencies{one: digest, two: digest}
	if got, err := DecodeDependencies(good.Encode(), commits); err != nil || got.Encode() != good.Encode() {
		t.Errorf("%v %v", got, err)
	}
	for _, none := range []string{"", "{}", Dependencies(nil).Encode()} {
		if got, err := DecodeDependencies(none, commits); err != nil || got != nil {
			t.Errorf("%q: %v %v", none, got, err)
		}
	}
	for _, bad := range []string{"x", `{"` + one + `":"` + digest + `"}`,
		`{"` + one + `":"x","` + two + `":"` + digest + `"}`, `{"` + strings.Repeat("3", 40) + `":"` + digest + `"}`,
		good.Encode() + "{}", `["x"]`} {
		if got, err := DecodeDependencies(bad, commits); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
}
