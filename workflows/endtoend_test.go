package workflows

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/internal/hosttest"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// demoProver is a prover as a shell script. Its proof is a digest of the seed. Its sleeping time depends only on seed
// and side, so the verdict is the same on every machine. FACTOR is its relative time in percent; HOSTILE
// has more lines.
const demoProver = `#!/bin/sh
factor=FACTOR
case $1 in
prove)
	noise=$(printf '%s %s' "$4" $factor | cksum | cut -d ' ' -f 1)
	HOSTILE
	exact=$(printf 'seed %s' "$4" | sha256sum | cut -c -64)
	printf 'proof of %s\n' "$exact" >"$2"
	micros=$(((factor * 10000 + noise % 9000) / 50))
	stage=$((micros / 2))
	sleep "$(printf '0.%06d' $micros)"
	printf '{"metrics":{"prove_seconds":%d.%06d,"stage_commit_seconds":0.%06d},"exact_statement":"%s"}' $((micros / 1000000)) $((micros % 1000000)) $stage "$exact" >"$3"
	;;
verify) VERIFY ;;
esac
`

const demoBench = `version: 1
build:
  command: [sh, build.sh]
  artifacts: [prover]
workloads:
  - name: demo
    process: ["{prover}", prove, "{proof}", "{metrics}", "{seed}"]
    verify: ["{prover}", verify, "{proof}", "{exact_statement}"]
plan: {settle: 0, pairs: 8, warmup: 1, equivalence: 1%, seed: 7, launches: 1}
environment: {steal: 100%, others: 100%, memory_pressure: 100%, memory_growth: 100%, suspend: 24h} # the times do not depend on the host
github: {runs_on: [self-hosted, gpu], timeout: 1h}
`

// A revisionOf describes one side of a demo repository.
type revisionOf struct {
	factor          int
	hostile, verify string
	bench           string // empty: demoBench
	branch, message string
}

