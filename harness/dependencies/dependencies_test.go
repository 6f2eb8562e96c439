//go:build linux

package dependencies

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// checkout makes files with the modes that git gives them.
func checkout(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	write(t, folder+"/.git", "gitdir: elsewhere")
	write(t, folder+"/Cargo.lock", "old")
	write(t, folder+"/src/main.rs", "fn main() {}")
	do(t, os.Symlink("src/main.rs", folder+"/main"))
	return folder
}

func TestWhatWasFetchedTravels(t *testing.T) {
	from, homeFrom := checkout(t), t.TempDir()
	before, err := Take(from)
	do(t, err)
	write(t, homeFrom+"/.cargo/registry/cache/a.crate", "crate")
	write(t, homeFrom+"/go/pkg/mod/m@v1/go.mod", "module m")
	do(t, os.Chmod(homeFrom+"/go/pkg/mod/m@v1", 0o555)) // Go protects its cache
	t.Cleanup(func() { os.Chmod(homeFrom+"/go/pkg/mod/m@v1", 0o755) })
	do(t, os.Mkdir(homeFrom+"/empty", 0o755))
	write(t, from+"/node_modules/tool/cli.js", "#!/usr/bin/env node")
	do(t, os.Chmod(from+"/node_modules/tool/cli.js", 0o755))
	do(t, os.MkdirAll(from+"/node_modules/.bin", 0o755))
	do(t, os.Symlink("../tool/cli.js", from+"/node_modules/.bin/tool"))
	do(t, os.Link(from+"/node_modules/tool/cli.js", from+"/node_modules/tool/same.js"))
	write(t, from+"/Cargo.lock", "new") // the same number of bytes
	write(t, from+"/.git", "gitdir: /evil")
	do(t, os.Remove(from+"/main"))
	write(t, from+"/main", "a file where a link was")

	archive := filepath.Join(t.TempDir(), "a.tar")
	packed, err := Pack(context.Background(), homeFrom, from, before, archive, DefaultLimits)
	do(t, err)
	second, err := Pack(context.Background(), homeFrom, from, before, archive+"2", DefaultLimits)
	if err != nil || second.Digest != packed.Digest || len(packed.Left) > 0 {
		t.Errorf("packed again: %+v and %+v, %v", packed, second, err)
	}
	to, homeTo := checkout(t), t.TempDir()
	do(t, Unpack(context.Background(), archive, packed.Digest, homeTo, to, DefaultLimits))
	for path, want := range map[string]string{
		homeTo + "/.cargo/registry/cache/a.crate": "crate",
		homeTo + "/go/pkg/mod/m@v1/go.mod":        "module m",
		to + "/node_modules/.bin/tool":            "#!/usr/bin/env node",
		to + "/node_modules/tool/same.js":         "#!/usr/bin/env node",
		to + "/Cargo.lock":                        "new",
		to + "/main":                              "a file where a link was",
		to + "/src/main.rs":                       "fn main() {}",
		to + "/.git":                              "gitdir: elsewhere",
	} {
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("%s: %q %v, want %q", path, got, err, want)
		}
	}
	if info, err := os.Stat(to + "/node_modules/tool/cli.js"); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v %v", info, err)
	}
	if info, err := os.Stat(homeTo + "/empty"); err != nil || !info.IsDir() {
		t.Errorf("%v %v", info, err)
	}
	if err := Unpack(context.Background(), archive, strings.Repeat("0", 64), t.TempDir(), checkout(t),
		DefaultLimits); err == nil || !strings.Contains(err.Error(), "the plan wants") {
		t.Errorf("another digest: %v", err)
	}
}

