package environment

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Compares the snapshot of this machine with the system calls.
func TestThisHost(t *testing.T) {
	s, err := Capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		t.Fatal(err)
	}
	if want := string(name.Release[:bytes.IndexByte(name.Release[:], 0)]); s.Kernel != want {
		t.Errorf("kernel %q, uname says %q", s.Kernel, want)
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	if want := int64(info.Totalram) * int64(info.Unit); s.Memory.Total != want {
		t.Errorf("memory %d, sysinfo says %d", s.Memory.Total, want)
	}
	if hostname, err := os.Hostname(); err != nil || s.Hostname != hostname {
		t.Errorf("hostname %q, want %q (%v)", s.Hostname, hostname, err)
	}
	if s.CPU.Logical < runtime.NumCPU() || s.CPU.Available != runtime.NumCPU() || s.Memory.Available <= 0 {
		t.Errorf("%+v", s)
	}
	if diff := Diff(s, s); len(diff) != 0 {
		t.Errorf("differs from itself: %v", diff)
	}
}
