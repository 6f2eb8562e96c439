package logfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/chiasmus/chiasmus/harness/internal/files"
)

// Limits are the limits of a log: it keeps the first Head bytes and at least the last Tail bytes. The file is never
// longer than Head + 2 Tail and a line.
type Limits struct{ Head, Tail int64 }

// Default limits the logs of builds and sessions. Ordinary logs are shorter.
var Default = Limits{4 << 20, 4 << 20}

// A Log appends to a file within its limits. It is safe for concurrent use.
type Log struct {
	mu     sync.Mutex
	file   *os.File
	limits Limits
	size   int64
	// left is the number of bytes left out so far. If it is not 0, a notice follows the head.
	left int64
	// last contains the last bytes written by this Log.
	last []byte
}

// notice returns the text that replaces bytes that are left out. Its length does not depend on their number, so it can
// be updated in place.
func notice(left int64) string {
	return fmt.Sprintf("\n[... %19d bytes of this log are left out here ...]\n", left)
}

// Open opens a log for appending. The file may exist.
func Open(path string, limits Limits) (*Log, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	l := &Log{file: f, limits: limits}
	if l.size, err = f.Seek(0, io.SeekEnd); err == nil {
		err = l.readNotice()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// Create creates a log, replacing an existing file.
func Create(path string, limits Limits) (*Log, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return Open(path, limits)
}

// readNotice reads the number of bytes left out from the notice in the file.
func (l *Log) readNotice() error {
	found := make([]byte, len(notice(0)))
	if l.size < l.limits.Head+int64(len(found)) {
		return nil
	}
	if _, err := l.file.ReadAt(found, l.limits.Head); err != nil {
		return err
	}
	var left int64
	if _, err := fmt.Sscanf(string(found), "\n[... %d bytes", &left); err == nil && notice(left) == string(found) {
		l.left = left
	}
	return nil
}

// Write appends text. Bytes beyond the limits are left out, which is not an error.
func (l *Log) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remember(text)
	for rest := text; len(rest) > 0; {
		part := rest[:min(int64(len(rest)), l.room())]
		n, err := l.file.WriteAt(part, l.size)
		l.size += int64(n)
		if err != nil {
			return len(text) - len(rest) + n, err
		}
		if rest = rest[n:]; l.room() == 0 {
			if err := l.compact(); err != nil {
				return len(text) - len(rest), err
			}
		}
	}
	return len(text), nil
}

// room returns the number of bytes that can be written before compact is needed.
func (l *Log) room() int64 {
	return l.limits.Head + int64(len(notice(0))) + 2*l.limits.Tail - l.size
}

// compact reduces the file to the head, a notice and the tail. It runs once per length of the tail, so that a byte is
// written at most twice.
func (l *Log) compact() error {
	tail := make([]byte, l.limits.Tail)
	if _, err := l.file.ReadAt(tail, l.size-l.limits.Tail); err != nil {
		return err
	}
	// Start the tail at a whole line.
	if end := bytes.IndexByte(tail, '\n'); end >= 0 && end < len(tail)-1 {
		tail = tail[end+1:]
	}
	dropped := l.size - l.limits.Head - int64(len(tail))
	if l.left > 0 {
		dropped -= int64(len(notice(0)))
	}
	l.left += dropped
	kept := append([]byte(notice(l.left)), tail...)
	if _, err := l.file.WriteAt(kept, l.limits.Head); err != nil {
		return err
	}
	l.size = l.limits.Head + int64(len(kept))
	return l.file.Truncate(l.size)
}

// remember records the last bytes written.
func (l *Log) remember(text []byte) {
	l.last = append(l.last, text[max(0, len(text)-files.TailBytes):]...)
	if len(l.last) > 4*files.TailBytes {
		l.last = bytes.Clone(l.last[len(l.last)-files.TailBytes:])
	}
}

// Tail returns the last lines written by this Log, without lines of an earlier Log in the same file.
func (l *Log) Tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return files.LastLines(l.last)
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
