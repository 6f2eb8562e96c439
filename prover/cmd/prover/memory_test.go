//go:build linux

package main

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
)

// A proof takes no more than the memory that it is given, and shards take less than the whole run.
func TestMemory(t *testing.T) {
	longtest.Only(t)
	folder := t.TempDir()
	binary, guest := filepath.Join(folder, "prover"), "../../../guests/elf/fib.elf"
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, tc := range []struct {
		flags []string
		most  int64 // bytes
	}{
		{[]string{"--memory", "480MiB"}, 480 << 20},
		{[]string{"--shards", "8"}, 420 << 20},
	} {
		cmd := exec.Command(binary, append([]string{"prove", "--elf", guest, "--backend", "cpu", "--proof",
			filepath.Join(folder, "p")}, tc.flags...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", tc.flags, err, out)
		}
		if peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; peak > tc.most {
			t.Errorf("%v: a peak of %d bytes, want at most %d", tc.flags, peak, tc.most)
		}
	}
}
