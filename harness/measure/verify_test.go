package measure_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// A verifier that changes its input has verified an unknown file, even if it accepts.
func TestVerifiersThatChangeTheProof(t *testing.T) {
	longtest.Only(t)
	for name, c := range map[string]struct {
		arm    schedule.Arm
		tamper string
	}{
		"base's, by a byte":     {schedule.Base, `echo >>"$2"`},
		"head's, by a byte":     {schedule.Head, `echo >>"$2"`},
		"the same size":         {schedule.Head, `printf x | dd of="$2" conv=notrunc 2>/dev/null`},
		"removed":               {schedule.Head, `rm "$2"`},
		"a link to another one": {schedule.Head, `cp "$2" copy; ln -sf "$PWD/copy" "$2"`},
		"4 TiB":                 {schedule.Base, `truncate -s 4T "$2"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, worldConfig)
			build, err := os.ReadFile(filepath.Join(w.dir, "build.sh"))
			if err != nil {
				t.Fatal(err)
			}
			plain := func() { w.write("build.sh", string(build)) }
			tampering := func() {
				w.write("tamper.sh", "while [ \"$1\" != --proof ]; do shift; done\n"+c.tamper+"\n")
				w.write("build.sh", string(build)+
					launcher(`if [ "$1" = verify ]; then fakeprover "$@"; s=$?; sh tamper.sh "$@"; exit $s; fi`))
			}
			if c.arm == schedule.Base {
				tampering()
			}
			w.commit("base", "seconds=0.1 noise=0.005")
			plain()
			if c.arm == schedule.Head {
				tampering()
			}
			w.commit("head", "seconds=0.1 noise=0.005")
			r := w.compare(w.options("base..head"), failure.ExitFailed)
			if f := r.Failure; f == nil || f.Step != failure.StepVerify || f.Arm != c.arm ||
				!strings.Contains(f.Cause, "after its verifier: ") {
				t.Errorf("failure %+v", f)
			}
		})
	}
}
