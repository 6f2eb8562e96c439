package beneath

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Refused is an error for a file beneath a folder that may not be read or copied.
type Refused struct {
	Name string
	Why  string
}

// Error returns name and reason.
func (refused *Refused) Error() string { return refused.Name + ": " + refused.Why }

// Limits limit what is copied.
type Limits struct {
	// File is the maximum size of one file in bytes, Total of all files together.
	File, Total int64
	// Files is the maximum number of files, and of names in one folder.
	Files int
}

// Copy creates the folder into and copies every file beneath the folder from whose name matches one of the patterns. It
// returns the names of the copied files and the matching files that were left out. An error means a failure of the
// host: into already exists, the disk is full.
func Copy(ctx context.Context, from, into string, patterns []string,
	limits Limits) (copied []string, left []Refused, err error) {
	folder, err := openFolder(from)
	if err != nil {
		return nil, nil, err
	}
	defer folder.Close()
	if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
		return nil, nil, err
	}
	if err := os.Mkdir(into, 0o755); err != nil { // never write into a folder that someone else prepared
		return nil, nil, err
	}
	target, err := os.OpenRoot(into)
	if err != nil {
		return nil, nil, err
	}
	defer target.Close()
	one := copier{folder: folder, target: target, limits: limits}
	for _, pattern := range patterns {
		if err := one.match(ctx, ".", strings.Split(pattern, "/")); err != nil {
			return one.copied, one.left, err
		}
	}
	return one.copied, one.left, nil
}

type copier struct {
	folder *folder
	target *os.Root
	limits Limits
	total  int64
	copied []string
	left   []Refused
}

// match copies the files below a folder that match the parts of a pattern.
func (one *copier) match(ctx context.Context, below string, parts []string) error {
	names := []string{parts[0]}
	if strings.ContainsAny(parts[0], `*?[\`) {
		var err error
		if names, err = one.list(below, parts[0]); err != nil {
			return err
		}
	}
	for _, name := range names {
		full := path.Join(below, name)
		if len(parts) > 1 {
			if err := one.match(ctx, full, parts[1:]); err != nil {
				return err
			}
			continue
		}
		if err := one.take(ctx, full); err != nil {
			return err
		}
	}
	return nil
}

// list returns the matching names in a folder; none if the folder cannot be listed.
func (one *copier) list(below, pattern string) ([]string, error) {
	names, err := one.folder.List(below, one.limits.Files)
	if err := one.note(below, err); err != nil {
		return nil, err
	}
	var matching []string
	for _, name := range names {
		fits, err := path.Match(pattern, name)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		}
		if fits {
			matching = append(matching, name)
		}
	}
	return matching, nil
}

// note records why a file is left out. It returns errors of the host.
func (one *copier) note(name string, err error) error {
	var refused *Refused
	var failed *fs.PathError
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // no file of that name
		return nil
	case errors.As(err, &refused):
		one.left = append(one.left, *refused)
		return nil
	case errors.As(err, &failed): // not a folder, or not readable
		one.left = append(one.left, Refused{Name: name, Why: failed.Err.Error()})
		return nil
	}
	return err
}

// take copies one file.
func (one *copier) take(ctx context.Context, name string) error {
	if slices.Contains(one.copied, name) {
		return nil // matched by an earlier pattern, too
	}
	if len(one.copied) >= one.limits.Files {
		return one.note(name, &Refused{Name: name, Why: fmt.Sprintf("%d files have been copied already, the "+
			"maximum", one.limits.Files)})
	}
	file, size, err := one.folder.Open(name, one.limits.File)
	if err != nil {
		return one.note(name, err)
	}
	defer file.Close()
	if one.total+size > one.limits.Total {
		return one.note(name, &Refused{
			Name: name,
			Why:  fmt.Sprintf("with it the copied files would exceed %d bytes", one.limits.Total),
		})
	}
	if err := one.target.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	written, err := one.target.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	// A file that grows meanwhile is copied up to the size that was checked.
	count, err := io.Copy(written, io.LimitReader(reader{ctx, file}, size))
	if err := errors.Join(err, written.Close()); err != nil {
		return errors.Join(err, one.target.Remove(name))
	}
	one.total += count
	one.copied = append(one.copied, name)
	return nil
}

// reader fails once its context is done.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(into []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.from.Read(into)
}
