package logfile_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/logfile"
)

var small = logfile.Limits{Head: 1000, Tail: 500}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A log that was written and reopened in any way has the whole head, the whole tail, and the true number of bytes
// between them.
func TestHeadAndTailAreKept(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		path := filepath.Join(t.TempDir(), "log")
		var all bytes.Buffer
		for n := 0; all.Len() < 20_000; n++ {
			l, err := logfile.Open(path, small)
			if err != nil {
				t.Fatal(err)
			}
			for range random.IntN(10) {
				text := strings.Repeat(fmt.Sprintf("line %d\n", random.IntN(1000)), random.IntN(300))
				all.WriteString(text)
				if n, err := l.Write([]byte(text)); err != nil || n != len(text) {
					t.Fatalf("%d of %d bytes, %v", n, len(text), err)
				}
				check(t, read(t, path), all.String())
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// check compares a log with all that was written to it.
func check(t *testing.T, got, all string) {
	t.Helper()
	if len(got) > int(small.Head+2*small.Tail)+100 {
		t.Fatalf("the log has %d bytes", len(got))
	}
	head, rest, cut := strings.Cut(got, "\n[... ")
	if !cut {
		if got != all {
			t.Fatalf("%d bytes were written, the log has %d others", len(all), len(got))
		}
		return
	}
	var left int
	if _, err := fmt.Sscanf(rest, "%d bytes of this log are left out here ...]\n", &left); err != nil {
		t.Fatalf("%v in %.80q", err, rest)
	}
	_, tail, _ := strings.Cut(rest, "]\n")
	if head != all[:small.Head] || !strings.HasSuffix(all, tail) || len(tail) < int(small.Tail)-10 ||
		len(head)+left+len(tail) != len(all) {
		t.Fatalf("of %d bytes the log has a head of %d, a tail of %d, and says that %d are left out", len(all), len(head),
			len(tail), left)
	}
}

// A log without line ends is bounded too, and Create truncates an existing file.
func TestOneEndlessLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := logfile.Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 100_000)
	if _, err := l.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	check(t, read(t, path), text)
	l.Close()
	if l, err = logfile.Create(path, small); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := read(t, path); got != "" {
		t.Errorf("after Create: %.40q", got)
	}
}

// The tail contains this writer's text, whatever the file had before.
func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("before\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := logfile.Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := l.Tail(); got != "" {
		t.Errorf("before anything was written: %q", got)
	}
	for n := range 30_000 {
		fmt.Fprintf(l, "line %d\n", n)
	}
	if got := l.Tail(); !strings.HasPrefix(got, "line 29980\n") || !strings.HasSuffix(got, "\nline 29999") {
		t.Errorf("tail %q", got)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrInvalid }

// A pipe is read to its end even if nothing can be kept, and a writer that never closes it is abandoned.
func TestCapture(t *testing.T) {
	c, err := logfile.Capture(failing{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.File.Write(make([]byte, 1<<20)); n != 1<<20 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if !c.End(time.Minute) {
		t.Error("not at its end")
	}
	var got bytes.Buffer
	if c, err = logfile.Capture(&got); err != nil {
		t.Fatal(err)
	}
	other, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", c.File.Fd()), os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer other.Close()
	if _, err := other.WriteString("said"); err != nil {
		t.Fatal(err)
	}
	if c.End(time.Millisecond) {
		t.Error("at its end while somebody could write")
	}
}
