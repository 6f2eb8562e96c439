//go:build amd64 || arm64

package isolate

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// answer interprets the filter for one call.
func answer(t *testing.T, arch, number uint32, arguments ...uint64) uint32 {
	t.Helper()
	data := make([]byte, dataArguments+6*8)
	binary.LittleEndian.PutUint32(data[dataNumber:], number)
	binary.LittleEndian.PutUint32(data[dataArch:], arch)
	for i, a := range arguments {
		binary.LittleEndian.PutUint64(data[dataArguments+8*i:], a)
	}
	program := filterProgram()
	var accumulator uint32
	for at := 0; at < len(program)/8; at++ {
		one := program[8*at:]
		code, k := binary.LittleEndian.Uint16(one), binary.LittleEndian.Uint32(one[4:])
		holds := false
		switch code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			accumulator = binary.LittleEndian.Uint32(data[k:])
			continue
		case unix.BPF_RET | unix.BPF_K:
			return k
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			holds = accumulator == k
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			holds = accumulator >= k
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			holds = accumulator&k != 0
		default:
			t.Fatalf("instruction %d has the code %#x", at, code)
		}
		if holds {
			at += int(one[2])
		} else {
			at += int(one[3])
		}
	}
	t.Fatal("the filter ends without an answer")
	return 0
}

// The filter denies exactly the listed calls, by number, argument and architecture.
func TestFilter(t *testing.T) {
	special := []uintptr{unix.SYS_IOCTL, unix.SYS_CLONE, unix.SYS_UNSHARE, unix.SYS_CLONE3}
	for number := range uintptr(600) {
		want := uint32(allow)
		switch {
		case slices.Contains(special, number):
			continue
		case slices.Contains(denied, number) || slices.Contains(deniedHere, number):
			want = refuse
		}
		if got := answer(t, thisArch, uint32(number), ^uint64(0), ^uint64(0)); got != want {
			t.Errorf("call %d: %#x, want %#x", number, got, want)
		}
	}
	for _, c := range []struct {
		what      string
		arch      uint32
		number    uintptr
		arguments []uint64
		want      uint32
	}{
		{"another architecture", unix.AUDIT_ARCH_I386, unix.SYS_READ, nil, refuse},
		{"x32", thisArch, 0x40000000 | unix.SYS_READ, nil, refuse},
		{"an ioctl", thisArch, unix.SYS_IOCTL, []uint64{0, unix.TCGETS}, allow},
		{"TIOCSTI", thisArch, unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}, refuse},
		{"TIOCLINUX", thisArch, unix.SYS_IOCTL, []uint64{0, unix.TIOCLINUX}, refuse},
		{"TIOCSTI with bits above", thisArch, unix.SYS_IOCTL, []uint64{0, 1<<32 | unix.TIOCSTI}, refuse},
		{"a thread", thisArch, unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND}, allow},
		{"a process", thisArch, unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, allow},
		{"a user namespace by clone", thisArch, unix.SYS_CLONE, []uint64{unix.CLONE_NEWUSER}, refuse},
		{"a user namespace by clone, where -1 is the second", thisArch, unix.SYS_CLONE, []uint64{0, ^uint64(0)}, allow},
		{"files of its own", thisArch, unix.SYS_UNSHARE, []uint64{unix.CLONE_FILES}, allow},
		{"a user namespace", thisArch, unix.SYS_UNSHARE, []uint64{unix.CLONE_NEWUSER}, refuse},
		{"a time namespace", thisArch, unix.SYS_UNSHARE, []uint64{unix.CLONE_NEWTIME}, refuse},
		{"clone3", thisArch, unix.SYS_CLONE3, nil, unknown},
	} {
		if got := answer(t, c.arch, uint32(c.number), c.arguments...); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.what, got, c.want)
		}
	}
}

// call makes a system call with arguments that no kernel accepts. Its argument is "NUMBER", or "NUMBER ARGUMENT" with
// the first argument.
func call(text string) error {
	var number, argument uintptr
	if n, err := fmt.Sscan(text, &number, &argument); n == 0 {
		return err
	}
	none := ^uintptr(0)
	if argument == 0 {
		argument = none
	}
	if _, _, failed := syscall.RawSyscall6(number, argument, none, none, none, none, none); failed != 0 {
		return failed
	}
	return nil
}

