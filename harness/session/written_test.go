package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOpenWritten(t *testing.T) {
	folder := t.TempDir()
	file, link, pipe := filepath.Join(folder, "file"), filepath.Join(folder, "link"), filepath.Join(folder, "pipe")
	if err := os.WriteFile(file, []byte("proof"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenWritten(file)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(f); err != nil || string(content) != "proof" {
		t.Errorf("%q %v", content, err)
	}
	f.Close()
	for _, path := range []string{link, pipe, folder, filepath.Join(folder, "none")} {
		if f, err := OpenWritten(path); err == nil {
			f.Close()
			t.Errorf("%s was opened", path)
		}
	}
}

// If proofs are not bounded in size, reading one ends with the timeout.
func TestReadingEndsWithTheTimeout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proof.bin")
	if err := os.WriteFile(path, []byte("proof"), 0o600); err != nil {
		t.Fatal(err)
	}
	var p Proof
	err := p.readProof(t.Context(), path, false, Command{Timeout: time.Minute, MaxProof: 5})
	if err != nil || p.Bytes != 5 {
		t.Errorf("%d bytes, %v", p.Bytes, err)
	}
	if err := p.readProof(t.Context(), path, false, Command{Timeout: time.Minute, MaxProof: 4}); err == nil ||
		!strings.Contains(err.Error(), "has 5 bytes or more, and 4 are allowed") {
		t.Errorf("one byte too many: %v", err)
	}
	if err := os.Truncate(path, 4<<40); err != nil {
		t.Fatal(err)
	}
	err = p.readProof(t.Context(), path, false, Command{Timeout: 50 * time.Millisecond, MaxProof: 1 << 50})
	if err == nil || !strings.Contains(err.Error(), "could not be read within 50ms") {
		t.Errorf("got %v", err)
	}
}

// A file that grows while it is read is also too large.
func TestAFileThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proof.bin")
	if err := os.WriteFile(path, []byte("proof"), 0o600); err != nil {
		t.Fatal(err)
	}
	grow := writerFunc(func(p []byte) (int, error) { return len(p), os.WriteFile(path, []byte("proof and more"), 0o600) })
	var large *TooLargeError
	if w, err := ReadWritten(t.Context(), path, grow, 5); !errors.As(err, &large) || w != (Written{}) {
		t.Errorf("%+v, %v", w, err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
