package isolate

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/egress"
	"github.com/chiasmus/chiasmus/harness/internal/lifetest"
)

// probeVariable turns the test program into the isolated program: it tries what its arguments say and prints the
// results.
const probeVariable = "CHIASMUS_PROBE"

func TestMain(m *testing.M) {
	if code, bridge := egress.Main(os.Args[1:], os.Stdout, os.Stderr); bridge {
		os.Exit(code)
	}
	// The probe's arguments are not flags of the test program.
	if os.Getenv(probeVariable) != "" {
		for _, line := range os.Args[1:] {
			what := strings.Split(line, "\t")
			if err := probe(what[0], what[1:]); err != nil {
				fmt.Printf("%q: error: %v\n", what, err)
			} else {
				fmt.Printf("%q: did\n", what)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// probe makes one attempt.
func probe(what string, args []string) error {
	switch what {
	case "read":
		_, err := os.ReadFile(args[0])
		return err
	case "list":
		entries, err := os.ReadDir(args[0])
		for _, e := range entries {
			fmt.Println(e.Name())
		}
		return err
	case "write":
		return os.WriteFile(args[0], []byte("written"), 0o644)
	case "folder":
		return os.MkdirAll(args[0], 0o755)
	case "open":
		f, err := os.OpenFile(args[0], os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return f.Close()
	case "remove":
		return os.RemoveAll(args[0])
	case "signal":
		pid, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		return syscall.Kill(pid, 0)
	case "dial":
		c, err := net.DialTimeout(args[0], args[1], 3*time.Second)
		if err != nil {
			return err
		}
		return c.Close()
	case "get":
		client := &http.Client{Transport: &http.Transport{Proxy: func(*http.Request) (*url.URL, error) {
			return url.Parse(os.Getenv("http_proxy")) // asks for loopback too, which Go's own rule excludes
		}}}
		if os.Getenv("http_proxy") == "" {
			client = http.DefaultClient
		}
		response, err := client.Get(args[0])
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
	case "mount":
		return syscall.Mount("none", args[0], "tmpfs", 0, "")
	case "remount":
		return syscall.Mount("none", args[0], "", syscall.MS_REMOUNT|syscall.MS_BIND, "")
	case "device":
		return syscall.Mknod(args[0], syscall.S_IFBLK|0o600, 8<<8)
	case "call":
		return call(args[0])
	case "environment":
		for _, pair := range os.Environ() {
			fmt.Println(pair)
		}
	case "where":
		dir, err := os.Getwd()
		fmt.Println(dir)
		return err
	}
	return nil
}

// A cell is an isolated folder next to a folder that must stay unreachable.
type cell struct {
	t                          *testing.T
	root, own, home, neighbour string
	spec                       Spec
}

func newCell(t *testing.T) *cell {
	t.Helper()
	program, err := Find(t.Context())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &cell{
		t:         t,
		root:      root,
		own:       filepath.Join(root, "cache", "own"),
		home:      filepath.Join(root, "cache", "home"),
		neighbour: filepath.Join(root, "cache", "neighbour"),
	}
	for _, dir := range []string{c.own, c.home, c.neighbour, filepath.Join(root, "run"), filepath.Join(root, "proofs")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(c.neighbour, "prover"), filepath.Join(root, "run", "journal.jsonl"),
		filepath.Join(c.own, "source")} {
		if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c.spec = Spec{
		Program:  program,
		Worktree: c.own, Home: c.home,
		Mounts: []Mount{{Source: filepath.Join(root, "proofs"), Writable: true}, {Source: self, Target: "/probe"}},
		Hidden: []string{filepath.Join(root, "cache"), filepath.Join(root, "run")},
		Env: Environment([]string{"PATH=" + os.Getenv("PATH"), "SECRET_TOKEN=hunter2"},
			map[string]string{probeVariable: "1"}),
	}
	return c
}

// try runs the probe inside and returns its output, with the lines about its last attempt.
func (c *cell) try(what ...[]string) []string {
	c.t.Helper()
	if err := c.spec.Check(); err != nil {
		c.t.Fatal(err)
	}
	command := []string{"/probe"}
	for _, w := range what {
		command = append(command, strings.Join(w, "\t"))
	}
	argv := Wrap(c.spec, command)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "ANOTHER_SECRET=hunter3")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("%v: %v: %s", what, err, &stderr)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// can reports every attempt that fails inside, cannot every attempt that succeeds.
func (c *cell) can(what ...[]string) {
	c.t.Helper()
	for _, line := range c.try(what...) {
		if !strings.HasSuffix(line, ": did") {
			c.t.Error(line)
		}
	}
}

func (c *cell) cannot(what ...[]string) {
	c.t.Helper()
	for _, line := range c.try(what...) {
		if !strings.Contains(line, ": error: ") {
			c.t.Error(line)
		}
	}
}

// each makes one attempt for every path.
func each(verb string, paths ...string) (out [][]string) {
	for _, p := range paths {
		out = append(out, []string{verb, p})
	}
	return out
}

func TestOwnThingsWork(t *testing.T) {
	c := newCell(t)
	proof := filepath.Join(c.root, "proofs", "proof.bin")
	c.can(each("read", filepath.Join(c.own, "source"), "/usr/bin/env", "/proc/self/status", "/proc/meminfo",
		"/proc/sys/vm/overcommit_memory")...)
	c.can(each("write", filepath.Join(c.own, "bin"), filepath.Join(c.home, "cache"), "/tmp/file", proof, "/dev/null")...)
	if got := c.try([]string{"where"}); got[0] != c.own {
		t.Errorf("it runs in %s", got[0])
	}
	for _, path := range []string{filepath.Join(c.own, "bin"), filepath.Join(c.home, "cache"), proof} {
		if data, err := os.ReadFile(path); err != nil || string(data) != "written" {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := os.Stat("/tmp/file"); err == nil {
		t.Error("/tmp is that of the host")
	}
	c.spec.Tmp = filepath.Join(c.root, "proofs")
	c.can(each("write", "/tmp/kept")...)
	if _, err := os.Stat(filepath.Join(c.root, "proofs", "kept")); err != nil {
		t.Error(err)
	}
}

func TestTheRestIsOutOfReach(t *testing.T) {
	c := newCell(t)
	theirs, journal := filepath.Join(c.neighbour, "prover"), filepath.Join(c.root, "run", "journal.jsonl")
	c.cannot(each("read", theirs, journal, "/etc/shadow", "/etc/gitconfig", "/root/.bashrc", "/root/.gitconfig",
		"/proc/1/root/etc/shadow")...)
	c.cannot(each("list", "/etc/ssh", "/var/log", "/home", "/mnt", "/srv", "/run", "/sys/kernel/debug",
		"/sys/kernel/tracing")...)
	c.cannot(each("write", "/usr/bin/planted", "/etc/planted", "/etc/passwd", "/planted", "/sys/fs/cgroup/planted")...)
	// As root, these attempts would change the host.
	c.cannot(each("open", "/proc/sys/kernel/hostname", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
		"/proc/sys/vm/drop_caches", "/proc/irq/default_smp_affinity", "/sys/power/state")...)
	c.cannot([]string{"mount", "/tmp"}, []string{"remount", "/"}, []string{"remount", "/usr"},
		[]string{"remount", "/proc/sys"}, []string{"device", filepath.Join(c.own, "sda")})
	if got := c.try([]string{"list", filepath.Join(c.root, "cache")}); !slices.Equal(got[:len(got)-1],
		[]string{"home", "own"}) {
		t.Errorf("the cache shows %q", got)
	}
	if got := c.try([]string{"list", filepath.Join(c.root, "run")}); len(got) != 1 {
		t.Errorf("the run directory shows %q", got)
	}
	// Writes outside the program's own folders go to memory, and removals there have no effect.
	planted := filepath.Join(c.root, "run", "planted")
	c.can([]string{"write", planted}, []string{"remove", c.neighbour})
	if _, err := os.Stat(planted); err == nil {
		t.Errorf("%s was written", planted)
	}
	for _, path := range []string{theirs, journal} {
		if data, err := os.ReadFile(path); err != nil || string(data) != "mine" {
			t.Errorf("%s is %q, %v", path, data, err)
		}
	}
}

func TestProcessesAreUnseen(t *testing.T) {
	c := newCell(t)
	victim := exec.Command("sleep", "30")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }() // it was killed
	// Process ids inside begin at 1 again. Only ids beyond the cell's few processes can belong to a process outside.
	var seen int
	for _, name := range c.try([]string{"list", "/proc"}) {
		if pid, err := strconv.Atoi(name); err == nil {
			if seen++; pid > 10 {
				t.Errorf("it sees process %d", pid)
			}
		}
	}
	if seen == 0 || seen > 4 {
		t.Errorf("it sees %d processes", seen)
	}
	for _, pid := range []int{os.Getpid(), victim.Process.Pid} {
		if pid > 10 {
			c.cannot([]string{"signal", strconv.Itoa(pid)}, []string{"read", fmt.Sprintf("/proc/%d/environ", pid)})
		}
	}
}

func TestNetwork(t *testing.T) {
	c := newCell(t)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	name := fmt.Sprintf("@chiasmus-test-%d", os.Getpid())
	abstract, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "reached") }))
	defer web.Close()
	dials := [][]string{{"dial", "tcp", tcp.Addr().String()}, {"dial", "unix", name}}
	for _, dial := range dials { // so the isolation hides them
		if err := probe(dial[0], dial[1:]); err != nil {
			t.Fatal(err)
		}
	}
	get := []string{"get", web.URL}
	c.cannot(append(dials, get)...)
	// A gateway opens only connections to itself, and this host is not reachable through it.
	gateway, err := egress.Open(t.Context(), egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	c.spec.Gateway = gateway
	c.cannot(append(dials, get, []string{"get", "http://169.254.169.254/latest/meta-data"})...)
	open, err := egress.Open(t.Context(), egress.Options{Guard: func(netip.Addr) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	c.spec.Gateway = open
	c.cannot(dials...)
	c.can(get) // so the guard refused it
}

func TestEnvironmentIsTheAllowedOne(t *testing.T) {
	c := newCell(t)
	got := c.try([]string{"environment"})
	if text := strings.Join(got, "\n"); strings.Contains(text, "hunter") || strings.Contains(text, "SECRET") {
		t.Errorf("a secret travelled: %s", text)
	}
	for _, want := range []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "TMPDIR=/tmp", "PWD=" + c.own} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
}

var heavy = flag.Bool("heavy", false,
	"also build a Go program from an empty cache, which compiles the standard library")

// Toolchains on the PATH work, with caches in the build's own home.
func TestToolchainsWorkInside(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err) // a test program that was built elsewhere
	}
	c := newCell(t)
	run := func(script, want string) {
		t.Helper()
		argv := Wrap(c.spec, []string{"sh", "-c", script})
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%s: %s, %v", script, out, err)
		}
	}
	run("go env GOCACHE GOMODCACHE", c.home+"/.cache/go-build\n"+c.home+"/go/pkg/mod\n")
	run("go list runtime", "runtime\n")
	if !*heavy {
		return
	}
	for name, text := range map[string]string{
		"go.mod":  "module example.org/x\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { println(\"built\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(c.own, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("CGO_ENABLED=0 go build -o bin/x . && bin/x", "built\n")
}

// Killing bubblewrap kills everything inside, whatever the programs do to escape.
func TestKillReachesEverything(t *testing.T) {
	c := newCell(t)
	line := lifetest.New(t, filepath.Join(c.own, "line"))
	argv := Wrap(c.spec, []string{"sh", "-c",
		"setsid sh -c 'trap \"\" TERM HUP; exec 7>line; echo >&7; while :; do sleep 3600; done' & wait"})
	cmd := exec.Command(argv[0], argv[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line.Started()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	line.Ended()
}

func TestExitCodeTravels(t *testing.T) {
	c := newCell(t)
	argv := Wrap(c.spec, []string{"sh", "-c", "exit 7"})
	var failed *exec.ExitError
	if err := exec.Command(argv[0], argv[1:]...).Run(); !errors.As(err, &failed) || failed.ExitCode() != 7 {
		t.Errorf("got %v", err)
	}
}

// On a host with an NVIDIA GPU, the GPU is visible inside only if it was requested.
func TestGPUInside(t *testing.T) {
	if _, err := exec.LookPath("nvidia-smi"); err != nil || len(gpuDevices()) == 0 {
		t.Skip("no NVIDIA GPU")
	}
	c := newCell(t)
	list := func() (string, error) {
		argv := Wrap(c.spec, []string{"nvidia-smi", "-L"})
		out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
		return string(out), err
	}
	c.spec.Env = append(c.spec.Env, "LD_LIBRARY_PATH="+os.Getenv("LD_LIBRARY_PATH"))
	if out, err := list(); err == nil {
		t.Errorf("a GPU that was not asked for: %s", out)
	}
	c.spec.GPU = true
	if out, err := list(); err != nil || !strings.Contains(out, "GPU 0") {
		t.Errorf("%s, %v", out, err)
	}
}
