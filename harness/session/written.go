package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/chiasmus/chiasmus/harness/internal/files"
)

// OpenWritten opens a file that a measured program wrote. Its folder is that program's to write, so the path may name
// anything by now: a link is not followed, and only a regular file is opened.
func OpenWritten(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Written is what a file that a measured program wrote was found to hold.
type Written struct {
	Bytes  int64
	SHA256 string // hexadecimal
}

// ReadWritten copies a file that a measured program wrote, of at most so many bytes, to a writer and hashes it on the
// way. It returns when ctx ends, also where the file system does not answer: the copying goes on by itself for as long
// as that takes, and what it then writes is the writer's to refuse.
func ReadWritten(ctx context.Context, path string, into io.Writer, most int64) (Written, error) {
	type result struct {
		written Written
		err     error
	}
	done := make(chan result, 1)
	go func() {
		written, err := readWritten(ctx, path, into, most)
		done <- result{written, err}
	}()
	select {
	case r := <-done:
		return r.written, r.err
	case <-ctx.Done():
		return Written{}, context.Cause(ctx)
	}
}

func readWritten(ctx context.Context, path string, into io.Writer, most int64) (Written, error) {
	f, err := OpenWritten(path)
	if err != nil {
		return Written{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Written{}, err
	}
	if info.Size() > most {
		return Written{}, &TooLargeError{path, info.Size(), most}
	}
	hash := sha256.New()
	// Somebody may write to it still.
	n, err := io.Copy(io.MultiWriter(hash, into), io.LimitReader(files.Until(ctx, f), most+1))
	switch {
	case err != nil:
		return Written{}, err
	case n > most:
		return Written{}, &TooLargeError{path, n, most}
	}
	return Written{n, hex.EncodeToString(hash.Sum(nil))}, nil
}

// A TooLargeError is a file with more bytes than were allowed.
type TooLargeError struct {
	Path        string
	Bytes, Most int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s has %d bytes or more, and %d are allowed (max_proof of the workload)", e.Path, e.Bytes, e.Most)
}
