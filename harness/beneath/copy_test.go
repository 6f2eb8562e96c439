//go:build linux

package beneath_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/beneath"
)

const secret = "-----BEGIN OPENSSH PRIVATE KEY-----"

var limits = beneath.Limits{File: 1 << 20, Total: 4 << 20, Files: 100}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// try does what a hostile program does. Attempts that need other rights than this user's are left out and reported.
func try(t *testing.T, what string, err error) {
	t.Helper()
	if errors.Is(err, fs.ErrPermission) {
		t.Logf("%s: %v: not planted", what, err)
	} else if err != nil {
		t.Fatal(what, err)
	}
}

// plant fills a folder with files that must not leave the host, each under a name that the pattern allows.
func plant(t *testing.T, folder, host string) (names []string) {
	t.Helper()
	at := func(name string) string { names = append(names, name); return filepath.Join(folder, name) }
	key := filepath.Join(host, "id_ed25519")
	try(t, "link", os.Symlink(key, at("logs/link.log")))
	try(t, "relative link", os.Symlink("../../host/id_ed25519", at("logs/relative.log")))
	try(t, "link within", os.Symlink("good.log", at("logs/within.log")))
	try(t, "proc", os.Symlink("/proc/self/environ", at("logs/environ.log")))
	try(t, "proc root", os.Symlink("/proc/self/root"+key, at("logs/root.log")))
	try(t, "hard link", os.Link(key, at("logs/hard.log")))
	try(t, "second name", os.Link(filepath.Join(folder, "logs/twice"), at("logs/twice.log")))
	try(t, "pipe", unix.Mkfifo(at("logs/pipe.log"), 0o666))
	listener, err := net.Listen("unix", at("logs/socket.log"))
	try(t, "socket", err)
	t.Cleanup(func() { listener.Close() })
	try(t, "device", unix.Mknod(at("logs/device.log"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5)))) // /dev/zero never ends
	try(t, "folder", os.Mkdir(at("logs/folder.log"), 0o755))
	write(t, at("logs/sparse.log"), "")
	try(t, "sparse file", os.Truncate(filepath.Join(folder, "logs/sparse.log"), 1<<40))
	// Folders on the way: a whole folder of the host under the name of a workload.
	try(t, "linked folder", os.Symlink(host, filepath.Join(folder, "linked")))
	names = append(names, "linked/pairs.csv")
	try(t, "linked proc", os.Symlink("/proc/self/cwd", filepath.Join(folder, "process")))
	names = append(names, "process/pairs.csv")
	try(t, "folder linked within", os.Symlink("keccak", filepath.Join(folder, "within")))
	names = append(names, "within/pairs.csv")
	return names
}

func TestCopyNeverLeavesTheFolder(t *testing.T) {
	top := t.TempDir()
	folder, host, into := filepath.Join(top, "run"), filepath.Join(top, "host"), filepath.Join(top, "out", "run")
	write(t, filepath.Join(host, "id_ed25519"), secret)
	write(t, filepath.Join(host, "pairs.csv"), secret)
	good := map[string]string{"report.json": "{}", "logs/good.log": "fine", "keccak/pairs.csv": "a,b"}
	for name, text := range good {
		write(t, filepath.Join(folder, name), text)
	}
	write(t, filepath.Join(folder, "logs", "twice"), "not among the patterns")
	write(t, filepath.Join(folder, "proofs", "head", "x"), secret) // a name that is not allowed
	write(t, filepath.Join(folder, "logs", ".hidden.log"), secret)
	planted := plant(t, folder, host)

	copied, left, err := beneath.Copy(context.Background(), folder, into,
		[]string{"report.json", "report.md", "logs/*.log", "*/pairs.csv", "logs/good.log"}, limits)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(copied)
	if want := []string{"keccak/pairs.csv", "logs/good.log", "report.json"}; !slices.Equal(copied, want) {
		t.Errorf("copied %q, want %q", copied, want)
	}
	for _, name := range planted {
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			continue // this user could not plant it
		}
		if !slices.ContainsFunc(left,
			func(one beneath.Refused) bool { return one.Name == name || strings.HasPrefix(name, one.Name+"/") }) {
			t.Errorf("no report of %s, which was left out", name)
		}
	}
	err = filepath.WalkDir(into, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(into, path)
		text, err := os.ReadFile(path)
		if !entry.Type().IsRegular() || string(text) != good[name] {
			t.Errorf("%s left the host: %s %q", name, entry.Type(), text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCopyLimits(t *testing.T) {
	top := t.TempDir()
	from := filepath.Join(top, "from")
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, filepath.Join(from, name), strings.Repeat(name, 10))
	}
	for what, one := range map[string]struct {
		limits beneath.Limits
		copied int
		left   string
	}{
		"one file too large": {beneath.Limits{File: 9, Total: 100, Files: 10}, 0, "it has 10 bytes: at most 9 are allowed"},
		"together too large": {beneath.Limits{File: 10, Total: 25, Files: 10}, 2, "would exceed 25 bytes"},
		"too many files":     {beneath.Limits{File: 10, Total: 100, Files: 4}, 4, ""},
		"too many names":     {beneath.Limits{File: 10, Total: 100, Files: 3}, 0, "more than 3 names"},
	} {
		copied, left, err := beneath.Copy(context.Background(), from, filepath.Join(top, what), []string{"*"}, one.limits)
		if err != nil || len(copied) != one.copied || (one.left == "") != (len(left) == 0) ||
			one.left != "" && !strings.Contains(left[0].Error(), one.left) {
			t.Errorf("%s: copied %q, left out %v, %v", what, copied, left, err)
		}
	}
	if _, _, err := beneath.Copy(context.Background(), from, filepath.Join(top, "one file too large"), []string{"*"},
		limits); !errors.Is(err, fs.ErrExist) {
		t.Errorf("copied into a folder that was there: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := beneath.Copy(cancelled, from, filepath.Join(top, "cancelled"), []string{"*"}, limits); !errors.Is(err,
		context.Canceled) {
		t.Errorf("went on after its context ended: %v", err)
	}
}
