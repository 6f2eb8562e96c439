package session

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
