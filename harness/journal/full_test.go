//go:build unix

package journal

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// fullAt limits the size of every file of this process until the returned function is called. Writes beyond it are
// truncated and fail, as on a full disk.
func fullAt(t *testing.T, size int64) (free func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // its default is to kill the process
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	limit := before
	limit.Cur = uint64(size)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
			t.Fatal(err)
		}
	}
}

// A record that did not fit leaves no bytes in the file: the next record that fits follows the previous one directly.
func TestAppendOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append("first", 1); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	free := fullAt(t, info.Size()+20)
	_, err = j.Append("lost", strings.Repeat("x", 100))
	free()
	if !errors.Is(err, syscall.EFBIG) {
		t.Fatalf("appended beyond the limit: %v", err)
	}
	if after, err := os.Stat(path); err != nil || after.Size() != info.Size() {
		t.Errorf("%d bytes, want the %d of the first record: %v", after.Size(), info.Size(), err)
	}
	if r, err := j.Append("second", 2); err != nil || r.Sequence != 2 {
		t.Fatalf("record %+v: %v", r, err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	records, err := Read(path)
	if err != nil || len(records) != 2 || records[1].Kind != "second" {
		t.Errorf("records %+v: %v", records, err)
	}
}

// A partial record that cannot be removed ends the journal: nothing is written after it.
func TestAppendAfterAFailureThatStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	j.file.Close()
	if _, err := j.Append("first", 1); !errors.Is(err, os.ErrClosed) {
		t.Fatalf("wrote to a closed file: %v", err)
	}
	if _, err := j.Append("second", 2); err == nil || !strings.Contains(err.Error(), "could not be removed") {
		t.Errorf("went on after half a record: %v", err)
	}
}
