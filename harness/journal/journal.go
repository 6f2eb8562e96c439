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

// A Record is one line, but for the checksum at its end.
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
	end  *os.File // beside it
	lock *flock.Flock
	next int
	// sum is the checksum of the last record, with which that of the next one begins.
	sum string
	// whole is the length of the records that are there, and broken why nothing can be appended to them any more.
	whole  int64
	broken error
}

// ErrInUse says that another process writes a journal.
var ErrInUse = errors.New("another harness is working on it")

// Open opens a journal for appending, cuts off a torn tail, and returns the records that are there. A file that does
// not exist is created. One that another process has open is ErrInUse.
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

// InUse says whether some process has a journal open.
func InUse(path string) bool {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryLock()
	if err == nil && free {
		_ = lock.Close() // nothing was written
	}
	return err == nil && !free
}

// cut leaves the whole records only.
func (j *Journal) cut() error {
	_, err := j.file.Seek(j.whole, io.SeekStart)
	return errors.Join(j.file.Truncate(j.whole), err)
}

// Append writes one record and waits until it is on the disk. Where that fails, as on a full disk, nothing of the
// record stays, so that the journal can be read and gone on with. A record that comes with an error is there, and its
// end is not.
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
			j.broken = fmt.Errorf("half a record could not be taken back: %w", undo)
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

// Read returns the records of a journal without a torn tail. One that has lost its last records is an error.
func Read(path string) ([]Record, error) {
	records, _, _, err := read(path)
	return records, err
}

// unwritten is what a file system leaves that grew the file before all of its content was written. In a record there
// are no zeros, and one bit that flips makes a single one.
var unwritten = make([]byte, 16)

// read also returns the last checksum, and the length of the part that is whole.
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

// WriteFile replaces a file so that a reader, or a crash, sees the old content or the new one, never a part.
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

// syncFolder makes the name of a new file last.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
