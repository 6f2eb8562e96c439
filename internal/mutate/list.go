package mutate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listName is the name of the files that list mutations.
const listName = "mutations.txt"

// Mutation is one planted bug.
type Mutation struct {
	List string // the list and its line number
	Line int

	File     string // relative to the root
	Old, New string
	Tests    []string // arguments of go test
}

// Location identifies the mutation in messages.
func (m *Mutation) Location() string { return fmt.Sprintf("%s:%d", m.List, m.Line) }

// Load reads all lists below root, in the order of their paths.
func Load(root string) ([]Mutation, error) {
	var all []Mutation
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.IsDir() || entry.Name() != listName:
			return nil
		}
		list, err := readList(root, path)
		all = append(all, list...)
		return err
	})
	return all, err
}

func readList(root, path string) ([]Mutation, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	var list []Mutation
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", relative, i+1, err)
		}
		m.List, m.Line = filepath.ToSlash(relative), i+1
		m.File = filepath.ToSlash(filepath.Join(filepath.Dir(relative), m.File))
		list = append(list, m)
	}
	return list, nil
}

// parse reads one line.
func parse(line string) (m Mutation, err error) {
	columns := strings.Split(line, "\t")
	if len(columns) != 4 {
		return m, fmt.Errorf("%d columns separated by tabs, want 4: file, text, new text, tests", len(columns))
	}
	if m.Old, err = unescape(columns[1]); err != nil {
		return m, err
	}
	if m.New, err = unescape(columns[2]); err != nil {
		return m, err
	}
	m.File, m.Tests = columns[0], strings.Fields(columns[3])
	switch {
	case m.File == "" || filepath.IsAbs(m.File) || slices.Contains(strings.Split(m.File, "/"), ".."):
		return m, fmt.Errorf("file %q is not below the list's folder", m.File)
	case m.Old == "" || m.Old == m.New:
		return m, fmt.Errorf("the text %q is empty or equals its replacement", m.Old)
	case len(m.Tests) == 0:
		return m, fmt.Errorf("no tests are named")
	case slices.ContainsFunc(m.Tests, func(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, "-"), "tags") }):
		return m, fmt.Errorf("the tests set -tags, which is reserved for turning pins off")
	}
	return m, nil
}

// unescape reads \t, \n and \\.
func unescape(text string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out.WriteByte(text[i])
			continue
		}
		if i++; i == len(text) {
			return "", fmt.Errorf("%q ends with a single backslash", text)
		}
		switch text[i] {
		case 't':
			out.WriteByte('\t')
		case 'n':
			out.WriteByte('\n')
		case '\\':
			out.WriteByte('\\')
		default:
			return "", fmt.Errorf("%q has \\%c, want \\t, \\n or \\\\", text, text[i])
		}
	}
	return out.String(), nil
}

// Apply returns the file's text with the mutation applied.
func (m *Mutation) Apply(root string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.File)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Location(), err)
	}
	if n := strings.Count(string(data), m.Old); n != 1 {
		return nil, fmt.Errorf("%s: %q occurs %d times in %s, want once", m.Location(), m.Old, n, m.File)
	}
	return []byte(strings.Replace(string(data), m.Old, m.New, 1)), nil
}
