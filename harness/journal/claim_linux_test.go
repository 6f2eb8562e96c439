package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// One measurement runs on a machine at a time, whatever any bench.yaml says. A waiting process reports the owner of the
// running one.
func TestOneMeasurementOnAMachine(t *testing.T) {
	name := fmt.Sprintf("@chiasmus-test-%d", os.Getpid())
	first, err := claimMachine(t.Context(), name, Holder{PID: os.Getpid(), What: "the first", Run: "/secret"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := claimMachine(t.Context(), name, Holder{}, nil); !errors.As(err, &busy) ||
		busy.Holder.PID != os.Getpid() || busy.Holder.What != "the first" || busy.Holder.Run != "" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := claimMachine(ctx, name, Holder{}, func(Holder) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	waited := false
	second, err := claimMachine(t.Context(), name, Holder{}, func(Holder) { waited = first.Close() == nil })
	if err != nil || !waited {
		t.Errorf("waited %v, %v", waited, err)
	}
	second.Close()
}

// The default lock is in a folder that only the user can write to.
func TestTheDefaultLockIsTheUsers(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	path, err := defaultLock()
	if err != nil || path != filepath.Join(cache, "chiasmus", "measurement.lock") {
		t.Fatalf("%s, %v", path, err)
	}
	l, err := lockFile(t.Context(), path, Holder{PID: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	info, err := os.Stat(path)
	folder, folderErr := os.Stat(filepath.Dir(path))
	if err = errors.Join(err, folderErr); err != nil || info.Mode().Perm() != 0o600 || folder.Mode().Perm() != 0o700 {
		t.Errorf("modes %v and %v, %v", info.Mode(), folder.Mode(), err)
	}
}
