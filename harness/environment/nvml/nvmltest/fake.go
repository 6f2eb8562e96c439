// Package nvmltest builds a stand-in for NVIDIA's management library, for tests on hosts without a
// GPU. It is compiled from C at test time and loaded like the real one.
package nvmltest

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

//go:embed testdata/fake.c
var source []byte

// A Fake is a compiled stand-in and the state that it reads at every call.
type Fake struct {
	// Path is the shared library.
	Path  string
	t     testing.TB
	state string
	keys  map[string]string
}

// Build compiles the stand-in. Without a C compiler it skips the test, or fails the test if required is set, which
// callers set if the environment has CI=true.
func Build(t testing.TB, required bool) *Fake {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		if required {
			t.Fatal("CI needs a C compiler (cc) for the stand-in of NVML")
		}
		t.Skip("no C compiler (cc) for the stand-in of NVML")
	}
	library, err := compiled(cc)
	if err != nil {
		t.Fatal(err)
	}
	// A copy for each test, with its own state: the loader identifies libraries by their file.
	dir := t.TempDir()
	f := &Fake{
		Path:  filepath.Join(dir, "libnvidia-ml.so.1"),
		t:     t,
		state: filepath.Join(dir, "state"),
		keys:  map[string]string{},
	}
	if err := os.WriteFile(f.Path, library, 0o755); err != nil {
		t.Fatal(err)
	}
	f.Set(map[string]string{"driver": "580.65.06", "cuda": "13000", "count": "1"})
	f.Set(h200)
	return f
}

var (
	once    sync.Once
	library []byte
	failed  error
)

// compiled returns the stand-in, compiled once for all tests of a package.
func compiled(cc string) ([]byte, error) {
	once.Do(func() {
		dir, err := os.MkdirTemp("", "chiasmus-nvml-")
		if err != nil {
			failed = err
			return
		}
		defer os.RemoveAll(dir)
		c, so := filepath.Join(dir, "fake.c"), filepath.Join(dir, "fake.so")
		if failed = os.WriteFile(c, source, 0o644); failed != nil {
			return
		}
		if out, err := exec.Command(cc, "-shared", "-fPIC", "-Wall", "-Werror", "-O1", "-o", so, c,
			"-ldl").CombinedOutput(); err != nil {
			failed = fmt.Errorf("%w: %s", err, out)
			return
		}
		library, failed = os.ReadFile(so)
	})
	return library, failed
}

// h200 is the state of an idle device 0, with the figures of an H200.
var h200 = map[string]string{
	"0.name":         "NVIDIA H200",
	"0.uuid":         "GPU-0a1b2c3d",
	"0.clock1":       "345",
	"0.clock2":       "3201",
	"0.maxclock1":    "1980",
	"0.maxclock2":    "3201",
	"0.power":        "75123",
	"0.limit":        "700000",
	"0.temperature":  "31",
	"0.energy":       "123456789",
	"0.throttle":     "0x1",
	"0.thermal":      "0",
	"0.memory_total": "150754820096",
	"0.memory_used":  "655360000",
	"0.ecc":          "1",
	"0.mig":          "0",
	"0.errors":       "0",
	"0.persistence":  "1",
	"0.processes":    "",
}

// Set changes keys of the state; Unset removes them.
func (f *Fake) Set(keys map[string]string) {
	f.t.Helper()
	maps.Copy(f.keys, keys)
	f.write()
}

// Unset removes keys, so that the device no longer offers them.
func (f *Fake) Unset(keys ...string) {
	f.t.Helper()
	for _, k := range keys {
		delete(f.keys, k)
	}
	f.write()
}

// write replaces the state in one step, as the library may read it at any time.
func (f *Fake) write() {
	f.t.Helper()
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(f.keys)) {
		fmt.Fprintf(&b, "%s %s\n", k, f.keys[k])
	}
	part := f.state + ".part"
	if err := os.WriteFile(part, []byte(b.String()), 0o644); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(part, f.state); err != nil {
		f.t.Fatal(err)
	}
}
