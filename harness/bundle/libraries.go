package bundle

import (
	"debug/elf"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
)

// needs holds the loader and the libraries of a program; both are empty if it is statically linked.
type needs struct {
	interpreter string
	libraries   []string
	machine     elf.Machine
}

// dynamic reads the loader and libraries that a program or library needs.
func dynamic(file string) (needs, error) {
	program, err := elf.Open(file)
	if err != nil {
		return needs{}, fmt.Errorf("%s: %w", file, err)
	}
	defer program.Close()
	found := needs{machine: program.Machine}
	for _, segment := range program.Progs {
		if segment.Type != elf.PT_INTERP {
			continue
		}
		text := make([]byte, segment.Filesz)
		if _, err := segment.ReadAt(text, 0); err != nil {
			return needs{}, fmt.Errorf("%s: %w", file, err)
		}
		found.interpreter = string(text[:max(0, len(text)-1)]) // without the final zero byte
	}
	if found.libraries, err = program.ImportedLibraries(); err != nil {
		return needs{}, fmt.Errorf("%s: %w", file, err)
	}
	return found, nil
}

// libraryFolders are the folders that the loaders of Debian, Red Hat and Alpine search by default.
var libraryFolders = []string{"/lib/*-linux-gnu", "/usr/lib/*-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
	"/usr/local/lib"}

// git adds this host's git with its loader and libraries.
func (list *contents) git() error {
	program, err := exec.LookPath("git")
	if err != nil {
		return fmt.Errorf("git must be installed, because the bundle contains it: %w", err)
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		return err
	}
	root, err := dynamic(program)
	if err != nil {
		return err
	}
	if err := list.file("git/libexec/git", program); err != nil {
		return err
	}
	for _, name := range []string{"bin/git", "git/exec/git", "git/exec/git-upload-pack"} {
		list.text(name, string(gitLauncher), true)
	}
	list.text("git/templates/description", "created from a bundle\n", false)
	if root.interpreter == "" {
		return nil
	}
	if err := list.file("git/lib/loader", root.interpreter); err != nil {
		return err
	}
	return list.libraries(root, map[string]bool{path.Base(root.interpreter): true})
}

// libraries adds the needed libraries, recursively.
func (list *contents) libraries(of needs, seen map[string]bool) error {
	for _, name := range of.libraries {
		if seen[name] {
			continue
		}
		seen[name] = true
		file, own, err := findLibrary(name, of.machine)
		if err != nil {
			return err
		}
		if err := list.file(path.Join("git/lib", name), file); err != nil {
			return err
		}
		if err := list.libraries(own, seen); err != nil {
			return err
		}
	}
	return nil
}

func findLibrary(name string, machine elf.Machine) (string, needs, error) {
	for _, pattern := range libraryFolders {
		files, err := filepath.Glob(filepath.Join(pattern, name))
		if err != nil {
			return "", needs{}, err
		}
		for _, file := range files {
			if own, err := dynamic(file); err == nil && own.machine == machine {
				return file, own, nil
			}
		}
	}
	return "", needs{}, fmt.Errorf("git needs the library %s, which is not in any of %v", name, libraryFolders)
}
