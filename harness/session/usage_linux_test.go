package session

import (
	"io"
	"math"
	"os/exec"
	"testing"
)

// The time of a process includes the children that it waited for, in user and kernel mode, like rusage.
func TestTimesOfProcAgreeWithRusage(t *testing.T) {
	cmd := exec.Command("sh", "-c", `
dd if=/dev/zero of=/dev/null bs=512 count=150000 2>/dev/null
i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done
echo done; read end`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	read := cpuTime(cmd.Process.Pid).Seconds()
	in.Close()
	_ = cmd.Wait() // the end of its input is status 1
	used := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if difference := math.Abs(read - used); used < 0.1 || difference > 0.03+0.05*used {
		t.Errorf("/proc has %g s, and rusage %g s", read, used)
	}
}
