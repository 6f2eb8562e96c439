package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockPath is the default lock file below the user's cache folder, where other users cannot read, write or hold it. One
// file serves all repositories of the user, because the host has one set of processors. claim excludes other users.
const lockPath = "chiasmus/measurement.lock"

// defaultLock returns the path of the user's lock and creates its folder.
func defaultLock() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("lock of the host: %w: name a file with --lock", err)
	}
	path := filepath.Join(cache, filepath.FromSlash(lockPath))
	return path, os.MkdirAll(filepath.Dir(path), 0o700)
}

// A Holder describes the measurement that holds the lock.
type Holder struct {
	PID     int       `json:"pid"`
	Run     string    `json:"run"` // its directory
	What    string    `json:"what"`
	Started time.Time `json:"started"`
}

// String describes the holder to a waiting user.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another measurement"
	}
	where := ""
	if h.Run != "" { // another user's run is not shown
		where = ", in " + h.Run
	}
	return fmt.Sprintf("%s (process %d, since %s%s)", h.What, h.PID, h.Started.Local().Format(time.TimeOnly), where)
}

// BusyError means that another measurement holds the host's lock.
type BusyError struct{ Holder Holder }

func (e *BusyError) Error() string {
	return fmt.Sprintf("this host is measuring already: %s", e.Holder)
}

// A HostLock is held while a measurement runs. The kernel releases it when the process ends, for whatever reason.
type HostLock struct {
	lock *flock.Flock
	path string
	// machine excludes other users. It is nil if the caller named a file.
	machine io.Closer
}

// retry is the interval at which a waiter asks again.
const retry = 200 * time.Millisecond

// LockHost takes the lock at path. An empty path locks the whole machine: the user's lock file, and a socket name that
// excludes other users. If the lock is taken, LockHost fails with a BusyError; if waiting is not nil, it calls waiting
// once and waits instead.
func LockHost(ctx context.Context, path string, me Holder, waiting func(Holder)) (*HostLock, error) {
	if path != "" {
		return lockFile(ctx, path, me, waiting)
	}
	path, err := defaultLock()
	if err != nil {
		return nil, err
	}
	l, err := lockFile(ctx, path, me, waiting)
	if err != nil {
		return nil, err
	}
	if l.machine, err = claimMachine(ctx, machineName, me, waiting); err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return l, nil
}

// claimMachine claims a socket name of this machine. It waits if waiting is not nil.
func claimMachine(ctx context.Context, name string, me Holder, waiting func(Holder)) (io.Closer, error) {
	for told := false; ; {
		claimed, holder, err := claim(name, me)
		switch {
		case err != nil:
			return nil, fmt.Errorf("lock of the host: %w", err)
		case claimed != nil:
			return claimed, nil
		case waiting == nil:
			return nil, &BusyError{holder}
		case !told:
			waiting(holder)
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s: %w", holder, context.Cause(ctx))
		case <-time.After(retry):
		}
	}
}

func lockFile(ctx context.Context, path string, me Holder, waiting func(Holder)) (*HostLock, error) {
	l := &HostLock{lock: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600)), path: path}
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

// Unlock releases the lock.
func (l *HostLock) Unlock() error {
	var err error
	if l.machine != nil {
		err = l.machine.Close()
	}
	return errors.Join(err, os.Truncate(l.path, 0), l.lock.Unlock())
}

// write records who holds the lock.
func (l *HostLock) write(me Holder) error {
	text, err := json.Marshal(me)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func readHolder(path string) Holder {
	var h Holder
	if text, err := os.ReadFile(path); err != nil || json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	return h
}
