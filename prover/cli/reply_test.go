package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The hash covers the bytes of the file, whether it was preallocated longer, shorter or not at all; nothing else is
// left in the folder.
func TestPendingFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "proof")
	for _, expected := range []int{0, 1, 1 << 20, 9 << 20} {
		for _, size := range []int{0, 1, 1<<20 + 5} {
			data := bytes.Repeat([]byte{byte(size), 7, byte(expected >> 20)}, size)
			file := beginPending(path, expected)()
			d := deliver(data, size != 1, file.put)
			file.drop()
			if d.err != nil {
				t.Fatal(d.err)
			}
			written, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			want := hex.EncodeToString(sum[:])
			if size == 1 {
				want = "" // not demanded
			}
			if !bytes.Equal(written, data) || d.sum != want {
				t.Errorf("%d bytes in a file made for %d: %d bytes are there", len(data), expected, len(written))
			}
		}
	}
	beginPending(path, 100)().drop()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left, want the proof alone: %v", len(entries), err)
	}
	none := beginPending(filepath.Join(path, "below"), 5)()
	if d := deliver(nil, true, none.put); d.err == nil {
		t.Error("a file below a file is no error")
	}
	none.drop()
}

// A file that loses its pages after it was mapped is written, not filled: no signal ends the process.
func TestPendingFileThatIsCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proof")
	data := bytes.Repeat([]byte("proof"), 1<<20)
	file := beginPending(path, len(data))()
	if file.mapped == nil && runtime.GOOS == "linux" {
		t.Fatal("the file is not mapped")
	}
	if err := file.file.Truncate(100); err != nil {
		t.Fatal(err)
	}
	if err := file.put(data); err != nil {
		t.Fatal(err)
	}
	file.drop()
	if written, err := os.ReadFile(path); err != nil || !bytes.Equal(written, data) {
		t.Errorf("%d bytes are there, want %d: %v", len(written), len(data), err)
	}
}

// A session on a device writes a proof through a file that it prepares in advance, but writes what is not a regular
// file directly.
func TestSessionWriter(t *testing.T) {
	p := &program{proofBytes: 10}
	path := filepath.Join(t.TempDir(), "proof")
	for _, onDevice := range []bool{false, true} {
		for _, to := range []string{path, os.DevNull} {
			write, drop := p.writer(to, onDevice)
			err := write([]byte("proof"))
			drop()
			if err != nil {
				t.Errorf("on a device: %t: %v", onDevice, err)
			}
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "proof" {
			t.Errorf("on a device: %t: %q, %v", onDevice, data, err)
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a regular file now: %v", os.DevNull, err)
	}
}

// BenchmarkReply measures a session's steps between a proof of 16 MB and its reply.
func BenchmarkReply(b *testing.B) {
	data := make([]byte, 16<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data) // never fails
	path := filepath.Join(b.TempDir(), "proof")
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			sha256.Sum256(data)
		}
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := writeWhole(path, data); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, put := range map[string]func(*pending) error{
		"put":     func(file *pending) error { return file.put(data) },
		"deliver": func(file *pending) error { return deliver(data, true, file.put).err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				file := beginPending(path, len(data))()
				b.StartTimer()
				if err := put(file); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				file.drop()
				b.StartTimer()
			}
		})
	}
}
