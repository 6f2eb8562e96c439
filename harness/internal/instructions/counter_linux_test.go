package instructions

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// clock is an event that every kernel on any machine can count: the time on a processor, in nanoseconds.
var clock = event{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK}

// counted starts a shell that runs the given script, and counts its instructions.
func counted(t *testing.T, e event, script string) (*Counter, *exec.Cmd, io.WriteCloser, io.Reader) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.start(cmd.Start)
	if err != nil {
		t.Fatal(err)
	}
	if c.file == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		c.End()
		t.Skip("this kernel allows no counters, not even of time")
	}
	return c, cmd, in, out
}

const work = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"

// The counted time is what the kernel accounts to the child and its descendants. Another child that is started
// meanwhile does not count.
func TestCountsTheChildAndItsOwn(t *testing.T) {
	c, cmd, in, out := counted(t, clock, "read go; ("+work+"); "+work+"; echo done; read end")
	idle := c.Read()
	other := exec.Command("sh", "-c", work)
	if err := other.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "go\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	during := c.Read()
	in.Close()
	_ = cmd.Wait() // the script's "read end" fails at the end of its input
	c.End()
	used := float64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())
	all := c.Read().Since(Reading{})
	if all < used/2 || all > used*2 {
		t.Errorf("%.0f ns are counted, the child and its child took %.0f", all, used)
	}
	waited, busy := idle.Since(Reading{}), during.Since(idle)
	if busy < 0.7*all || waited+busy > all {
		t.Errorf("%.0f ns before the work, %.0f during it, %.0f in all", waited, busy, all)
	}
	c.End()
	if again := c.Read(); again.Since(Reading{}) != all {
		t.Errorf("%.0f ns after the end, %.0f at the end", again.Since(Reading{}), all)
	}
}

// Instructions are proportional to the work: three times the work has three times as many.
func TestCountsInstructions(t *testing.T) {
	if why := Unavailable(); why != "" {
		t.Skip(why)
	}
	count := func(script string) float64 {
		cmd := exec.Command("sh", "-c", script)
		c, err := Start(cmd.Start)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		c.End()
		return c.Read().Since(Reading{})
	}
	nothing := count("true")
	once, thrice := count(work)-nothing, count(work+";"+work+";"+work)-nothing
	if once < 1e6 || thrice < 2.9*once || thrice > 3.1*once {
		t.Errorf("%.0f instructions for a work, %.0f for three", once, thrice)
	}
}

// A counter that was multiplexed with others gives no count.
func TestSharedCountersAreNoCount(t *testing.T) {
	before := Reading{100, 10, 10}
	for name, test := range map[string]struct {
		after Reading
		want  float64
	}{
		"counted all the time": {Reading{150, 30, 30}, 50},
		"shared":               {Reading{150, 30, 29}, 0},
		"nothing":              {Reading{100, 10, 10}, 0},
		"not read":             {Reading{}, 0},
	} {
		if got := test.after.Since(before); got != test.want {
			t.Errorf("%s: %g, want %g", name, got, test.want)
		}
	}
}

// A child that cannot be started is an error, and leaves no thread that waits for its end.
func TestNothingToCount(t *testing.T) {
	c, err := clock.start(exec.Command("/nonexistent/program").Start)
	if err == nil || c.file != nil {
		t.Errorf("%v, %+v", err, c)
	}
	<-c.done
	var none *Counter
	none.End()
	if got := none.Read(); got != (Reading{}) {
		t.Errorf("%+v", got)
	}
}

// If instructions cannot be counted, the error says why and what would change that.
func TestWhyNot(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{unix.ENOENT, "no instruction counter"}, {unix.EOPNOTSUPP, "no instruction counter"},
		{unix.ENOSYS, "without perf events"},
		{unix.EACCES, "perf_event_paranoid is 4, must be at most 2"}, {unix.EPERM, "seccomp profile"},
		{unix.EMFILE, "too many open files"},
	} {
		if got := whyNot(test.err, "4"); !strings.Contains(got, test.want) {
			t.Errorf("%v: %q", test.err, got)
		}
	}
	if got := whyNot(nil, "4"); got != "" {
		t.Errorf("no error: %q", got)
	}
}
