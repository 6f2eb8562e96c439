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
	"path/filepath"
	"strings"
	"syscall"
)

// A Snapshot records the files of a worktree, by path.
type Snapshot map[string]stamp

// A stamp changes whenever a file changes: only the kernel sets an inode's time of last change.
type stamp struct {
	inode   uint64
	changed syscall.Timespec
}

// Take returns a snapshot of a worktree.
func Take(folder string) (Snapshot, error) {
	seen := Snapshot{}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		seen[name], err = stampOf(info)
		return err
	})
	return seen, err
}

// Packed describes an archive.
type Packed struct {
	// Digest is the SHA-256 of the archive in hexadecimal, Size its size in bytes.
	Digest string
	Size   int64
	Files  int
	// Left lists files that were not packed, at most mostLeft.
	Left []LeftOut
}

// Pack writes an archive of a home, and of the files in a worktree that changed since before, to a new file. Nothing
// may write to the two folders meanwhile.
func Pack(ctx context.Context, homeFolder, worktreeFolder string, before Snapshot, into string,
	limits Limits) (Packed, error) {
	file, err := os.OpenFile(into, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return Packed{}, err
	}
	hash := sha256.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(file, hash), 1<<20)
	counted := &counter{to: buffered}
	packer := &packer{ctx: ctx, out: tar.NewWriter(counted), limits: limits}
	err = packer.folder(homeFolder, home, nil)
	if err == nil {
		err = packer.folder(worktreeFolder, worktree, before)
	}
	if err == nil {
		err = packer.out.Close()
	}
	if err = errors.Join(err, buffered.Flush(), file.Close()); err != nil {
		return Packed{}, errors.Join(err, os.Remove(into))
	}
	packer.packed.Digest, packer.packed.Size = hex.EncodeToString(hash.Sum(nil)), counted.bytes
	return packer.packed, nil
}

type packer struct {
	ctx    context.Context
	out    *tar.Writer
	limits Limits
	bytes  int64
	packed Packed
}

// mostLeft is the maximum number of files in Packed.Left.
const mostLeft = 50

func (packer *packer) leave(name, why string) {
	if len(packer.packed.Left) < mostLeft {
		packer.packed.Left = append(packer.packed.Left, LeftOut{name, why})
	}
}

// folder packs the entries below a folder, in the order of names, except those that did not change since before.
func (packer *packer) folder(folder, place string, before Snapshot) error {
	return filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := packer.ctx.Err(); err != nil {
			return context.Cause(packer.ctx)
		}
		below, err := filepath.Rel(folder, file)
		if err != nil || below == "." {
			return err
		}
		name := path.Join(place, filepath.ToSlash(below))
		if err := checkName(name); err != nil {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil // the worktree's .git
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if same, err := unchanged(before, file, info); same || err != nil {
			return err
		}
		return packer.entry(file, name, info)
	})
}

func unchanged(before Snapshot, file string, info fs.FileInfo) (bool, error) {
	old, was := before[file]
	if !was || info.IsDir() {
		return false, nil
	}
	now, err := stampOf(info)
	return now == old, err
}

// entry packs a file, folder or link.
func (packer *packer) entry(file, name string, info fs.FileInfo) error {
	header := &tar.Header{Name: name, Format: tar.FormatPAX, Mode: 0o644}
	switch {
	case info.IsDir():
		if place, _, _ := strings.Cut(name, "/"); place == worktree {
			return nil // created when a file in it is unpacked
		}
		header.Typeflag, header.Mode, header.Name = tar.TypeDir, 0o755, name+"/"
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(file)
		if err != nil {
			return err
		}
		if err := checkLink(name, target); err != nil {
			packer.leave(name, err.Error())
			return nil
		}
		header.Typeflag, header.Linkname = tar.TypeSymlink, target
	case info.Mode().IsRegular():
		header.Typeflag, header.Size = tar.TypeReg, info.Size()
		if info.Mode()&0o100 != 0 {
			header.Mode = 0o755
		}
	default:
		packer.leave(name, "it is not a regular file, folder or symbolic link")
		return nil
	}
	packer.packed.Files++
	packer.bytes += header.Size
	switch {
	case packer.packed.Files > packer.limits.Files:
		return fmt.Errorf("build.fetch downloaded more than %d files", packer.limits.Files)
	case packer.bytes > packer.limits.Bytes:
		return fmt.Errorf("build.fetch downloaded more than %d bytes: %s exceeds the limit", packer.limits.Bytes, name)
	}
	if err := packer.out.WriteHeader(header); err != nil || header.Typeflag != tar.TypeReg {
		return err
	}
	return packer.content(file, header.Size)
}

func (packer *packer) content(file string, size int64) error {
	from, err := openRegular(file)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.CopyN(packer.out, from, size)
	return err
}

// counter counts the bytes written.
type counter struct {
	to    io.Writer
	bytes int64
}

func (c *counter) Write(data []byte) (int, error) {
	n, err := c.to.Write(data)
	c.bytes += int64(n)
	return n, err
}
