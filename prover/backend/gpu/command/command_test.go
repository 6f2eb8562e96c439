package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// environment is the tests' environment: their process's.
func environment() Environment {
	return Environment{CUDAPath: os.Getenv("CUDA_PATH"), VirtualEnv: os.Getenv("VIRTUAL_ENV"), Home: os.Getenv("HOME")}
}

// missing skips a test that lacks a tool; with CI=true it fails instead.
func missing(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("with CI=true this test must run: %v", err)
	}
	t.Skip(err)
}

// compilerFlag opens NVRTC and returns the flag that names it.
func compilerFlag(t *testing.T) string {
	t.Helper()
	search := environment().search(os.Getenv("CHIASMUS_NVRTC"))
	library, err := nvrtc.Open(search)
	if err != nil {
		missing(t, err)
	}
	return "--nvrtc=" + library.Path()
}

// softwareDriver is the software device's library, which answers as a driver.
func softwareDriver(t *testing.T) string {
	t.Helper()
	opened, err := softgpu.Open(softgpu.Options{})
	var none *softgpu.NoCompilerError
	if errors.As(err, &none) {
		missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return opened.Driver.Library().Path()
}

func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	e := environment()
	none := cli.Backend{Name: "gpu", Commands: e.commands, Open: func(cli.BackendOptions) (backend.Backend, error) {
		return nil, errors.New("the commands need no backend")
	}}
	code = cli.Main(args, strings.NewReader(""), &out, &err, []cli.Backend{none})
	return code, out.String(), err.String()
}

func TestDevicesWithoutADriver(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "libcuda.so.1")
	code, stdout, stderr := run(t, "devices", "--driver", absent)
	if code != 1 || !strings.Contains(stderr, "no GPU of this host is usable: there is no usable driver") {
		t.Errorf("exit code %d, stderr %s", code, stderr)
	}
	if !strings.Contains(stdout, "driver    not usable: ") || !strings.Contains(stdout, "Install the NVIDIA driver") ||
		!strings.Contains(stdout, absent) || !strings.Contains(stdout, "softgpu   ") || strings.Contains(stdout, "device 0") {
		t.Errorf("stdout %s", stdout)
	}
	code, stdout, _ = run(t, "devices", "--json", "--driver", absent, "--nvrtc", absent)
	var found inventory
	if err := json.Unmarshal([]byte(stdout), &found); err != nil {
		t.Fatalf("%v: %s", err, stdout)
	}
	if code != 1 || found.Driver.Found || !strings.Contains(found.Driver.Error, absent) || found.NVRTC.Found ||
		!strings.Contains(found.NVRTC.Error, absent) ||
		found.Devices == nil || len(found.Devices) != 0 || !strings.Contains(stdout, `"devices":[]`) {
		t.Errorf("exit code %d, %s", code, stdout)
	}
	for _, args := range [][]string{{"devices", "x"}, {"devices", "--kernels", absent}, {"devices", "--no-such-flag"}} {
		if code, _, stderr := run(t, args...); code != 2 {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
	}
}

func TestDevicesLists(t *testing.T) {
	driver := softwareDriver(t)
	// The software device's library is also its own compiler.
	code, stdout, stderr := run(t, "devices", "--json", "--driver", driver, "--nvrtc", driver)
	var found inventory
	if err := json.Unmarshal([]byte(stdout), &found); err != nil {
		t.Fatalf("%v: %s %s", err, stdout, stderr)
	}
	if code != 0 || !found.Driver.Found || found.Driver.Path != driver || len(found.Devices) != 2 ||
		!found.Software.Available {
		t.Fatalf("exit code %d: %s", code, stdout)
	}
	if d := found.Devices[0]; !d.WillDo || d.Name == "" || d.Architecture != "softgpu" ||
		d.MemoryBytes == 0 || d.Reason != "" {
		t.Errorf("device 0 is %+v", d)
	}
	code, stdout, _ = run(t, "devices", "--driver", driver, "--nvrtc", driver)
	if code != 0 || !strings.Contains(stdout, "device 1") || !strings.Contains(stdout, ": usable\n") ||
		!strings.Contains(stdout, "NVRTC     CUDA ") {
		t.Errorf("exit code %d: %s", code, stdout)
	}
	code, stdout, stderr = run(t, "devices", "--driver", driver, "--nvrtc", filepath.Join(t.TempDir(), "none"))
	if code != 1 || !strings.Contains(stdout, "not usable: nothing compiles kernels for softgpu here") ||
		!strings.Contains(stderr, "no GPU of this host is usable") {
		t.Errorf("without a compiler: exit code %d: %s%s", code, stdout, stderr)
	}
}

func TestJudge(t *testing.T) {
	hopper := &cuda.Device{Name: "H200", Architecture: "sm_90", ComputeCapability: [2]int{9, 0}}
	turing := &cuda.Device{Name: "T4", Architecture: "sm_75", ComputeCapability: [2]int{7, 5}}
	for _, tc := range []struct {
		name          string
		device        *cuda.Device
		compiler      bool
		architectures []string
		prebuilt      string
		why           string
	}{
		{"compiled here", hopper, true, []string{"sm_80", "sm_90"}, "", ""},
		{"prebuilt", hopper, false, nil, "built", ""},
		{"neither", hopper, false, nil, "", "prover kernels build --arch sm_90"},
		{"an old compiler", hopper, true, []string{"sm_80"}, "", "does not support sm_90"},
		{"an old device", turing, true, []string{"sm_75"}, "built", "compute capability 7.5, at least 8.0"},
	} {
		err := judge(tc.device, tc.compiler, tc.architectures, tc.prebuilt)
		if tc.why == "" && err != nil || tc.why != "" && (err == nil || !strings.Contains(err.Error(), tc.why)) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.why)
		}
	}
}

