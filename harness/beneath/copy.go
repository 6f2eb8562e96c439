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

// A Refused is something that lies beneath a folder and may not be read, or is not handed on.
type Refused struct {
	Name string
	Why  string
}

// Error gives name and reason.
func (refused *Refused) Error() string { return refused.Name + ": " + refused.Why }

// Limits bound what is copied.
type Limits struct {
	// File and Total are the most bytes of one file and of all.
	File, Total int64
	// Files is the most files, and the most names that one folder may hold.
	Files int
}

// Copy copies every file beneath the folder from whose name matches one of the patterns into the folder into, which it
// makes. It returns the names that were copied and what was left out. What matches nothing is not mentioned. An error
// is of the host: the folder is there already, the disk is full.
func Copy(ctx context.Context, from, into string, patterns []string,
	limits Limits) (copied []string, left []Refused, err error) {
	folder, err := OpenFolder(from)
	if err != nil {
		return nil, nil, err
	}
	defer folder.Close()
	if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
		return nil, nil, err
	}
	if err := os.Mkdir(into, 0o755); err != nil { // never into a folder that somebody else prepared
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
	folder *Folder
	target *os.Root
	limits Limits
	total  int64
	copied []string
	left   []Refused
}

// match copies what the parts of a pattern match below a name.
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

// list gives the names below a folder that match. Where nothing can be listed there are none.
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

// note keeps why something is not handed on. It gives back errors of the host.
func (one *copier) note(name string, err error) error {
	var refused *Refused
	var failed *fs.PathError
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // nothing of that name
		return nil
	case errors.As(err, &refused):
		one.left = append(one.left, *refused)
		return nil
	case errors.As(err, &failed): // no folder, no right to read it
		one.left = append(one.left, Refused{Name: name, Why: failed.Err.Error()})
		return nil
	}
	return err
}

// take copies one file.
func (one *copier) take(ctx context.Context, name string) error {
	if slices.Contains(one.copied, name) {
		return nil // two patterns match it
	}
	if len(one.copied) >= one.limits.Files {
		return one.note(name, &Refused{Name: name, Why: fmt.Sprintf("%d files are handed on already", one.limits.Files)})
	}
	file, size, err := one.folder.Open(name, one.limits.File)
	if err != nil {
		return one.note(name, err)
	}
	defer file.Close()
	if one.total+size > one.limits.Total {
		return one.note(name, &Refused{
			Name: name,
			Why:  fmt.Sprintf("with it more than %d bytes would be handed on", one.limits.Total),
		})
	}
	if err := one.target.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	written, err := one.target.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	// No more than was seen: a file that grows meanwhile is handed on as it was.
	count, err := io.Copy(written, io.LimitReader(reader{ctx, file}, size))
	if err := errors.Join(err, written.Close()); err != nil {
		return errors.Join(err, one.target.Remove(name))
	}
	one.total += count
	one.copied = append(one.copied, name)
	return nil
}

// reader ends with its context.
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
