package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A Record is one line without the checksum at its end.
type Record struct {
	Sequence int             `json:"seq"` // from 1, without gaps
	Time     time.Time       `json:"time"`
	Kind     string          `json:"kind"`
	Data     json.RawMessage `json:"data,omitempty"`
}

// Decode reads the data of a record.
func (r Record) Decode(into any) error {
	if err := json.Unmarshal(r.Data, into); err != nil {
		return fmt.Errorf("journal record %d (%s): %w", r.Sequence, r.Kind, err)
	}
	return nil
}

// A Journal is open for appending. It is safe for concurrent use.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	end  *os.File // the end file
	lock *flock.Flock
	next int
	// sum is the checksum of the last record; the next record's checksum covers it.
	sum string
	// whole is the length of the intact records in bytes. broken is the reason why nothing can be appended any more.
	whole  int64
	broken error
}

// ErrInUse means that another process is writing the journal.
var ErrInUse = errors.New("another harness is working on it")

// Open opens a journal for appending, cuts off a torn tail, and returns the records. It creates the file if it does not
// exist. It fails with ErrInUse if another process has the journal open.
func Open(path string) (*Journal, []Record, error) {
	j := &Journal{lock: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))}
	free, err := j.lock.TryLock()
	switch {
	case err != nil:
		return nil, nil, err
	case !free:
		return nil, nil, fmt.Errorf("%s: %w", path, ErrInUse)
	}
	records, sum, whole, err := read(path)
	if err == nil {
		j.next, j.sum = len(records)+1, sum
		j.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, j.lock.Close())
	}
	j.whole = whole
	err = errors.Join(j.cut(), j.file.Sync())
	if err == nil {
		j.end, err = openEnd(path, end{len(records), sum})
	}
	if err = errors.Join(err, syncFolder(path)); err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, records, nil
}

// InUse reports whether a process has the journal open.
func InUse(path string) bool {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryLock()
	if err == nil && free {
		_ = lock.Close() // nothing was written
	}
	return err == nil && !free
}

// cut truncates the file to the intact records.
func (j *Journal) cut() error {
	_, err := j.file.Seek(j.whole, io.SeekStart)
	return errors.Join(j.file.Truncate(j.whole), err)
}

// Append writes one record and waits until it is on disk. If writing fails, as on a full disk, no part of the record
// remains, so the journal can be read and continued. If Append returns both a record and an error, the record was
// written and its end was not.
func (j *Journal) Append(kind string, data any) (Record, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return Record{}, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return Record{}, j.broken
	}
	r := Record{Sequence: j.next, Time: time.Now().UTC(), Kind: kind, Data: text}
	body, err := json.Marshal(r)
	if err != nil {
		return Record{}, err
	}
	line, sum := seal(j.sum, body)
	n, err := j.file.Write(append(line, '\n'))
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		if undo := j.cut(); undo != nil {
			j.broken = fmt.Errorf("a partial record could not be removed: %w", undo)
		}
		return Record{}, err
	}
	j.whole += int64(n)
	j.sum = sum
	j.next++
	return r, end{r.Sequence, sum}.write(j.end)
}

// Close closes the files.
func (j *Journal) Close() error {
	err := j.file.Close()
	if j.end != nil {
		err = errors.Join(err, j.end.Close())
	}
	return errors.Join(err, j.lock.Close())
}

// Read returns the records of a journal without a torn tail. It fails if the last records are lost.
func Read(path string) ([]Record, error) {
	records, _, _, err := read(path)
	return records, err
}

// unwritten is what a file system leaves if it extended the file before all the content was written. Records contain no
// zero bytes, and a single flipped bit produces at most one.
var unwritten = make([]byte, 16)

// read also returns the last checksum, and the length of the intact part.
func read(path string) (records []Record, sum string, whole int64, err error) {
	ends, err := readEnd(path) // first: another process may be writing
	if err != nil {
		return nil, "", 0, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", 0, err
	}
	var sums []string
	for rest := text; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		// The newline is written last.
		if !ended || len(after) == 0 && bytes.Contains(line, unwritten) {
			break
		}
		var r Record
		if r, sum, err = unseal(sum, line, len(records)+1); err != nil {
			return nil, "", 0, fmt.Errorf("%s:%d: %w", path, len(records)+1, err)
		}
		records, sums = append(records, r), append(sums, sum)
		rest = after
		whole = int64(len(text) - len(rest))
	}
	return records, sum, whole, ends.check(path, sums)
}

// WriteFile replaces a file atomically: a reader, or a crash, sees either the old content or the new.
func WriteFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file was renamed
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(path)
}

// syncFolder makes the name of a new file durable.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
