package build

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// leaves is a build that writes more than its artifact: a table that its prover reads, a link and a folder.
const leaves = simple + "\nmkdir -p tables && echo 3 >tables/small && ln -s small tables/link && echo 1 >tune\n"

// Everything that a build wrote belongs to it. If any of it changed between two runs, the build is repeated, and the
// reason names the file.
func TestAChangedWorktreeIsBuiltAgain(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(leaves)
	for what, c := range map[string]struct {
		change func(worktree string) error
		want   string
	}{
		"content": {func(w string) error {
			return os.WriteFile(filepath.Join(w, "tables", "small"), []byte("9\n"), 0o600)
		}, "changed or removed are tables/small"},
		"mode":    {func(w string) error { return os.Chmod(filepath.Join(w, "tune"), 0o755) }, "changed or removed are tune"},
		"removed": {func(w string) error { return os.Remove(filepath.Join(w, "tune")) }, "changed or removed are tune"},
		"link": {func(w string) error {
			link := filepath.Join(w, "tables", "link")
			return errors.Join(os.Remove(link), os.Symlink("../tune", link))
		}, "changed or removed are tables/link"},
		"added": {func(w string) error { return os.WriteFile(filepath.Join(w, "tables", "cache"), nil, 0o600) },
			"files that the build did not leave: tables/cache"},
		"the listing too": {func(w string) error {
			return errors.Join(os.WriteFile(filepath.Join(w, "tune"), []byte("9\n"), 0o600),
				os.WriteFile(entry{filepath.Dir(w)}.listing(), []byte(`"." drwxr-xr-x`), 0o600))
		}, "its listing is missing or was changed"},
	} {
		t.Run(what, func(t *testing.T) {
			r := f.build(f.request(rev))
			if err := r.Check(t.Context()); err != nil {
				t.Fatalf("of a new build: %v", err)
			}
			if err := c.change(r.Worktree); err != nil {
				t.Fatal(err)
			}
			var added *AddedError
			if err := r.Check(t.Context()); err == nil || errors.As(err, &added) != (what == "added") ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("Check: %v, want %q", err, c.want)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			req := f.request(rev)
			req.Log = &log
			again := f.build(req)
			if again.Cached || (again.Replaced == "") != (what == "added") || !strings.Contains(log.String(), c.want) {
				t.Errorf("cached %v, replaced %q, log %q", again.Cached, again.Replaced, log.String())
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
			if third := f.build(f.request(rev)); !third.Cached {
				t.Error("built a third time")
			} else if err := third.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