// demo is a world whose repository holds a real prover and whose pull request changes it.
func demo(t *testing.T, base, head revisionOf) *world {
	t.Helper()
	hosttest.Isolates(t)
	world := newWorld(t)
	directory := t.TempDir()
	t.Setenv("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
	t.Setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
	world.git(directory, "init", "-q", "-b", "main")
	commit := func(revision revisionOf) string {
		if revision.verify == "" {
			revision.verify = `read -r line <"$2" && test "$line" = "proof of $3"`
		}
		if revision.bench == "" {
			revision.bench = demoBench
		}
		if revision.message == "" {
			revision.message = fmt.Sprintf("factor %d", revision.factor)
		}
		script := strings.NewReplacer("FACTOR", fmt.Sprint(revision.factor), "HOSTILE", revision.hostile, "VERIFY",
			revision.verify).Replace(demoProver)
		for name, content := range map[string]string{
			"prover.sh":  script,
			"bench.yaml": revision.bench,
			"build.sh":   revision.hostile + "\ncp prover.sh prover\n",
		} {
			if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		world.git(directory, "add", ".")
		world.git(directory, "commit", "-q", "--allow-empty", "-m", revision.message)
		return world.git(directory, "rev-parse", "HEAD")
	}
	world.first = commit(base)
	branch := head.branch
	if branch == "" {
		branch = "change"
	}
	world.git(directory, "checkout", "-q", "-b", branch)
	world.change = commit(head)
	for sha, text := range map[string]string{world.first: base.bench, world.change: head.bench} {
		if text == "" {
			text = demoBench
		}
		if world.Files == nil {
			world.Files = map[string]map[string][]byte{}
		}
		world.Files[sha] = map[string][]byte{config.FileName: []byte(text)}
	}
	world.bench = parseBench(t, string(world.Files[world.first][config.FileName]))
	world.git(directory, "checkout", "-q", "main")
	world.GitDir, world.Branches = directory, []string{"main", branch}
	*world.Pulls[worldPull] = githubtest.Pull{
		Number:         worldPull,
		State:          "open",
		BaseRef:        "main",
		BaseSHA:        world.first,
		HeadRef:        branch,
		HeadSHA:        world.change,
		HeadRepository: worldID,
	}
	return world
}

// measured runs fetch and measure on the plan, and uploads the result.
func (world *world) measured(plan *Plan) *result {
	world.t.Helper()
	return world.measuredInto(plan, filepath.Join(world.t.TempDir(), "out"))
}

func (world *world) measuredInto(plan *Plan, out string) *result {
	world.t.Helper()
	work := world.t.TempDir()
	bundle := filepath.Join(work, "bundle")
	options := FetchOptions{
		Repository:   world.GitDir,
		Config:       filepath.Join(world.GitDir, config.FileName),
		ConfigCommit: plan.ConfigCommit(),
		Local:        true,
	}
	if err := Fetch(context.Background(), plan.Commits(), options, bundle); err != nil {
		world.t.Fatal(err)
	}
	var log bytes.Buffer
	// Runs that are compared with golden files have a fixed seed, recorded as a random one.
	compare := func(ctx context.Context, options harness.Options) (*harness.Report, error) {
		options.RandomSeed, options.Seed = false, 7
		report, err := harness.Compare(ctx, options)
		if report != nil {
			report.Plan.SeedDrawn = true
		}
		return report, err
	}
	controls := harness.Controls{LockFile: filepath.Join(work, "lock")}
	err := Measure(context.Background(), plan, MeasureOptions{
		Bundle:   bundle,
		Out:      out,
		Log:      &log,
		Controls: controls,
		Compare:  compare,
	})
	if err != nil {
		world.t.Fatalf("%v\n%s", err, log.String())
	}
	data, err := os.ReadFile(filepath.Join(out, ResultFile))
	if err != nil {
		world.t.Fatal(err)
	}
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	entry, _ := writer.Create(ResultFile)
	entry.Write(data)
	if err := writer.Close(); err != nil {
		world.t.Fatal(err)
	}
	world.upload(plan, buffer.Bytes())
	result, err := checkResult(data, plan, world.benchOf(plan))
	if err != nil {
		world.t.Fatalf("%v\n%s", err, log.String())
	}
	return result
}

// TestEndToEnd runs every step: event, gate, fetch, a real comparison in isolation, publish.
func TestEndToEnd(t *testing.T) {
	for name, head := range map[string]revisionOf{
		"regression":  {factor: 110},
		"improvement": {factor: 90},
		"broken":      {factor: 100, verify: "echo 'the proof is `wrong` | @team'; false"},
	} {
		t.Run(name, func(t *testing.T) {
			world := demo(t, revisionOf{factor: 100}, head)
			plan := world.gate(world.say("maintainer", "/bench-gpu")).Plan
			if plan == nil {
				t.Fatal("refused")
			}
			result := world.measured(plan)
			if !result.Report.Plan.Isolated {
				t.Error("measured without isolation")
			}
			if err := world.publish(plan, "success"); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".md", world.mask(strings.Join(world.bodies(), "\n\n======== comment\n\n")))
		})
	}
}

// mask replaces the texts that differ between runs: times and the host. Commits of a temporary repository have fixed
// dates.
func (world *world) mask(text string) string {
	text = strings.NewReplacer(world.change, "HEADSHA", world.first, "BASESHA", world.change[:7], "HEADSHA",
		world.first[:7], "BASESHA").Replace(text)
	for _, mask := range [][2]string{
		{`chiasmus:index \S+`, "chiasmus:index INDEX"},
		{`(chiasmus:verdict \S+) [0-9a-f]{64}`, "$1 DIGEST"},
		{`#issuecomment-\d+`, "#issuecomment-ID"},
		{`\d{4}-\d\d-\d\d[T ]\d\d:\x{200b}?\d\d(:\d\d)?( UTC|Z)?`, "DATE"},
		{`(?m)^(\| (Host|Refused proof|System|CPU|Cores|Memory|GPU|Run|Builds?|Started|Finished|Toolchain|Configuration|Raw pairs|Directory|Report|Journal|Logs|Log|Artifact prover) \|).*$`, "$1 … |"},
		{`, in [0-9][0-9.]*( ?(h|min|m|ms|s)[0-9 ]*)+\|`, ", in TIME |"},
		{`(?m)^- (environment|wall time): .*\n`, ""},
		{`#### Warnings of the run\n\n+(<|####|---)`, "$1"},
		{`<summary>The run: warnings of the run, `, "<summary>The run: "}, // all of them may be of the environment
		{`\n\n\n+`, "\n\n"},
	} {
		pattern, replacement := mask[0], mask[1]
		text = regexp.MustCompile(pattern).ReplaceAllString(text, replacement)
	}
	return text
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// hostile has the attacks of an untrusted build and prover from inside. A successful attack ends the run with a message
// on stderr, which fails the test.
const hostile = `own=$PWD
proofs=$(dirname "${2:-/tmp/x}")
caught() { echo "ATTACK SUCCEEDED: $1" >&2; exit 9; }
for file in $(find / -xdev -type f \( -name journal.jsonl -o -name run.json -o -name plan.json -o -name repository.bundle \) 2>/dev/null); do
	caught "reads $file"
done
for file in $(find / -xdev -type f -name prover 2>/dev/null); do
	case $file in "$own"/*) ;; *) (echo x >>"$file") 2>/dev/null && caught "writes $file" ;; esac
done
for file in $(find / -xdev -type f -writable 2>/dev/null | head -500); do
	case $file in "$own"/* | "$proofs"/* | "$HOME"/* | /tmp/* | /proc/* | /dev/* | /sys/*) ;; *) caught "could write $file" ;; esac
done
if env | grep -q SESAME || cat /proc/*/environ 2>/dev/null | grep -aq SESAME; then caught "reads the environment of the harness"; fi
if cat /proc/*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -aq '[w]orkflows.test'; then caught "sees the harness"; fi
if kill -0 HARNESSPID 2>/dev/null && test "$(tr '\\0' ' ' </proc/HARNESSPID/cmdline | grep -c '[w]orkflows.test')" != 0; then caught "signals the harness"; fi
if bash -c 'echo x >/dev/tcp/127.0.0.1/PORT' 2>/dev/null; then caught "reaches the network"; fi
`

// A head whose build and prover attack from inside the isolation gets its verdict, and the attacks fail.
func TestHostileHead(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var connections atomic.Int32
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			connection.Close()
		}
	}()
	t.Setenv("SESAME", "open")
	lines := strings.NewReplacer("HARNESSPID", fmt.Sprint(os.Getpid()), "PORT",
		fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)).Replace(hostile)
	if output, err := exec.Command("sh", "-c",
		strings.ReplaceAll(lines, "find / ", "find "+t.TempDir()+" ")).CombinedOutput(); err == nil ||
		!strings.Contains(string(output), "ATTACK SUCCEEDED") {
		t.Fatalf("the attack would not be noticed outside either: %v\n%s", err, output)
	}
	before := connections.Load()
	// The attacks take time outside of the reported time, so the harness's own clock decides.
	world := demo(t, revisionOf{
		factor: 100,
		bench:  demoBench + "metrics: {primary: wall_seconds}\n",
	}, revisionOf{factor: 2000, hostile: lines})
	plan := world.gate(world.say("maintainer", "/bench-gpu")).Plan
	result := world.measured(plan)
	if result.Report == nil || result.outcome(plan) != regression {
		t.Fatalf("outcome %s\n%s\n%+v", result.outcome(plan), result.Log, result.Report.Failure)
	}
	if connections.Load() != before {
		t.Error("the head reached the network")
	}
}

