package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/internal/logfile"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// An entry is the folder of one build.
type entry struct{ dir string }

func (e entry) worktree() string   { return filepath.Join(e.dir, "worktree") }
func (e entry) home() string       { return filepath.Join(e.dir, "home") }
func (e entry) gitConfig() string  { return filepath.Join(e.dir, "gitconfig") }
func (e entry) logFile() string    { return filepath.Join(e.dir, "build.log") }
func (e entry) provenance() string { return filepath.Join(e.dir, "provenance.json") }

// listing returns the file whose hash is Provenance.Worktree.
func (e entry) listing() string { return filepath.Join(e.dir, "worktree.txt") }

// repository returns the file that names the git directory of the worktree's repository.
func (e entry) repository() string { return filepath.Join(e.dir, "repository") }

// lockFile returns the path of the lock, which is outside the folder and remains if the folder is deleted.
func (e entry) lockFile() string { return e.dir + ".lock" }

// errNotBuilt means that an entry does not exist yet.
var errNotBuilt = errors.New("it was not built yet")

// A changedError means that an entry was changed since its build.
type changedError struct{ What string }

func (e *changedError) Error() string { return e.What }

// valid returns the reason why an entry cannot be used, or nil.
func (e entry) valid(ctx context.Context, req Request, in Inputs) (Provenance, error) {
	p, err := readProvenance(e.provenance())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, errNotBuilt
	case err != nil:
		return p, fmt.Errorf("its provenance cannot be read: %w", err)
	case p.Schema != Schema || p.Inputs.key() != in.key():
		return p, errors.New("its provenance belongs to another build")
	}
	if err := e.intact(ctx, req, p); err != nil {
		return p, err
	}
	return p, e.current(ctx, req, p)
}

// intact compares the entry with a provenance.
func (e entry) intact(ctx context.Context, req Request, p Provenance) error {
	if err := checkArtifacts(ctx, e.worktree(), req.Build.Artifacts, p.Artifacts); err != nil {
		return err
	}
	state, err := req.Repository.State(ctx, req.Revision, e.worktree())
	switch {
	case err != nil:
		return err
	case state == "":
		return errors.New("its worktree is missing or has another revision")
	case state != p.Sources:
		text := "the sources in its worktree are not as the build left them"
		if names, err := req.Repository.Changed(ctx, req.Revision, e.worktree()); err == nil && len(names) > 0 {
			text += ": not as committed are " + someNames(names)
		}
		return &changedError{text}
	}
	return e.checkTree(ctx, p.Worktree)
}

