package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/gofrs/flock"
)

// A Cache is a folder of builds.
type Cache struct {
	dir string
	mu  sync.Mutex
	// held counts the locks of this process by folder.
	held map[string]int
}

// Open makes or opens the cache in dir. The folder tells git to ignore it, wherever it lies.
func Open(dir string) (*Cache, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(abs, 0o755); err != nil {
		return nil, err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, err
	}
	ignore := filepath.Join(abs, ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, os.ErrNotExist) {
		err = os.WriteFile(ignore, []byte("*\n"), 0o644)
		if err != nil {
			return nil, err
		}
	}
	return &Cache{dir: abs, held: map[string]int{}}, nil
}

// A Request says what to build.
type Request struct {
	Repository *revision.Repository
	Revision   revision.Revision
	Build      config.Build
	// ExtraEnv is added over the recipe's environment, as --base-env and --head-env ask.
	ExtraEnv map[string]string
	// Variant tells apart builds that are to be made separately though everything that goes in
	// is equal, as for an A/A run on two builds.
	Variant string
	// Isolation is nil for a build with the rights of the caller. Otherwise it is the start of
	// the specification: worktree, home, environment and network are filled in here.
	Isolation *isolate.Spec
	// Sealed says that nothing is fetched on this host: where the recipe has a build.fetch, Fetched is what it left on
	// another.
	Sealed  bool
	Fetched *dependencies.Fetched
	// Log receives what the build prints; nil for none. Head and tail of it are kept in a file as well.
	Log io.Writer
	// Run names what the build is made for; what it leaves behind can be found by it. See group.Start.
	Run string
	// Missed is told, before the build begins, what changed since a cached build of the revision that would else have been
	// used; nil for nobody.
	Missed func(why string)
	// Left is told the names of programs that the build left behind, after they were killed; nil for nobody.
	Left func(programs []string)
}

// A Result is a finished build. It stays locked until it is closed.
type Result struct {
	// Artifacts maps the path in build.artifacts to the absolute path.
	Artifacts map[string]string
	// Worktree is where the build was made and where its programs are run.
	Worktree   string
	Provenance Provenance
	// Cached is set when nothing had to be built.
	Cached bool
	// Replaced says how an entry of the cache that was there had been changed, so that it was built again.
	Replaced string
	// Again says why a build that was there could not be used; empty where there was none, or it was used.
	Again string
	// Isolation is the specification under which the programs of this build run, without network;
	// nil where the request had none. It is the caller's to extend.
	Isolation *isolate.Spec
	// LogFile holds what the build printed.
	LogFile string

	check   func(context.Context) error
	release func() error
}

// Check hashes the worktree again, artifacts, sources and all: it must still be what the Provenance of this result
// says, whatever the file of it says by now. An AddedError says that all is as it was, and there is more.
func (r *Result) Check(ctx context.Context) error { return r.check(ctx) }

// Close unlocks the entry. The artifacts stay where they are until the cache is cleaned.
func (r *Result) Close() error {
	if r.release == nil {
		return nil
	}
	release := r.release
	r.release = nil
	return release()
}

// Build returns the artifacts of a revision, from the cache where an entry fits.
func (c *Cache) Build(ctx context.Context, req Request) (*Result, error) {
	if req.Log == nil {
		req.Log = io.Discard
	}
	in, err := c.describe(ctx, req)
	if err != nil {
		return nil, err
	}
	e := entry{dir: filepath.Join(c.dir, in.key())}
	// First as a reader: two comparisons may use one build at the same time.
	lock, err := c.lock(ctx, e, false, req)
	if err != nil {
		return nil, err
	}
	if p, fault := e.valid(ctx, req, in); fault == nil {
		return e.result(req, p, true, lock), nil
	}
	if err := lock(); err != nil {
		return nil, err
	}
	if lock, err = c.lock(ctx, e, true, req); err != nil {
		return nil, err
	}
	// Somebody else may have built it while this process waited for the lock.
	p, fault := e.valid(ctx, req, in)
	if fault != nil {
		var missed string
		if !errors.Is(fault, errNotBuilt) {
			fmt.Fprintf(req.Log, "building %s again: %v\n", req.Revision, fault)
		} else if missed = c.missed(in); missed != "" {
			fmt.Fprintf(req.Log, "building %s: %s\n", req.Revision, missed)
			if req.Missed != nil {
				req.Missed(missed)
			}
		}
		if p, err = c.make(ctx, e, req, in); err != nil {
			return nil, errors.Join(err, lock())
		}
	}
	// Going from writer to reader gives the lock up for a moment, in which the entry could go.
	if err := lock(); err != nil {
		return nil, err
	}
	if lock, err = c.lock(ctx, e, false, req); err != nil {
		return nil, err
	}
	if _, fault := e.valid(ctx, req, in); fault != nil {
		return nil, errors.Join(fmt.Errorf("the build of %s was changed while it was being taken into use: %w", req.Revision,
			fault), lock())
	}
	result := e.result(req, p, fault == nil, lock)
	if fault != nil && !errors.Is(fault, errNotBuilt) {
		result.Again = fault.Error()
	}
	var changed *ChangedError
	if errors.As(fault, &changed) {
		result.Replaced = changed.Error()
	}
	return result, nil
}

// lockRetry is the time between two attempts to get a lock that somebody else holds.
const lockRetry = 200 * time.Millisecond

// lock takes the lock of an entry, as a writer or as one of many readers, and returns what releases it.
func (c *Cache) lock(ctx context.Context, e entry, writer bool, req Request) (func() error, error) {
	l := flock.New(e.lockFile())
	try, wait := l.TryRLock, l.TryRLockContext
	if writer {
		try, wait = l.TryLock, l.TryLockContext
	}
	ok, err := try()
	if err == nil && !ok {
		c.mu.Lock()
		own := c.held[e.dir]
		c.mu.Unlock()
		if writer && own > 0 {
			return nil, fmt.Errorf("the build of %s was changed while this process uses it (in %s): it cannot be made again now",
				req.Revision, e.dir)
		}
		fmt.Fprintf(req.Log, "waiting for another harness that builds or uses %s\n", req.Revision)
		_, err = wait(ctx, lockRetry)
	}
	if err != nil {
		return nil, fmt.Errorf("locking the build of %s: %w", req.Revision, err)
	}
	now := time.Now()
	if err := os.Chtimes(e.lockFile(), now, now); err != nil { // Entry.Used
		return nil, errors.Join(err, l.Close())
	}
	c.count(e, 1)
	return func() error { c.count(e, -1); return l.Close() }, nil
}

func (c *Cache) count(e entry, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[e.dir] += by
}
