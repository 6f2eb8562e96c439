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

// OpenWritten opens a file that a measured program wrote. The program can write to the folder, so the path may name
// anything: links are not followed, and only a regular file is opened.
func OpenWritten(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Written describes a file that a measured program wrote.
type Written struct {
	Bytes  int64
	SHA256 string // hexadecimal
}

// ReadWritten copies a file of at most `most` bytes that a measured program wrote to a writer, and hashes it. It
// returns when ctx ends, even if the file system does not respond: the copying goroutine continues until then, and the
// writer must reject what it still writes.
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
	// The program may still be writing to it.
	n, err := io.Copy(io.MultiWriter(hash, into), io.LimitReader(files.Until(ctx, f), most+1))
	switch {
	case err != nil:
		return Written{}, err
	case n > most:
		return Written{}, &TooLargeError{path, n, most}
	}
	return Written{n, hex.EncodeToString(hash.Sum(nil))}, nil
}

// A TooLargeError means that a file exceeds the permitted size.
type TooLargeError struct {
	Path        string
	Bytes, Most int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s has %d bytes or more, and %d are allowed (max_proof of the workload)", e.Path, e.Bytes, e.Most)
}
