package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/gofrs/flock"
)

// An Entry is a build in the cache, finished or not.
type Entry struct {
	Key string
	Dir string
	// Provenance is empty for a build that failed.
	Provenance Provenance
	Bytes      int64
	// Used is the time of the last use.
	Used time.Time
	// InUse reports whether a process holds the entry.
	InUse bool
}

// Entries lists the cache with sizes.
func (c *Cache) Entries() ([]Entry, error) {
	folders, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		e := entry{filepath.Join(c.dir, f.Name())}
		one := Entry{Key: f.Name(), Dir: e.dir}
		one.Provenance, _ = readProvenance(e.provenance()) // a failed build has none
		if one.Bytes, err = files.Size(e.dir); err != nil {
			return nil, err
		}
		if info, err := os.Stat(e.lockFile()); err == nil {
			one.Used = info.ModTime()
		}
		lock := flock.New(e.lockFile())
		free, err := lock.TryLock()
		if err != nil {
			return nil, err
		}
		one.InUse = !free
		if err := lock.Close(); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// errInUse means that a process holds a build.
var errInUse = errors.New("in use")

// Remove deletes an entry with its worktree. It fails with errInUse if the entry is in use.
func (c *Cache) Remove(ctx context.Context, key string) error {
	if key == "" || !filepath.IsLocal(key) || strings.ContainsRune(key, filepath.Separator) {
		return fmt.Errorf("%q is not a build key", key)
	}
	e := entry{filepath.Join(c.dir, key)}
	lock := flock.New(e.lockFile())
	free, err := lock.TryLock()
	if err != nil {
		return err
	}
	defer lock.Close()
	if !free {
		return fmt.Errorf("build %s: %w", key, errInUse)
	}
	if dir, err := os.ReadFile(e.repository()); err == nil {
		// Remove git's administrative files of the worktree, too, if the repository still exists.
		if r, err := revision.Open(string(dir), git.Desk); err == nil {
			if err := e.removeWorktree(ctx, r); err != nil {
				return err
			}
		}
	}
	return files.RemoveAll(e.dir)
}
