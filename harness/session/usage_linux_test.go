package session

import (
	"io"
	"math"
	"os/exec"
	"testing"
)

// consume takes 0.2 s of CPU time in children and as much in the shell, on any processor: it reads from /proc/PID/stat
// how many ticks of 10 ms the kernel has counted (proc_pid_stat(5)).
const consume = `count() { read -r stat <"/proc/$$/stat"; set -- ${stat##*) }; own=$((${12} + ${13})); children=${15}; }
count
while [ "$children" -lt 20 ]; do dd if=/dev/zero of=/dev/null bs=512 count=20000 2>/dev/null; count; done
while [ "$own" -lt 20 ]; do count; done
`

// The time of a process includes the children that it waited for, in user and kernel mode, like rusage.
func TestTimesOfProcAgreeWithRusage(t *testing.T) {
	cmd := exec.Command("sh", "-c", consume+"echo done; read end")
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
	if difference := math.Abs(read - used); used < 0.3 || difference > 0.03+0.05*used {
		t.Errorf("/proc has %g s, and rusage %g s", read, used)
	}
}
