package beneath

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// A Folder is a place beneath which names are opened.
type Folder struct {
	path string
	file *os.File
}

// OpenFolder opens a folder. The path itself is the caller's, and may hold links.
func OpenFolder(path string) (*Folder, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &Folder{path: path, file: file}, nil
}

// Close closes the folder.
func (folder *Folder) Close() error { return folder.file.Close() }

// open opens a name beneath the folder. Neither the name nor a part of it may be a link.
func (folder *Folder) open(name string, flags uint64) (*os.File, error) {
	how := unix.OpenHow{
		Flags:   flags | unix.O_CLOEXEC | unix.O_NOFOLLOW,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	for {
		fd, err := unix.Openat2(int(folder.file.Fd()), name, &how)
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN): // a rename raced with the walk
			continue
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.E2BIG):
			return nil, errors.New("the kernel has no openat2, without which nothing can be read safely: Linux 5.6 or newer " +
				"is needed")
		case errors.Is(err, unix.ELOOP), errors.Is(err, unix.EXDEV):
			return nil, &Refused{Name: name, Why: "a link is in its path"}
		case err != nil:
			return nil, &fs.PathError{Op: "openat2", Path: filepath.Join(folder.path, name), Err: err}
		}
		return os.NewFile(uintptr(fd), filepath.Join(folder.path, name)), nil
	}
}

// Open opens a regular file beneath the folder that has no second name and at most limit bytes. A *Refused says what is
// there instead.
func (folder *Folder) Open(name string, limit int64) (*os.File, int64, error) {
	// Looked at before it is opened: to open a device or a pipe for reading can do something.
	place, err := folder.open(name, unix.O_PATH)
	if err != nil {
		return nil, 0, err
	}
	_, err = check(place, name, limit)
	place.Close()
	if err != nil {
		return nil, 0, err
	}
	file, err := folder.open(name, unix.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return nil, 0, err
	}
	// And again: something else may have been put there.
	size, err := check(file, name, limit)
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, size, nil
}

// List returns the names in a folder beneath the folder, sorted, without those that begin with a dot. "." is the folder
// itself. More than most names are refused.
func (folder *Folder) List(name string, most int) ([]string, error) {
	directory, err := folder.open(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	defer directory.Close()
	names, err := directory.Readdirnames(most + 1)
	if len(names) > most {
		return nil, &Refused{Name: name, Why: fmt.Sprintf("it holds more than %d names", most)}
	}
	if len(names) == 0 {
		return nil, nil // io.EOF says so
	}
	names = slices.DeleteFunc(names, func(one string) bool { return one[0] == '.' })
	slices.Sort(names)
	return names, err
}

// check says why a file may not be read, and how large it is where it may.
func check(file *os.File, name string, limit int64) (int64, error) {
	var status unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &status); err != nil {
		return 0, &fs.PathError{Op: "fstat", Path: file.Name(), Err: err}
	}
	switch {
	case status.Mode&unix.S_IFMT != unix.S_IFREG:
		return 0, &Refused{Name: name, Why: "it is " + kinds[status.Mode&unix.S_IFMT] + ", not a regular file"}
	case status.Nlink != 1:
		return 0, &Refused{Name: name, Why: fmt.Sprintf("the file has %d names", status.Nlink)}
	case status.Size > limit:
		return 0, &Refused{Name: name, Why: fmt.Sprintf("it has %d bytes, more than %d", status.Size, limit)}
	}
	return status.Size, nil
}

// kinds are the words for what is no regular file.
var kinds = map[uint32]string{
	unix.S_IFLNK: "a link", unix.S_IFDIR: "a folder", unix.S_IFIFO: "a pipe", unix.S_IFSOCK: "a socket",
	unix.S_IFCHR: "a device", unix.S_IFBLK: "a device",
}
