package group

import (
	"os/exec"
	"testing"
	"time"
)

// A process that is found and ends before it is examined was not left behind. One that lives on is named.
func TestLeftBehind(t *testing.T) {
	cmd := exec.Command("sleep", "3600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	program, left := leftBehind(pid)
	for program != "sleep" && left && t.Context().Err() == nil { // Start returns before the kernel has renamed the process
		time.Sleep(time.Millisecond)
		program, left = leftBehind(pid)
	}
	if !left {
		t.Errorf("a process that lives on, %q, is not left behind", program)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	if program, left := leftBehind(pid); left {
		t.Errorf("a process that has ended is left behind as %q", program)
	}
}
