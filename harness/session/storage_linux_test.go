package session_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/session"
)

// storage is the number of bytes that this process and the children it has waited for read from and wrote to storage
// (proc_pid_io(5)).
func storage(t *testing.T, name string) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip(err)
	}
	_, after, _ := strings.Cut(string(text), "\n"+name+": ")
	number, _, _ := strings.Cut(after, "\n")
	bytes, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return bytes
}

// The account has the bytes that a session writes and reads while it waits, separately, including those of children
// that have ended.
func TestStorageOfASessionThatWaits(t *testing.T) {
	const most = 4 << 20
	c := command(t, "", "session")
	write, read := "dd if=/dev/zero of=%s bs=1M count=4 conv=fsync", "dd if=%s of=/dev/null bs=1M iflag=direct"
	// If this file system does not count the test's own child, it does not count a session either.
	for name, script := range map[string]string{"write_bytes": write, "read_bytes": write + "; " + read} {
		before := storage(t, name)
		probe := exec.Command("sh", "-c", strings.ReplaceAll(script, "%s", "probe."+name))
		probe.Dir = c.Dir
		if said, err := probe.CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, said)
		}
		if counted := storage(t, name) - before; counted < most {
			t.Skipf("the kernel counts %.0f %s of %d in %s", counted, name, most, c.Dir)
		}
	}
	step := func(go_, script, done string) string {
		return "until [ -e " + go_ + " ]; do sleep 0.01; done; " + strings.ReplaceAll(script, "%s", "file") +
			" 2>/dev/null; : >" + done + "\n"
	}
	c.Argv = []string{"sh", "-c", `echo '{"schema":"chiasmus.session/1","event":"ready"}'` + "\n" +
		step("go.write", write, "written") + step("go.read", read, "read") + "sleep 3600"}
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Kill()
	for _, what := range [][2]string{{"go.write", "written"}, {"go.read", "read"}} {
		before := s.Account()
		if err := os.WriteFile(filepath.Join(c.Dir, what[0]), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		until(t, what[1], func() bool { _, err := os.Stat(filepath.Join(c.Dir, what[1])); return err == nil })
		if took := s.Account().Since(before); took.IOBytes < most {
			t.Errorf("%d bytes are %s, and the account has %.0f", most, what[1], took.IOBytes)
		}
	}
}
