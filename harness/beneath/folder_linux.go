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

// A folder opens files by their names beneath it.
type folder struct {
	path string
	file *os.File
}

// openFolder opens a folder. The path itself is trusted and may contain symbolic links.
func openFolder(path string) (*folder, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &folder{path: path, file: file}, nil
}

// Close closes the folder.
func (folder *folder) Close() error { return folder.file.Close() }

// open opens a name beneath the folder. No part of the name may be a symbolic link.
func (folder *folder) open(name string, flags uint64) (*os.File, error) {
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
			return nil, errors.New("the kernel lacks openat2, which is needed to read files safely: use Linux 5.6 or newer")
		case errors.Is(err, unix.ELOOP), errors.Is(err, unix.EXDEV):
			return nil, &Refused{Name: name, Why: "its path contains a symbolic link"}
		case err != nil:
			return nil, &fs.PathError{Op: "openat2", Path: filepath.Join(folder.path, name), Err: err}
		}
		return os.NewFile(uintptr(fd), filepath.Join(folder.path, name)), nil
	}
}

// Open opens a regular file beneath the folder that has no second name and at most limit bytes. Otherwise the error is
// a *Refused.
func (folder *folder) Open(name string, limit int64) (*os.File, int64, error) {
	// Check before opening for reading, because opening a device or a pipe can have side effects.
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
	// Check again: the file may have been replaced.
	size, err := check(file, name, limit)
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, size, nil
}

// List returns the sorted names in a subfolder, without those that begin with a dot. "." is the folder itself. A
// subfolder with more than most names is refused.
func (folder *folder) List(name string, most int) ([]string, error) {
	directory, err := folder.open(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	defer directory.Close()
	names, err := directory.Readdirnames(most + 1)
	if len(names) > most {
		return nil, &Refused{Name: name, Why: fmt.Sprintf("it contains more than %d names", most)}
	}
	if len(names) == 0 {
		return nil, nil // err is io.EOF
	}
	names = slices.DeleteFunc(names, func(one string) bool { return one[0] == '.' })
	slices.Sort(names)
	return names, err
}

// check returns the size of a file, or the reason why it may not be read.
func check(file *os.File, name string, limit int64) (int64, error) {
	var status unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &status); err != nil {
		return 0, &fs.PathError{Op: "fstat", Path: file.Name(), Err: err}
	}
	switch {
	case status.Mode&unix.S_IFMT != unix.S_IFREG:
		return 0, &Refused{Name: name, Why: "it is " + kinds[status.Mode&unix.S_IFMT] + ", not a regular file"}
	case status.Nlink != 1:
		return 0, &Refused{Name: name, Why: fmt.Sprintf("the file has %d hard links", status.Nlink)}
	case status.Size > limit:
		return 0, &Refused{Name: name, Why: fmt.Sprintf("it has %d bytes: at most %d are allowed", status.Size, limit)}
	}
	return status.Size, nil
}

// kinds names the types of files that are not regular.
var kinds = map[uint32]string{
	unix.S_IFLNK: "a symbolic link", unix.S_IFDIR: "a folder", unix.S_IFIFO: "a pipe", unix.S_IFSOCK: "a socket",
	unix.S_IFCHR: "a device", unix.S_IFBLK: "a device",
}
