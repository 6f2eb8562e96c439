package isolate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// mostKept is the largest number of entries of a folder that are shown one by one. A larger folder is shown as a whole.
const mostKept = 256

// eachKept visits the first two levels of the home, where programs keep their folders: .cache/NAME, go/pkg, .nv. It
// calls folder for a folder whose entries it visits, next to which a program may create its own; file for other folders
// and for regular files; and link for symbolic links.
func (s Spec) eachKept(folder, file func(name string), link func(name, target string)) {
	var visit func(name string, level int)
	visit = func(name string, level int) {
		entries, err := os.ReadDir(filepath.Join(s.Home, name))
		if err != nil || level > 0 && len(entries) > mostKept {
			file(name) // as a whole: its entries are not listed one by one
			return
		}
		folder(name)
		for _, e := range entries {
			below := filepath.Join(name, e.Name())
			switch {
			case e.Type() == fs.ModeSymlink:
				if target, err := os.Readlink(filepath.Join(s.Home, below)); err == nil {
					link(below, target)
				}
			case e.IsDir() && level == 0:
				visit(below, level+1)
			case e.IsDir() || e.Type().IsRegular():
				file(below)
			}
		}
	}
	visit("", 0)
}

// kept returns read-only mounts of the home's entries.
func (s Spec) kept() (mounts []Mount) {
	s.eachKept(func(string) {}, func(name string) {
		mounts = append(mounts, Mount{Source: filepath.Join(s.Home, name)})
	}, func(string, string) {})
	return mounts
}

// Prepare creates the scratch folder, with the folders and links in which the home's entries are mounted.
func (s Spec) Prepare() error {
	if s.Scratch == "" {
		return nil
	}
	failed := os.MkdirAll(s.Scratch, 0o755)
	s.eachKept(func(name string) {
		failed = errors.Join(failed, os.MkdirAll(filepath.Join(s.Scratch, name), 0o755))
	}, func(string) {}, func(name, target string) {
		err := os.Symlink(target, filepath.Join(s.Scratch, name))
		if !errors.Is(err, fs.ErrExist) {
			failed = errors.Join(failed, err)
		}
	})
	return failed
}
