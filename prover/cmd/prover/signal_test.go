package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals runs the real binary: signals need a process.
func TestSignals(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "prover")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	prover := func(t *testing.T, args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir = t.TempDir()
		return cmd
	}
	t.Run("an idle session ends", func(t *testing.T) {
		idleSession(t, prover(t, "session", "--machine", "fib", "--size", "64", "--params", "test"))
	})
	t.Run("a busy session answers first", func(t *testing.T) {
		busySession(t, prover(t, "session", "--machine", "fib", "--size", "32768"))
	})
	t.Run("an interrupted build", func(t *testing.T) { interruptedBuild(t, prover(t, "build")) })
	t.Run("a cluster of processes", func(t *testing.T) { clusterOfProcesses(t, prover) })
	t.Run("a foreign server", func(t *testing.T) { foreignServer(t, prover) })
	t.Run("an interrupted proof leaves no file", func(t *testing.T) {
		interrupted(t, prover(t, "prove", "--machine", "fib", "--size", "262144", "--proof", "p"),
			"auto chose", "interrupted")
	})
	t.Run("an interrupted planning run says where it was", func(t *testing.T) {
		guest, err := filepath.Abs("../../../guests/elf/fib.elf")
		if err != nil {
			t.Fatal(err)
		}
		iterations := filepath.Join(t.TempDir(), "iterations") // more than any run has
		if err := os.WriteFile(iterations, []byte("\x00\x00\x00\x00\x00\x01\x00\x00"), 0o644); err != nil {
			t.Fatal(err)
		}
		interrupted(t, prover(t, "prove", "--elf", guest, "--input", iterations, "--proof", "p"), "to plan its proof",
			"the program was at 0x")
	})
}

// interruptedBuild interrupts a build whose compiler never ends.
func interruptedBuild(t *testing.T, build *exec.Cmd) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"main.c":                  "int main(void) { return 0; }\n",
		"riscv64-unknown-elf-gcc": "#!/bin/sh\necho compiling >&2\nexec sleep 20\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build.Args = append(build.Args, folder)
	build.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "PATH="+folder+":"+os.Getenv("PATH"))
	interrupted(t, build, "compiling", "prover build: interrupted")
}

// exitCode waits for the process, and kills it if it does not end.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait() // the exit code is the result
	return cmd.ProcessState.ExitCode()
}

func idleSession(t *testing.T, cmd *exec.Cmd) {
	stdin, err := cmd.StdinPipe() // held open: the end of stdin would end it too
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	replies := start(t, cmd)
	if ready := line(t, replies); !strings.Contains(ready, `"event":"ready"`) {
		t.Fatalf("first line %q, want the ready event", ready)
	}
	interrupt(t, cmd)
	if code := exitCode(t, cmd); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

func busySession(t *testing.T, cmd *exec.Cmd) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	log := stderr(t, cmd)
	replies := start(t, cmd)
	line(t, replies)
	if _, err := io.WriteString(stdin, `{"op":"prove","id":1,"seed":5,"proof":"p"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	until(t, log, "request 1") // into the proof, which takes much longer
	interrupt(t, cmd)
	if reply := line(t, replies); !strings.HasPrefix(reply, `{"event":"proof","id":1,"ok":true`) {
		t.Errorf("reply %q, want the proof", reply)
	}
	if code := exitCode(t, cmd); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

// interrupted interrupts a proof once it prints when, from which point it handles signals, and checks its last words.
func interrupted(t *testing.T, cmd *exec.Cmd, when, says string) {
	log := stderr(t, cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, log, when)
	interrupt(t, cmd)
	until(t, log, says)
	if code := exitCode(t, cmd); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	entries, err := os.ReadDir(cmd.Dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v (%v), want nothing", entries, err)
	}
}

func start(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return bufio.NewReader(stdout)
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	text, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("stdout: %v after %q", err, text)
	}
	return text
}

func stderr(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(pipe)
}

// until reads lines up to one that contains the words.
func until(t *testing.T, r *bufio.Reader, words string) {
	t.Helper()
	for !strings.Contains(line(t, r), words) {
	}
}

func interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
