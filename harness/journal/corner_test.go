package journal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/journal"
)

// A missing journal is not in use, and asking does not create one.
func TestInUseLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	if journal.InUse(path) {
		t.Error("in use before it was made")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("asking made a journal: %v", err)
	}
}

// A replaced file is readable by every user. A file that cannot be replaced stays, without leftovers next to it.
func TestWriteFileKeepsOrReplaces(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "run.json")
	if err := journal.WriteFile(path, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	occupied := filepath.Join(folder, "report.json") // a file cannot replace a folder
	if err := os.MkdirAll(filepath.Join(occupied, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := journal.WriteFile(occupied, []byte("{}")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("after a failure there are %v, %v", entries, err)
	}
}

// A line too short for a checksum has none, and the first record is covered by the end of the journal too.
func TestShortestJournals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	for _, line := range []string{`{"seq":1}`,
		`{"seq":1,"kind":"note","data":{"Text":"a text that is longer than a checksum, of which there is none"}}`} {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.Read(path); err == nil || !strings.Contains(err.Error(), ":1: the record has no checksum") {
			t.Errorf("%s: %v", line, err)
		}
	}
	whole := write(t)
	first, _, _ := strings.Cut(read(t, whole), "\n")
	if err := os.WriteFile(path, []byte(first+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for sum, want := range map[string]string{
		sumOf(first): "", strings.Repeat("0", 64): ":1: record 1 differs from the record",
	} {
		if err := os.WriteFile(path+".end", fmt.Appendf(nil, "%012d %s\n", 1, sum), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.Read(path); want == "" && err != nil ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("the end says %s: %v, want %q", sum, err, want)
		}
	}
}

// The last run is the last even if it is the only one. At most five candidates of an ambiguous name are listed.
func TestFindLastAndMany(t *testing.T) {
	root := filepath.Join(t.TempDir(), "runs")
	if _, err := journal.Find(root, "last"); err == nil {
		t.Error("there is a last run of none")
	}
	var runs []journal.Directory
	for n := range 6 {
		runs = append(runs, create(t, root, noon.Add(time.Duration(n)*time.Second)))
		if got, err := journal.Find(root, "last"); err != nil || got != runs[n] {
			t.Errorf("the last of %d runs is %s, %v", n+1, got, err)
		}
		if n < 4 {
			continue
		}
		_, err := journal.Find(root, "2026")
		if err == nil {
			t.Fatal("a beginning of all names is that of one")
		}
		listed := 0
		for _, d := range runs {
			if strings.Contains(err.Error(), d.ID()) {
				listed++
			}
		}
		if listed != 5 || !strings.Contains(err.Error(), fmt.Sprintf("means %d runs: ", n+1)) ||
			strings.Contains(err.Error(), "the last are") != (n == 5) || !strings.Contains(err.Error(), runs[n].ID()) {
			t.Errorf("of %d runs: %v", n+1, err)
		}
	}
}

// Only reports, journal, tables and logs of a run's folder may leave the host: no file that a measured program could
// have written, and no file with another name.
func TestWhatIsPublished(t *testing.T) {
	leaves := []string{"run.json", "journal.jsonl", "journal.jsonl.end", "report.json", "report.md", "logs/base.log",
		"fib/pairs.csv", "fib/dropped.csv"}
	stays := []string{"secret", "logs/core", "logs/base.log.part", "home/.netrc", "fib/proof.bin", "fib/deep/pairs.csv",
		"run.json.bak", "proofs/base/1.bin"}
	for _, name := range append(leaves, stays...) {
		matches := false
		for _, pattern := range journal.Published {
			one, err := filepath.Match(pattern, name)
			if err != nil {
				t.Fatal(err)
			}
			matches = matches || one
		}
		if want := slices.Contains(leaves, name); matches != want {
			t.Errorf("%s is published: %v", name, matches)
		}
	}
}