// A head whose verifier accepts any proof does not convince base's verifier, which ends the run of a pull request.
func TestVerifierThatAcceptsAnything(t *testing.T) {
	world := demo(t, revisionOf{factor: 100}, revisionOf{
		factor: 90,
		hostile: "test \"$1\" != prove || { echo garbage >\"$2\"; printf '{\"metrics\":{\"prove_seconds\":0.0005%03d}}' " +
			"$((noise % 1000)) >\"$3\"; exit 0; }",
		verify: "true",
	})
	plan := world.gate(world.say("maintainer", "/bench-gpu")).Plan
	world.measured(plan)
	if err := world.publish(plan, "success"); err != nil {
		t.Fatal(err)
	}
	if verdict := world.verdicts()[0]; !strings.Contains(verdict,
		"the run failed at step cross: base's verifier refuses head's proof") {
		t.Errorf("the verdict does not say that base's verifier refused:\n%s", verdict)
	}
}

// Names that contain shell code or Markdown are shown as text.
func TestHostileNames(t *testing.T) {
	world := demo(t, revisionOf{factor: 100}, revisionOf{
		factor:  110,
		branch:  "x;touch$IFS/tmp/pwned;#",
		message: "`@team` <b>bold</b> [link](javascript:1) $(touch /tmp/pwned) ![](x)",
	})
	plan := world.gate(world.say("maintainer", "/bench-gpu pairs=6")).Plan
	world.measured(plan)
	if err := world.publish(plan, "success"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/tmp/pwned"); err == nil {
		t.Error("a name was run")
	}
	verdict := world.verdicts()[0]
	for _, raw := range []string{"<b>", "](javascript", "![]("} {
		if strings.Contains(verdict, raw) {
			t.Errorf("%q came through:\n%s", raw, verdict)
		}
	}
}

// A head's permissive bench.yaml is ignored, unless the comment of a maintainer chooses it.
func TestHeadConfig(t *testing.T) {
	lax := strings.Replace(strings.Replace(demoBench, "pairs: 8", "pairs: 6", 1),
		`verify: ["{prover}", verify, "{proof}"]`, `verify: ["true", "{proof}"]`, 1)
	for comment, pairs := range map[string]int{"/bench-gpu": 8, "/bench-gpu config=head": 6} {
		world := demo(t, revisionOf{factor: 100}, revisionOf{factor: 110, bench: lax})
		plan := world.gate(world.say("maintainer", comment)).Plan
		result := world.measured(plan)
		if got := result.Report.Plan.Pairs; got != pairs {
			t.Errorf("%s: %d pairs, want %d", comment, got, pairs)
		}
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(world.verdicts()[0], "this pull request's bench.yaml"); said != plan.HeadConfig {
			t.Errorf("%s: the verdict mentions head's bench.yaml: %t", comment, said)
		}
	}
}