// The user's cache has the software device's kernels for all tests. cuda/compile tests that NVRTC gives the same bytes
// twice.
func TestKernelsBuildAndList(t *testing.T) {
	softwareDriver(t)
	units, err := unitsOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, unit := range units {
		if names[unit.Name] {
			t.Errorf("two kernel files are named %s", unit.Name)
		}
		names[unit.Name] = true
	}
	folders := [2]string{t.TempDir(), filepath.Join(t.TempDir(), "made", "here")}
	for _, folder := range folders {
		code, stdout, stderr := run(t, "kernels", "build", "--arch", "softgpu", "--machine", "fib", "--out", folder)
		if code != 0 || !strings.Contains(stdout, "softgpu: ") {
			t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
		}
	}
	files, err := filepath.Glob(filepath.Join(folders[0], "*.kernel"))
	if err != nil || len(files) < 4 {
		t.Fatalf("built %q, %v", files, err)
	}
	for _, file := range files {
		a, errA := os.ReadFile(file)
		b, errB := os.ReadFile(filepath.Join(folders[1], filepath.Base(file)))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("two builds of %s differ (%v, %v)", filepath.Base(file), errA, errB)
		}
	}
	code, stdout, stderr := run(t, "kernels", "list", folders[0])
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != 0 || len(lines) < 10 || !strings.Contains(lines[0], "registers") ||
		!strings.Contains(stdout, "chiasmus_") || !strings.Contains(lines[1], "softgpu") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	if err := os.WriteFile(files[0], []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, damaged, stderr := run(t, "kernels", "list", folders[0])
	if code != 1 || !strings.Contains(stderr, files[0]) || len(damaged) >= len(stdout) || len(damaged) == 0 {
		t.Errorf("with a damaged file: exit code %d: %s", code, stderr)
	}
}

func TestKernelsRefuses(t *testing.T) {
	compiler := compilerFlag(t)
	folder := t.TempDir()
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"kernels"}, "build or list"},
		{[]string{"kernels", "build", "--out", folder}, "--arch is missing"},
		{[]string{"kernels", "build", "--arch", "sm_90"}, "--out DIR is missing"},
		{[]string{"kernels", "build", "--arch", "hopper", "--out", folder}, `--arch "hopper": want names such as sm_80`},
		{[]string{"kernels", "build", "--arch", "sm_20", "--out", folder, compiler}, "--arch sm_20: NVRTC at"},
		{[]string{"kernels", "build", "--arch", "sm_90", "--out", folder, "--machine", "none", compiler},
			`no machine named "none"`},
		{[]string{"kernels", "list", filepath.Join(folder, "none")}, "none: no such file or directory (kernels are kept by"},
		{[]string{"kernels", "list", folder, folder}, "unexpected argument"},
	} {
		if code, _, stderr := run(t, tc.args...); code != 2 || !strings.Contains(stderr, tc.says) {
			t.Errorf("%q: exit code %d: %s, want 2 and %q", tc.args, code, stderr, tc.says)
		}
	}
	if code, _, stderr := run(t, "kernels", "build", "--arch", "sm_90", "--out", folder, "--nvrtc",
		filepath.Join(folder, "none")); code != 1 || !strings.Contains(stderr, "nvidia-cuda-nvrtc") {
		t.Errorf("without NVRTC: exit code %d: %s", code, stderr)
	}
}

// Only a process that makes one proof asks for few queues, and not if the user chose a number.
func TestConnections(t *testing.T) {
	for _, tc := range []struct {
		user string
		once bool
		want int
	}{{"", true, 2}, {"", false, 0}, {"8", true, 0}} {
		e := Environment{Connections: tc.user}
		set := pflag.NewFlagSet("prove", pflag.ContinueOnError)
		addFlags(set)
		o, err := e.options(cli.BackendOptions{Flags: set, Once: tc.once})
		if err != nil || o.Connections != tc.want {
			t.Errorf("%+v: %d connections, %v", tc, o.Connections, err)
		}
	}
}

func TestOptions(t *testing.T) {
	e := Environment{CUDAPath: "/toolkit", VirtualEnv: "/venv", Home: "/home/x", Cache: "/cache"}
	parse := func(args ...string) (cli.BackendOptions, error) {
		set := pflag.NewFlagSet("prove", pflag.ContinueOnError)
		addFlags(set)
		return cli.BackendOptions{Pool: parallel.New(3), Flags: set}, set.Parse(args)
	}
	folder := t.TempDir()
	flags, err := parse("--device", "1", "--vram", "80GiB", "--kernels", folder, "--nvrtc", "/lib", "--softgpu-seed", "9",
		"--inject-fault", "fold/alloc=sticky")
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.options(flags)
	if err != nil || o.Device != "1" || o.VRAM != 80<<30 || o.Prebuilt != folder || o.NVRTC.File != "/lib" ||
		o.NVRTC.CUDAPath != "/toolkit" ||
		o.NVRTC.VirtualEnv != "/venv" || o.NVRTC.Home != "/home/x" || o.Cache != "/cache/chiasmus/kernels" || o.Seed != 9 ||
		o.Pool.Workers() != 3 || o.Faults == nil {
		t.Errorf("%+v, %v", o, err)
	}
	if flags, err = parse(); err != nil {
		t.Fatal(err)
	}
	if o, err := e.options(flags); err != nil || o.Device != "" || o.VRAM != 0 || o.Faults != nil {
		t.Errorf("without flags: %+v, %v", o, err)
	}
	for _, args := range [][]string{{"--kernels", folder + "/none"}, {"--inject-fault", "alloc"}} {
		flags, err := parse(args...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.options(flags); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%q: %v", args, err)
		}
	}
}
