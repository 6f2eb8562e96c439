package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Directory is the folder of one run.
type Directory string

// The files of a run.
func (d Directory) RunFile() string     { return filepath.Join(string(d), "run.json") }
func (d Directory) JournalFile() string { return filepath.Join(string(d), "journal.jsonl") }
func (d Directory) Logs() string        { return filepath.Join(string(d), "logs") }

// Proofs returns the folder that measured programs write into. It lies next to the runs, never inside one: only the
// harness writes into a run's folder.
func (d Directory) Proofs() string {
	return filepath.Join(filepath.Dir(filepath.Dir(string(d))), "proofs", d.ID())
}

// Published lists, as patterns of package beneath, the files of a run's folder that may leave the host. Files that it
// does not match stay.
var Published = []string{"run.json", "journal.jsonl", "journal.jsonl" + EndSuffix, "report.*", "logs/*.log",
	"*/pairs.csv", "*/dropped.csv"}

// Report returns the path of the report in a format: json, md or html.
func (d Directory) Report(extension string) string {
	return filepath.Join(string(d), "report."+extension)
}

// Workload returns the folder of a workload's CSV files.
func (d Directory) Workload(name string) string { return filepath.Join(string(d), name) }

// ID returns the name of the run.
func (d Directory) ID() string { return filepath.Base(string(d)) }

// Begun returns the time in the run's name, or false if the folder has another kind of name.
func (d Directory) Begun() (time.Time, bool) {
	name, _, _ := strings.Cut(d.ID(), "-")
	at, err := time.Parse(timeFormat, name)
	return at, err == nil
}

// Relative returns path relative to the run's folder if it lies inside, else path.
func (d Directory) Relative(path string) string {
	if relative, err := filepath.Rel(string(d), path); err == nil && filepath.IsLocal(relative) {
		return relative
	}
	return path
}

// timeFormat starts the name of a run. Names sort by time; milliseconds order short runs.
const timeFormat = "20060102T150405.000Z"

// Create makes the folder of a new run below root: <utc>-<base7>-<head7>, with a number added if that name is taken.
func Create(root string, at time.Time, base, head string) (Directory, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s-%.7s-%.7s", at.UTC().Format(timeFormat), base, head)
	for n := 1; ; n++ {
		d := Directory(filepath.Join(root, name))
		if n > 1 {
			d = Directory(fmt.Sprintf("%s-%d", d, n))
		}
		switch err := os.Mkdir(string(d), 0o755); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", err
		}
		return d, errors.Join(os.Mkdir(d.Logs(), 0o755), os.MkdirAll(d.Proofs(), 0o755))
	}
}

// List returns the absolute paths of the runs below root, oldest first. A root that does not exist has none.
func List(root string) ([]Directory, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var runs []Directory
	for _, entry := range entries {
		d := Directory(filepath.Join(root, entry.Name()))
		if _, err := os.Stat(d.RunFile()); err == nil {
			runs = append(runs, d)
		}
	}
	return runs, nil
}

// Find returns the run that name denotes: the path of its folder, its ID or an unambiguous prefix of the ID, or "last".
func Find(root, name string) (Directory, error) {
	if name == "" {
		return "", errors.New("no run named: give its ID, its folder, or last")
	}
	if d := Directory(name); isFile(d.RunFile()) {
		absolute, err := filepath.Abs(name)
		return Directory(absolute), err
	}
	runs, err := List(root)
	if err != nil {
		return "", err
	}
	if name == "last" && len(runs) > 0 {
		return runs[len(runs)-1], nil
	}
	var found []Directory
	var ids []string
	for _, d := range runs {
		if d.ID() == name {
			return d, nil
		}
		if strings.HasPrefix(d.ID(), name) {
			found, ids = append(found, d), append(ids, d.ID())
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("no run %q in %s: `harness runs` lists them", name, root)
	}
	const most = 5
	more := ""
	if len(ids) > most {
		ids, more = ids[len(ids)-most:], "the last are "
	}
	return "", fmt.Errorf("run %q means %d runs: %s%s", name, len(found), more, strings.Join(ids, ", "))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
