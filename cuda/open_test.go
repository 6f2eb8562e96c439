package cuda

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ebitengine/purego"
)

// libraryEnvironment makes this test binary print what the C library's environment has after two calls of Open. It is a
// process of its own, because the first call of a process decides.
const libraryEnvironment = "CHIASMUS_TEST_PRINT_CONNECTIONS"

// The number of hardware queues is in the environment that a C library sees, and a later Open does not change it.
func TestConnectionsReachTheLibrary(t *testing.T) {
	if os.Getenv(libraryEnvironment) != "" {
		for _, number := range []int{2, 5} {
			if _, err := Open(Options{Library: "/nonexistent/libcuda.so", Connections: number}); err == nil {
				t.Fatal("a library that does not exist was opened")
			}
		}
		libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
		if err != nil {
			t.Fatal(err)
		}
		var getenv func(name string) string
		purego.RegisterLibFunc(&getenv, libc, "getenv")
		t.Logf("the library sees %q", getenv(connectionsVariable))
		return
	}
	child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), libraryEnvironment+"=1", connectionsVariable+"=")
	if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), `the library sees "2"`) {
		t.Errorf("%v:\n%s", err, out)
	}
}