// Entries that are not regular files, or that point out of the folder, are not packed.
func TestPackLeavesOut(t *testing.T) {
	from, homeFrom := checkout(t), t.TempDir()
	before, err := Take(from)
	do(t, err)
	left := map[string]string{
		"worktree/key":    "/root/.ssh/id_ed25519",
		"worktree/up":     "../outside",
		"home/deep/up":    "../../outside",
		"home/winding":    "deep/../../outside",
		"home/proc":       "/proc/self/environ",
		"worktree/a/b/up": "../../../x",
	}
	for name, target := range left {
		place, below, _ := strings.Cut(name, "/")
		path := filepath.Join(map[string]string{"home": homeFrom, "worktree": from}[place], below)
		do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		do(t, os.Symlink(target, path))
	}
	do(t, unix.Mkfifo(homeFrom+"/pipe", 0o644))
	listener, err := net.Listen("unix", homeFrom+"/socket")
	do(t, err)
	defer listener.Close()
	left["home/pipe"], left["home/socket"] = "", ""
	write(t, homeFrom+"/good", "good")
	archive := filepath.Join(t.TempDir(), "a.tar")
	packed, err := Pack(context.Background(), homeFrom, from, before, archive, DefaultLimits)
	do(t, err)
	for name := range left {
		if !slices.ContainsFunc(packed.Left, func(one LeftOut) bool { return one.Name == name }) {
			t.Errorf("%s is not said to be left out: %v", name, packed.Left)
		}
	}
	to, homeTo := checkout(t), t.TempDir()
	do(t, Unpack(context.Background(), archive, packed.Digest, homeTo, to, DefaultLimits))
	if _, err := os.Stat(homeTo + "/good"); err != nil {
		t.Error(err)
	}
	for _, limits := range []Limits{{Bytes: 3, Files: 100}, {Bytes: 100, Files: 1}} {
		path := filepath.Join(t.TempDir(), "limited.tar")
		if _, err := Pack(context.Background(), homeFrom, from, before, path, limits); err == nil ||
			!strings.Contains(err.Error(), "more than") {
			t.Errorf("%+v: %v", limits, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("an archive that is too large stays")
		}
	}
	huge := t.TempDir()
	write(t, huge+"/sparse", "")
	do(t, os.Truncate(huge+"/sparse", 1<<40))
	if _, err := Pack(context.Background(), huge, from, before, filepath.Join(t.TempDir(), "b.tar"),
		DefaultLimits); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a sparse file of a terabyte: %v", err)
	}
}

// An archive that Pack would not write is refused, and extracts nothing outside its folder.
func TestUnpackRefuses(t *testing.T) {
	file := func(name string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: 4}
	}
	link := func(name, target string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: target}
	}
	for name, entries := range map[string][]tar.Header{
		"a name that climbs":        {file("home/../evil")},
		"a name that climbs deeper": {file("worktree/a/../../evil")},
		"an absolute name":          {file("/evil")},
		"neither place":             {file("evil")},
		"the place itself":          {file("home")},
		"another place":             {file("etc/passwd")},
		"git's own":                 {file("worktree/.git")},
		"below git's own":           {file("worktree/.git/config")},
		"an absolute link":          {link("home/x", "/etc")},
		"a link that climbs":        {link("home/x", "../evil")},
		"a link that climbs late":   {link("home/x", "a/../../evil")},
		"a file through a link":     {link("home/x", "y"), file("home/x/evil")},
		"a link below a link": {{Name: "home/a/", Typeflag: tar.TypeDir}, link("home/a/up", ".."),
			link("home/a/up/x", "../../evil")},
		"a folder through a link":   {link("home/x", "y"), {Name: "home/x/d/", Typeflag: tar.TypeDir}},
		"a file through git's link": {file("worktree/outside/evil")},
		"a hard link":               {{Name: "home/x", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}},
		"a pipe":                    {{Name: "home/x", Typeflag: tar.TypeFifo}},
		"a device":                  {{Name: "home/x", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}},
		"more bytes than the limit": {file("home/a"), file("home/b"), file("home/c")},
		"more files than the limit": {link("home/a", "x"), link("home/b", "x"), link("home/c", "x"), link("home/d", "x"),
			link("home/e", "x")},
		"a link with a null in its way": {link("home/x", "a\x00b")},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			to, homeTo := top+"/worktree", top+"/home"
			write(t, to+"/.git", "gitdir: elsewhere")
			do(t, os.Mkdir(homeTo, 0o755))
			do(t, os.Symlink("..", to+"/outside"))
			var buffer bytes.Buffer
			writer := tar.NewWriter(&buffer)
			for _, entry := range entries {
				if err := writer.WriteHeader(&entry); err != nil {
					return // the format itself forbids it
				}
				if entry.Size > 0 {
					writer.Write([]byte("evil"))
				}
			}
			do(t, writer.Close())
			archive := top + "/a.tar"
			do(t, os.WriteFile(archive, buffer.Bytes(), 0o644))
			sum := sha256.Sum256(buffer.Bytes())
			if err := Unpack(context.Background(), archive, hex.EncodeToString(sum[:]), homeTo, to,
				Limits{Bytes: 10, Files: 4}); err == nil {
				t.Error("unpacked")
			}
			if names, _ := filepath.Glob(top + "/*"); len(names) != 3 {
				t.Errorf("beside the places lies %q", names)
			}
			if text, _ := os.ReadFile(to + "/.git"); string(text) != "gitdir: elsewhere" {
				t.Errorf("git's own file is %q", text)
			}
		})
	}
}
