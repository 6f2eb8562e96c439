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

// Open opens the cache in dir, or creates it with a file that makes git ignore it.
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
	// ExtraEnv overrides the recipe's environment, as --base-env and --head-env ask.
	ExtraEnv map[string]string
	// Variant distinguishes builds that must be made separately although all inputs are equal, as for an A/A run on two
	// builds.
	Variant string
	// Isolation is nil for a build with the caller's rights. Otherwise it is the base of the specification: worktree,
	// home, environment and network are filled in here.
	Isolation *isolate.Spec
	// Sealed means that nothing is fetched on this host. If the recipe has a build.fetch, Fetched is its result from
	// another host.
	Sealed  bool
	Fetched *dependencies.Fetched
	// Log receives the output of the build, if it is not nil. A file also keeps its head and tail.
	Log io.Writer
	// Run names the run that the build is made for, to find the processes it leaves behind. See group.Start.
	Run string
	// Missed, if not nil, is called before the build begins with the changes since the cached build of the revision that
	// could otherwise have been used.
	Missed func(why string)
	// Left, if not nil, receives the names of the programs that the build left behind, after they were killed.
	Left func(programs []string)
}

// A Result is a finished build. It is locked until it is closed.
type Result struct {
	// Artifacts maps the path in build.artifacts to the absolute path.
	Artifacts map[string]string
	// Worktree is the folder in which the build was made and its programs run.
	Worktree   string
	Provenance Provenance
	// Cached reports whether the build came from the cache.
	Cached bool
	// Replaced says how the cached entry had been changed, if that is why it was built again.
	Replaced string
	// Again says why an existing build could not be used. It is empty if there was none or it was used.
	Again string
	// Isolation is the specification for running the programs of this build, without network. It is nil if the request had
	// none. The caller may extend it.
	Isolation *isolate.Spec
	// LogFile holds the output of the build.
	LogFile string

	check   func(context.Context) error
	release func() error
}

// Check hashes the whole worktree again and compares it with this result's Provenance, not with the provenance file,
// which may have changed. An AddedError means that everything is unchanged, but there are more files.
func (r *Result) Check(ctx context.Context) error { return r.check(ctx) }

// Close unlocks the entry. The artifacts remain until the cache is cleaned.
func (r *Result) Close() error {
	if r.release == nil {
		return nil
	}
	release := r.release
	r.release = nil
	return release()
}

// Build returns the artifacts of a revision, from the cache if an entry matches.
func (c *Cache) Build(ctx context.Context, req Request) (*Result, error) {
	if req.Log == nil {
		req.Log = io.Discard
	}
	in, err := c.describe(ctx, req)
	if err != nil {
		return nil, err
	}
	e := entry{dir: filepath.Join(c.dir, in.key())}
	// Lock as a reader first: two comparisons may share one build.
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
	// Another process may have built it while this one waited for the lock.
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
	// Changing from writer to reader releases the lock for a moment, in which the entry may be deleted.
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
	var changed *changedError
	if errors.As(fault, &changed) {
		result.Replaced = changed.Error()
	}
	return result, nil
}

// lockRetry is the interval between attempts to get a lock.
const lockRetry = 200 * time.Millisecond

// lock locks an entry for writing or shared for reading, and returns the function that unlocks it.
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
