package journal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/journal"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func create(t *testing.T, root string, at time.Time) journal.Directory {
	t.Helper()
	d, err := journal.Create(root, at, "aaaaaaaaaaaa", "bbbbbbbbbbbb")
	if err != nil {
		t.Fatal(err)
	}
	if err := journal.WriteFile(d.RunFile(), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDirectory(t *testing.T) {
	root := filepath.Join(t.TempDir(), "runs")
	if runs, err := journal.List(root); err != nil || runs != nil {
		t.Errorf("no runs yet: %v, %v", runs, err)
	}
	one := create(t, root, noon.In(time.FixedZone("east", 7200)))
	two := create(t, root, noon)
	three := create(t, root, noon.Add(time.Hour))
	if one.ID() != "20261121T120000.000Z-aaaaaaa-bbbbbbb" || two.ID() != one.ID()+"-2" {
		t.Errorf("named %s and %s", one.ID(), two.ID())
	}
	if err := os.Mkdir(filepath.Join(root, "notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	if runs, err := journal.List(root); err != nil || len(runs) != 3 {
		t.Errorf("listed %v, %v", runs, err)
	}
	for name, want := range map[string]journal.Directory{
		"last": three, one.ID(): one, string(two): two, "20261121T13": three,
	} {
		if got, err := journal.Find(root, name); err != nil || got != want {
			t.Errorf("Find %q: %s, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"": "no run named", "20261121T12": "means 2 runs", "2025": "no run"} {
		if _, err := journal.Find(root, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find %q: %v, want %q", name, err, want)
		}
	}
	if got := one.Relative(filepath.Join(string(one), "logs", "x")); got != "logs/x" {
		t.Errorf("relative: %s", got)
	}
	if got := one.Relative("/etc/passwd"); got != "/etc/passwd" {
		t.Errorf("relative: %s", got)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first := journal.Holder{PID: 42, Run: "/runs/1", What: "compare a..b", Started: noon}
	held, err := journal.LockHost(t.Context(), path, first, nil)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("lock file %v, %v: it is one user's", info.Mode(), err)
	}
	_, err = journal.LockHost(t.Context(), path, journal.Holder{PID: 43}, nil)
	var busy *journal.BusyError
	if !errors.As(err, &busy) || busy.Holder != first {
		t.Fatalf("second without waiting: %v", err)
	}
	if !strings.Contains(err.Error(), "compare a..b") || !strings.Contains(err.Error(), "42") {
		t.Errorf("%q does not say for whom", err)
	}

	told := make(chan journal.Holder, 1)
	got := make(chan error)
	go func() {
		second, err := journal.LockHost(context.Background(), path, journal.Holder{PID: 43}, func(h journal.Holder) {
			told <- h
		})
		if err == nil {
			err = second.Unlock()
		}
		got <- err
	}()
	if h := <-told; h != first {
		t.Errorf("told to wait for %v", h)
	}
	select {
	case err := <-got:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Errorf("after the first: %v", err)
	}

	held, err = journal.LockHost(t.Context(), path, first, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := journal.LockHost(ctx, path, journal.Holder{}, func(journal.Holder) {}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("cancelled wait: %v", err)
	}
}
