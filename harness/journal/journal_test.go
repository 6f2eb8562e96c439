package journal_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/journal"
)

type note struct{ Text string }

// write makes a journal of three records and returns its path.
func write(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, old, err := journal.Open(path)
	if err != nil || len(old) != 0 {
		t.Fatalf("new journal: %v, %d records", err, len(old))
	}
	for _, text := range []string{"one", "two\nlines", "three"} {
		if _, err := j.Append("note", note{text}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func texts(t *testing.T, records []journal.Record) string {
	t.Helper()
	var all []string
	for i, r := range records {
		var n note
		if err := r.Decode(&n); err != nil {
			t.Fatal(err)
		}
		if r.Sequence != i+1 || r.Kind != "note" || r.Time.IsZero() {
			t.Errorf("record %d: %+v", i, r)
		}
		all = append(all, n.Text)
	}
	return strings.Join(all, "|")
}

func TestRoundTrip(t *testing.T) {
	path := write(t)
	records, err := journal.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(t, records); got != "one|two\nlines|three" {
		t.Errorf("read back %q", got)
	}
}

// Whichever byte a writer was killed at, all complete records are read, and writing can continue.
func TestTornAtEveryByte(t *testing.T) {
	path := write(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		torn := filepath.Join(t.TempDir(), "torn.jsonl")
		if err := os.WriteFile(torn, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		complete := bytes.Count(whole[:cut], []byte("\n"))
		records, err := journal.Read(torn)
		if err != nil || len(records) != complete {
			t.Fatalf("cut at %d: %d records and error %v, want %d", cut, len(records), err, complete)
		}
		j, records, err := journal.Open(torn)
		if err != nil || len(records) != complete {
			t.Fatalf("cut at %d: opened with %d records and error %v, want %d", cut, len(records), err, complete)
		}
		if _, err := j.Append("note", note{"after"}); err != nil {
			t.Fatal(err)
		}
		j.Close()
		records, err = journal.Read(torn)
		if err != nil || len(records) != complete+1 || !strings.HasSuffix(texts(t, records), "after") {
			t.Fatalf("cut at %d: after going on %d records, error %v", cut, len(records), err)
		}
	}
}

func TestOneWriter(t *testing.T) {
	path := write(t)
	if journal.InUse(path) {
		t.Error("in use before it was opened")
	}
	first, _, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := journal.Open(path); !errors.Is(err, journal.ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if !journal.InUse(path) {
		t.Error("not in use while it is open")
	}
	first.Close()
	second, records, err := journal.Open(path)
	if err != nil || len(records) != 3 {
		t.Fatalf("after the first: %d records, %v", len(records), err)
	}
	second.Close()
}

func TestTornByZeros(t *testing.T) {
	for _, tail := range []string{"", "\n", `"}` + "\n"} {
		tornByZeros(t, tail)
	}
}

func tornByZeros(t *testing.T, tail string) {
	t.Helper()
	path := write(t)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(append(make([]byte, 512), tail...)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if records, err := journal.Read(path); err != nil || len(records) != 3 {
		t.Errorf("%d records, error %v", len(records), err)
	}
}

func TestDamage(t *testing.T) {
	if path := write(t); resealed(read(t, path)) != read(t, path) {
		t.Error("the checksums are others than the documentation says")
	}
	line := func(s string, n int) string { return strings.SplitAfter(s, "\n")[n-1] }
	without := func(s string, n int) string { return strings.Replace(s, line(s, n), "", 1) }
	resequenced := func(s string, from, to int) string {
		return strings.Replace(s, fmt.Sprintf(`{"seq":%d`, from), fmt.Sprintf(`{"seq":%d`, to), 1)
	}
	for name, c := range map[string]struct {
		damage func(string) string
		want   string
	}{
		"a line that does not parse": {func(s string) string { return strings.Replace(s, `{"seq":2`, `{"seq":`, 1) },
			":2: does not parse"},
		"a line is missing": {func(s string) string { return without(s, 1) }, ":1: found record 2, want record 1"},
		"a line twice":      {func(s string) string { return line(s, 1) + s }, ":2: found record 1, want record 2"},
		"a digit of a value": {func(s string) string {
			return strings.Replace(s, `"Text":"three"`, `"Text":"thref"`, 1)
		}, ":3: the checksum of record 3"},
		"a digit of a time": {func(s string) string { return strings.Replace(s, `"time":"2`, `"time":"3`, 1) },
			":1: the checksum of record 1"},
		"a key twice": {func(s string) string { return strings.Replace(s, `"data":`, `"data":1,"data":`, 1) },
			":1: the checksum of record 1"},
		"a blank": {func(s string) string { return strings.Replace(s, `{"seq":2`, `{ "seq":2`, 1) },
			":2: the checksum of record 2"},
		"no checksum": {func(s string) string { return s[:strings.Index(s, `,"sum"`)] + "}\n" },
			":1: the record has no checksum"},
		"the second of three is missing, and the third renumbered": {func(s string) string {
			return resequenced(without(s, 2), 3, 2)
		}, ":2: the checksum of record 2"},
		"the first one twice, renumbered": {func(s string) string {
			return line(s, 1) + resequenced(line(s, 1), 1, 2)
		}, ":2: the checksum of record 2"},
		"the second one, of another journal": {func(s string) string {
			other := strings.ReplaceAll(s, `"Text":"one"`, `"Text":"two"`)
			return strings.Replace(s, line(s, 2), line(resealed(other), 2), 1)
		}, ":2: the checksum of record 2"},
		"one byte of the last one, that is a zero": {func(s string) string {
			return strings.Replace(s, "three", "thr\x00e", 1)
		}, ":3: does not parse"},
		"the last one, whose newline is there": {func(s string) string { return strings.TrimSuffix(s, "\"}\n") + "\n" },
			":3: does not parse"},
	} {
		path := write(t)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.damage(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.Read(path); err == nil || !strings.Contains(err.Error(), path+c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if _, _, err := journal.Open(path); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

// resealed recomputes the checksums of a journal, as its documentation describes.
func resealed(text string) string {
	var out strings.Builder
	before := ""
	for record := range strings.Lines(text) {
		body := record[:strings.LastIndex(record, `,"sum":`)]
		before = fmt.Sprintf("%x", sha256.Sum256([]byte(before+"\n"+body+"}")))
		fmt.Fprintf(&out, "%s,\"sum\":\"%s\"}\n", body, before)
	}
	return out.String()
}

// Damage to any byte of a whole journal is detected.
func TestEveryByteIsCovered(t *testing.T) {
	path := write(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := filepath.Join(t.TempDir(), "flipped.jsonl")
	for at := range whole {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1 << (at % 7)
		if err := os.WriteFile(flipped, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		records, err := journal.Read(flipped)
		// The last newline distinguishes a whole record from a truncated one. The end record detects its loss.
		if torn := at == len(whole)-1; torn && (err != nil || len(records) != 2) || !torn && err == nil {
			t.Fatalf("a bit of byte %d: %d records, %v", at, len(records), err)
		}
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.Read(path); err == nil {
			t.Fatalf("a bit of byte %d, and the end is that of before", at)
		}
	}
}

// Records lost at the end are detected, with their line, when reading and when continuing. A record written after the
// last end record is accepted, because a crash may leave it.
func TestLostAtTheEnd(t *testing.T) {
	path := write(t)
	whole := read(t, path)
	lines := strings.SplitAfter(whole, "\n")
	for kept := range 4 {
		if err := os.WriteFile(path, []byte(strings.Join(lines[:kept], "")), 0o644); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s:%d: record %d is lost: %s.end says that 3 were written", path, kept+1, kept+1, path)
		for _, try := range []func(string) error{readOnly, reopen} {
			if err := try(path); kept < 3 && (err == nil || err.Error() != want) || kept == 3 && err != nil {
				t.Errorf("%d of 3 lines are left: %v", kept, err)
			}
		}
	}
	behind := read(t, write(t)+".end")
	for name, c := range map[string]struct{ end, want string }{
		"none":               {"", ""},
		"not filled":         {strings.Repeat("\x00", len(behind)), ""},
		"one behind":         {fmt.Sprintf("%012d %s\n", 2, sumOf(lines[1])), ""},
		"nothing yet":        {fmt.Sprintf("%012d %064d\n", 0, 0), ""},
		"of another journal": {behind, ":3: record 3 differs from the record"},
		"half":               {behind[:40], ".end: \""},
		"no checksum":        {fmt.Sprintf("%012d %064s\n", 2, "x"), ".end: \""},
		"negative":           {fmt.Sprintf("%012d %064d\n", -2, 0), ".end: \""},
	} {
		if err := os.WriteFile(path+".end", []byte(c.end), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := readOnly(path); c.want == "" && err != nil ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), path+c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if c.want == "" {
			if err := errors.Join(reopen(path), readOnly(path)); err != nil || sumOf(read(t, path+".end")) != sumOf(lines[2]) {
				t.Errorf("%s: continued: %v", name, err)
			}
		}
	}
	if read(t, path) != whole {
		t.Error("the journal changed")
	}
}

func readOnly(path string) error {
	_, err := journal.Read(path)
	return err
}

func reopen(path string) error {
	j, _, err := journal.Open(path)
	if err != nil {
		return err
	}
	return j.Close()
}

// sumOf is the last run of 64 hexadecimal digits.
func sumOf(text string) string {
	all := regexp.MustCompile(`[0-9a-f]{64}`).FindAllString(text, -1)
	return all[len(all)-1]
}

func TestWriteFileReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	for _, text := range []string{"first", "second"} {
		if err := journal.WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("read %q, %v", got, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files, want 1: nothing temporary stays", len(entries))
	}
	if err := journal.WriteFile(filepath.Join(dir, "none", "run.json"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
