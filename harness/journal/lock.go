package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// DefaultLock is the lock of the host. It is the same path for every user and every repository, whatever TMPDIR says,
// because the host has one set of processors.
const DefaultLock = "/tmp/chiasmus-measurement.lock"

// A Holder is the measurement that has the lock.
type Holder struct {
	PID     int       `json:"pid"`
	Run     string    `json:"run"` // its directory
	What    string    `json:"what"`
	Started time.Time `json:"started"`
}

// String describes the holder for the one who waits.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another measurement"
	}
	return fmt.Sprintf("%s (process %d, since %s, in %s)", h.What, h.PID, h.Started.Local().Format(time.TimeOnly), h.Run)
}

// BusyError says that another measurement has the host.
type BusyError struct{ Holder Holder }

func (e *BusyError) Error() string {
	return fmt.Sprintf("this host is measuring already: %s", e.Holder)
}

// A HostLock is held while a measurement runs. The kernel releases it when the process ends, however it does.
type HostLock struct {
	lock *flock.Flock
	path string
}

// retry is how often one who waits asks again.
const retry = 200 * time.Millisecond

// LockHost takes the lock at path. While somebody else has it, it fails with a BusyError, or, with a waiting function,
// calls that once and waits.
func LockHost(ctx context.Context, path string, me Holder, waiting func(Holder)) (*HostLock, error) {
	if err := createShared(path); err != nil {
		return nil, fmt.Errorf("lock of the host: %w", err)
	}
	// Read-only and without O_CREATE: in a folder such as /tmp Linux refuses to open another user's file with it
	// (fs.protected_regular).
	l := &HostLock{lock: flock.New(path, flock.SetFlag(os.O_RDONLY)), path: path}
	taken, err := l.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock of the host: %w", err)
	}
	if !taken {
		holder := readHolder(path)
		if waiting == nil {
			return nil, &BusyError{holder}
		}
		waiting(holder)
		if _, err := l.lock.TryLockContext(ctx, retry); err != nil {
			return nil, fmt.Errorf("waiting for %s: %w", holder, err)
		}
	}
	return l, l.write(me)
}

// Unlock lets the next one measure.
func (l *HostLock) Unlock() error {
	return errors.Join(os.Truncate(l.path, 0), l.lock.Unlock())
}

// write says who has the lock. One whose file it cannot write still has the lock.
func (l *HostLock) write(me Holder) error {
	text, err := json.Marshal(me)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_TRUNC, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	} else if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// createShared makes a file that every user can lock and write.
func createShared(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o666), f.Close()) // not cut by the umask
}

func readHolder(path string) Holder {
	var h Holder
	if text, err := os.ReadFile(path); err != nil || json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	return h
}