// Inside, every denied call fails with EPERM, and no call creates a user namespace.
func TestNoCallInsideThatIsDenied(t *testing.T) {
	c := newCell(t)
	calls := [][]string{{"call", fmt.Sprint(unix.SYS_UNSHARE, " ", unix.CLONE_NEWUSER)},
		{"call", fmt.Sprint(unix.SYS_CLONE, " ", unix.CLONE_NEWUSER|int(unix.SIGCHLD))}}
	for _, number := range slices.Concat(denied, deniedHere) {
		calls = append(calls, []string{"call", strconv.Itoa(int(number))})
	}
	got := c.try(calls...)
	if len(got) != len(calls) {
		t.Fatalf("%d answers to %d calls", len(got), len(calls))
	}
	for i, line := range got {
		if !strings.HasSuffix(line, ": error: "+syscall.EPERM.Error()) {
			t.Errorf("%q: %s", calls[i], line)
		}
	}
	if got := c.try([]string{"call", strconv.Itoa(unix.SYS_CLONE3)}); !strings.Contains(got[0], syscall.ENOSYS.Error()) {
		t.Error(got)
	}
	// The same holds if bubblewrap alone forbids it.
	allowing := filepath.Join(c.root, "allowing")
	var everything filter
	everything.answer(allow)
	if err := os.WriteFile(allowing, everything.bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	c.spec.filter = allowing
	// A sysctl may disable userfaultfd and io_uring; the kernel's keys answer every user.
	if got := c.try([]string{"call", strconv.Itoa(unix.SYS_ADD_KEY)}); strings.Contains(got[0], syscall.EPERM.Error()) {
		t.Errorf("the test shows nothing: without the filter, %s", got[0])
	}
	argv := Wrap(c.spec, []string{"unshare", "--user", "true"})
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err == nil && c.spec.Program.NoNamespaces {
		t.Errorf("bubblewrap lets a user namespace be made: %s", out)
	}
}

// Descriptor 3 passed the filter to bubblewrap, and is closed inside.
func TestNoDescriptorInside(t *testing.T) {
	c := newCell(t)
	argv := Wrap(c.spec, []string{"ls", "-l", "/proc/self/fd"})
	out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), " 2 -> ") || strings.Contains(string(out), "isolate-filter") {
		t.Errorf("%v: %s", err, out)
	}
}

// Without a filter nothing starts.
func TestNoFilterNoStart(t *testing.T) {
	c := newCell(t)
	c.spec.filter = filepath.Join(c.root, "nothing")
	argv := Wrap(c.spec, []string{"true"})
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err == nil {
		t.Errorf("it ran: %s", out)
	}
}

// A C compiler works inside, and so do threads and processes of the program that it builds.
func TestCompilerOfCInside(t *testing.T) {
	c := newCell(t)
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	const source = `#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void *run(void *p) { *(int *)p = 1; return 0; }
int main(void) {
	int done = 0, status;
	pthread_t thread;
	if (pthread_create(&thread, 0, run, &done) || pthread_join(thread, 0)) return 1;
	if (fork() == 0) _exit(7);
	if (wait(&status) < 0 || WEXITSTATUS(status) != 7) return 2;
	return printf("built %d\n", done) < 0;
}
`
	if err := os.WriteFile(filepath.Join(c.own, "main.c"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	argv := Wrap(c.spec, []string{"sh", "-c", "cc -pthread -o bin-c main.c && ./bin-c"})
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil || string(out) != "built 1\n" {
		t.Errorf("%s, %v", out, err)
	}
}

// The checked program is the program that runs: it is started by its path, whatever PATH contains.
func TestTheProgramThatWasTried(t *testing.T) {
	c := newCell(t)
	c.spec.Program.Path = filepath.Join(t.TempDir(), "tried")
	if err := os.WriteFile(c.spec.Program.Path, []byte("#!/bin/sh\necho tried\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	argv := Wrap(c.spec, []string{"true"})
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil || string(out) != "tried\n" {
		t.Errorf("%s, %v", out, err)
	}
	if found, err := Find(t.Context()); err != nil || !filepath.IsAbs(found.Path) {
		t.Errorf("%+v, %v", found, err)
	}
}
