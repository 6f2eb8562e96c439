package dependencies

import (
	"archive/tar"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Unpack extracts an archive into a home and a worktree that nothing else writes to. A wrong digest, or an entry that
// Pack would not have written, is an error; the two folders must not be used then.
func Unpack(ctx context.Context, archive, digest, homeFolder, worktreeFolder string, limits Limits) error {
	file, err := openRegular(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, contextReader{ctx, file}); err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != digest {
		return fmt.Errorf("the dependencies have the digest %s: the plan wants %s", got, digest)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	unpacker := &unpacker{limits: limits, roots: map[string]*os.Root{}}
	defer unpacker.close()
	for place, folder := range map[string]string{home: homeFolder, worktree: worktreeFolder} {
		if unpacker.roots[place], err = os.OpenRoot(folder); err != nil {
			return err
		}
	}
	reader := tar.NewReader(bufio.NewReaderSize(contextReader{ctx, file}, 1<<20))
	for {
		header, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = unpacker.entry(header, reader)
		}
		if err != nil {
			return fmt.Errorf("the dependencies: %w", err)
		}
	}
}

type unpacker struct {
	limits Limits
	roots  map[string]*os.Root
	files  int
	bytes  int64
	// parent is the last folder whose path was found to contain no link.
	parent string
}

func (unpacker *unpacker) close() {
	for _, root := range unpacker.roots {
		if root != nil {
			_ = root.Close() // nothing to flush
		}
	}
}

func (unpacker *unpacker) entry(header *tar.Header, content io.Reader) error {
	name := strings.TrimSuffix(header.Name, "/")
	if err := checkName(name); err != nil {
		return err
	}
	unpacker.files++
	unpacker.bytes += header.Size
	switch {
	case unpacker.files > unpacker.limits.Files:
		return fmt.Errorf("more than %d files", unpacker.limits.Files)
	case header.Size < 0 || unpacker.bytes > unpacker.limits.Bytes:
		return fmt.Errorf("more than %d bytes", unpacker.limits.Bytes)
	}
	place, below, _ := strings.Cut(name, "/")
	root := unpacker.roots[place]
	if header.Typeflag == tar.TypeDir {
		return unpacker.folder(root, place, below)
	}
	if err := unpacker.folder(root, place, path.Dir(below)); err != nil {
		return err
	}
	// Replace a file that git checked out and the fetch changed; a link itself, not its target.
	if err := root.Remove(below); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch header.Typeflag {
	case tar.TypeSymlink:
		if err := checkLink(name, header.Linkname); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		unpacker.parent = ""
		return root.Symlink(header.Linkname, below)
	case tar.TypeReg:
		mode := fs.FileMode(0o644)
		if header.Mode&0o100 != 0 {
			mode = 0o755
		}
		file, err := root.OpenFile(below, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	}
	return fmt.Errorf("%s is not a regular file, folder or symbolic link", name)
}

// folder creates a folder and its parents. None of them may be a symbolic link, from git or from the archive: a name
// that passes through a link, and any link below it, would lie elsewhere than checked.
func (unpacker *unpacker) folder(root *os.Root, place, below string) error {
	if below == "." || unpacker.parent == place+"/"+below {
		return nil
	}
	at := ""
	for _, part := range strings.Split(below, "/") {
		at = path.Join(at, part)
		info, err := root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = root.Mkdir(at, 0o755)
		case err == nil && !info.IsDir():
			err = fmt.Errorf("%s/%s is not a folder, but another entry lies below it", place, at)
		}
		if err != nil {
			return err
		}
	}
	unpacker.parent = place + "/" + below
	return nil
}

// contextReader fails once its context is done.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r contextReader) Read(into []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.from.Read(into)
}
