// Package files contains file helpers of the harness: the tail of a log, a cancellable reader, the size of a folder,
// and the removal of read-only trees.
package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The largest numbers of bytes and lines in the tail of a log.
const (
	TailBytes = 8 << 10
	TailLines = 20
)

// Tail returns the last lines of a log file after an offset. It returns an empty string if the file cannot be read.
func Tail(path string, from int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	from = max(from, info.Size()-TailBytes)
	data, err := io.ReadAll(io.NewSectionReader(f, from, TailBytes))
	if err != nil {
		return ""
	}
	return LastLines(data)
}

// LastLines returns the last lines of a text, at most TailLines and TailBytes.
func LastLines(text []byte) string {
	text = text[max(0, len(text)-TailBytes):]
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(text), "?"), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-TailLines):], "\n")
}

// Until returns a reader that reads from r until ctx is done, and then fails with ctx's cause.
func Until(ctx context.Context, r io.Reader) io.Reader { return until{ctx, r} }

type until struct {
	ctx context.Context
	r   io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.r.Read(p)
}

// Size returns the total size of the regular files in a folder. Files that are deleted meanwhile do not count.
func Size(folder string) (total int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return unlessGone(err)
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return unlessGone(err)
	})
	return total, err
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveAll is os.RemoveAll for trees with read-only folders, such as Go's module cache.
func RemoveAll(path string) error {
	err := filepath.WalkDir(path, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return unlessGone(err)
		}
		info, err := entry.Info()
		if err != nil || info.Mode().Perm()&0o700 == 0o700 {
			return unlessGone(err)
		}
		return unlessGone(os.Chmod(p, info.Mode().Perm()|0o700))
	})
	return errors.Join(err, os.RemoveAll(path))
}
