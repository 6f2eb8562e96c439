package guests

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// derivedFolder has a folder for each crate that is made from the sources of its original, with its edits and the
// files to add.
const derivedFolder = "rust/derived/"

// A Derivation makes a crate of the kit from the sources of the original crate.
type Derivation struct {
	Name    string
	Version string // of the original
	edits   []edit
	added   []string // files of the folder of patches that it also has
}

// edit replaces lines that a file has once.
type edit struct{ path, before, after string }

// Derived returns how a crate of [Patches] is made, or false if the kit has its sources.
func Derived(name string) (d Derivation, is bool, err error) {
	text, err := files.ReadFile(derivedFolder + name + "/edits")
	if err != nil {
		return d, false, nil
	}
	d, err = parseEdits(name, string(text))
	return d, true, err
}

// parseEdits parses a file edits. Its lines are comments (#), the original's version, names of files to add and to
// edit, and lines to replace (-) with the lines for them (+).
func parseEdits(name, text string) (Derivation, error) {
	d := Derivation{Name: name}
	file, open := "", false // whether the last edit takes more lines to replace
	for number, line := range strings.Split(text, "\n") {
		version, isVersion := strings.CutPrefix(line, "original ")
		switch added, adds := strings.CutPrefix(line, "+"); {
		case line == "" || line[0] == '#':
			open = false
		case isVersion:
			d.Version = version
		case strings.HasPrefix(line, "add "):
			d.added = append(d.added, patchFolder+line[len("add "):])
		case strings.HasPrefix(line, "file "):
			file = line[len("file "):]
		case line[0] == '-' && file != "":
			if !open {
				d.edits, open = append(d.edits, edit{path: file}), true
			}
			d.edits[len(d.edits)-1].before += line[1:] + "\n"
		case adds && len(d.edits) > 0:
			d.edits[len(d.edits)-1].after += added + "\n"
			open = false
		default:
			return d, fmt.Errorf("%s%s/edits:%d: unexpected line %q", derivedFolder, name, number+1, line)
		}
	}
	return d, nil
}

// find returns where lines are those to replace.
func (e edit) find(lines []string) (found []int) {
	n := strings.Count(e.before, "\n")
	for i := range len(lines) - n + 1 {
		if strings.Join(lines[i:i+n], "") == e.before {
			found = append(found, i)
		}
	}
	return found
}

// Write writes the crate to a folder, from the folder with the original's sources.
func (d Derivation) Write(original, folder string) error {
	if err := os.CopyFS(folder, os.DirFS(original)); err != nil {
		return fmt.Errorf("copy the sources of %s %s: %w", d.Name, d.Version, err)
	}
	for _, e := range d.edits {
		name := filepath.Join(folder, filepath.FromSlash(e.path))
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines := strings.SplitAfter(string(text), "\n")
		found := e.find(lines)
		if len(found) != 1 {
			return fmt.Errorf("%s of %s %s has %d times the lines to edit, want once: %q; was the original changed?",
				e.path, d.Name, d.Version, len(found), e.before)
		}
		lines = slices.Replace(lines, found[0], found[0]+strings.Count(e.before, "\n"), e.after)
		if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o644); err != nil {
			return err
		}
	}
	added, err := fs.Glob(files, derivedFolder+d.Name+"/*.rs")
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(added, d.added) {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "src", path.Base(name)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