// someNames lists the first few of many names.
func someNames(names []string) string {
	const most = 3
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// make builds the entry from scratch, except for folders of build.reuse.
func (c *Cache) make(ctx context.Context, e entry, req Request, in Inputs) (Provenance, error) {
	started := time.Now()
	if err := os.MkdirAll(e.dir, 0o755); err != nil {
		return Provenance{}, err
	}
	if err := e.clear(ctx, req); err != nil {
		return Provenance{}, err
	}
	if err := os.WriteFile(e.repository(), []byte(req.Repository.CommonDir()), 0o644); err != nil {
		return Provenance{}, err
	}
	log, err := logfile.Create(e.logFile(), logfile.Default)
	if err != nil {
		return Provenance{}, err
	}
	defer log.Close()
	limited, cancel := withTimeout(ctx, req)
	defer cancel()
	fail := func(step string, cause error) error {
		if limited.Err() != nil {
			cause = context.Cause(limited)
		}
		tail := files.Tail(e.logFile(), 0)
		return &Error{
			Revision: req.Revision,
			Step:     step,
			Cause:    advised(cause, tail),
			LogFile:  e.logFile(),
			Tail:     tail,
		}
	}
	if err := req.Repository.Worktree(limited, req.Revision, e.worktree()); err != nil {
		return Provenance{}, fail("checkout", err)
	}
	out := io.MultiWriter(log, req.Log)
	if err := e.obtain(limited, req, out); err != nil {
		return Provenance{}, fail("fetch", err)
	}
	if err := e.checkPointers(limited, req); err != nil { // fetch may have been git lfs pull
		return Provenance{}, fail("checkout", err)
	}
	if err := c.begin(limited, e, req, in, out); err != nil {
		return Provenance{}, fail("reuse", err)
	}
	if len(req.Build.Command) > 0 { // bench.yaml may build nothing
		if err := e.clean(limited, req, step{"command", req.Build.Command, false}, out); err != nil {
			return Provenance{}, fail("command", err)
		}
	}
	artifacts, err := hashArtifacts(limited, e.worktree(), req.Build.Artifacts)
	if err != nil {
		return Provenance{}, fail("artifacts", err)
	}
	sources, err := req.Repository.State(limited, req.Revision, e.worktree())
	if err != nil {
		return Provenance{}, fail("artifacts", err)
	}
	if sources != revision.Clean {
		fmt.Fprintf(out, "note: the build of %s changed files that are committed\n", req.Revision)
	}
	chosen, err := e.chosen(limited, req, in)
	if err != nil {
		return Provenance{}, fail("artifacts", err)
	}
	left, err := e.leave(limited, req)
	if err != nil {
		return Provenance{}, fail("reuse", err)
	}
	worktree, err := e.recordTree(limited)
	if err != nil {
		return Provenance{}, fail("artifacts", err)
	}
	p := Provenance{
		Schema: Schema, Inputs: in, Chosen: chosen, Artifacts: artifacts, Sources: sources, Left: left, Worktree: worktree,
		Started: started.UTC(), Seconds: time.Since(started).Seconds(),
	}
	return p, writeProvenance(e.provenance(), p)
}

// checkPointers returns an error if files of Git LFS in the worktree are mere pointers: a build of them would not be a
// build of the revision.
func (e entry) checkPointers(ctx context.Context, req Request) error {
	if req.Build.AllowLFSPointers {
		return nil
	}
	pointers, err := req.Repository.Pointers(ctx, req.Revision, e.worktree())
	if err != nil || len(pointers) == 0 {
		return err
	}
	return fmt.Errorf("files of Git LFS are only pointers, without their content: %s (install git-lfs, or fetch "+
		"them with build.fetch: [git, lfs, pull]; if the build does not need them, set build.allow_lfs_pointers: "+
		"true)",
		someNames(pointers))
}

// clean runs one step, and reports the processes it left behind.
func (e entry) clean(ctx context.Context, req Request, s step, out io.Writer) error {
	left, err := e.run(ctx, req, s, out)
	if len(left) > 0 {
		fmt.Fprintf(out, "note: build.%s left processes behind, which were killed: %s\n", s.name, strings.Join(left, ", "))
		if req.Left != nil {
			req.Left(left)
		}
	}
	return err
}

// withTimeout bounds checkout, fetch and command together.
func withTimeout(ctx context.Context, req Request) (context.Context, context.CancelFunc) {
	limit := req.Build.Timeout
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("took longer than build.timeout (%v): raise it in bench.yaml", limit))
}

// clear removes the files of an earlier build. It removes the provenance first: without it the entry is invalid.
func (e entry) clear(ctx context.Context, req Request) error {
	if err := os.Remove(e.provenance()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := e.removeWorktree(ctx, req.Repository); err != nil {
		return err
	}
	if err := files.RemoveAll(e.home()); err != nil {
		return err
	}
	return os.Mkdir(e.home(), 0o755)
}

// removeWorktree deletes the worktree, even if the repository does not know it: the cache owns everything below it, and
// a repository that was moved or copied has lost track of its worktrees.
func (e entry) removeWorktree(ctx context.Context, r *revision.Repository) error {
	err := r.Remove(ctx, e.worktree())
	if errors.Is(err, revision.ErrForeign) {
		return files.RemoveAll(e.worktree())
	}
	return err
}

// isolation completes the request's specification for the programs of this entry.
func (e entry) isolation(req Request) *isolate.Spec {
	if req.Isolation == nil {
		return nil
	}
	s := req.Isolation.Clone()
	s.Worktree, s.Home = e.worktree(), e.home()
	s.Hidden = append(s.Hidden, filepath.Dir(e.dir))
	s.Gateway = nil
	s.Env = buildEnvironment(req)
	s.Mounts = append(gitMounts(req.Repository, e), s.Mounts...)
	return &s
}

// result returns a finished entry as a Result.
func (e entry) result(req Request, p Provenance, cached bool, release func() error) *Result {
	artifacts := map[string]string{}
	for _, path := range req.Build.Artifacts {
		artifacts[path] = filepath.Join(e.worktree(), filepath.FromSlash(path))
	}
	return &Result{
		Artifacts: artifacts, Worktree: e.worktree(), Provenance: p, Cached: cached,
		Isolation: e.isolation(req), LogFile: e.logFile(), release: release,
		check: func(ctx context.Context) error {
			ctx, cancel := withTimeout(ctx, req)
			defer cancel()
			return e.intact(ctx, req, p)
		},
	}
}
