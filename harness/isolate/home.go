package isolate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// mostKept is how many entries of one folder are shown one by one. A larger folder is shown whole.
const mostKept = 256

// eachKept calls one for what lies in the home at the first two levels, where programs keep their folders: .cache/NAME,
// go/pkg, .nv. Beside each of them a program may make its own. A folder that the calls go into is none of them.
func (s Spec) eachKept(folder, file func(name string), link func(name, target string)) {
	var visit func(name string, level int)
	visit = func(name string, level int) {
		entries, err := os.ReadDir(filepath.Join(s.Home, name))
		if err != nil || level > 0 && len(entries) > mostKept {
			file(name) // whole: what is in it cannot be told apart
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

// kept shows what lies in the home, read-only.
func (s Spec) kept() (mounts []Mount) {
	s.eachKept(func(string) {}, func(name string) {
		mounts = append(mounts, Mount{Source: filepath.Join(s.Home, name)})
	}, func(string, string) {})
	return mounts
}

// Prepare makes the scratch folder, with the folders and links of the home that other things are shown in and beside.
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
