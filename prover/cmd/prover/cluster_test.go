package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clusterOfProcesses has a server, a worker and clients, each a process: a job is asked for, left, listed, taken up and
// proven, and the proof is that of one process.
func clusterOfProcesses(t *testing.T, prover func(*testing.T, ...string) *exec.Cmd) {
	guest, err := filepath.Abs("../../../guests/elf/hashes.elf")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	serve := prover(t, "serve", "--listen", "127.0.0.1:0", "--store", folder, "--lease", "2s")
	told := start(t, serve)
	url := strings.Fields(line(t, told))[1]
	credential := func(role string) string { return filepath.Join(folder, "credentials", role+".nk") }
	client := []string{"--cluster", url, "--credential", credential("client")}
	output := func(args ...string) string {
		t.Helper()
		text, err := prover(t, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("prover %q: %v\n%s", args, err, text)
		}
		return string(text)
	}

	proof := filepath.Join(t.TempDir(), "proof")
	asked := []string{"prove", "--elf", guest, "--shards", "2", "--params", "test", "--proof", proof}
	detached := prover(t, append(asked, client...)...)
	log := stderr(t, detached)
	if err := detached.Start(); err != nil {
		t.Fatal(err)
	}
	job := strings.TrimSuffix(strings.Fields(waitFor(t, log, "job "))[1], ":")
	interrupt(t, detached)
	until(t, log, "the job stays in the cluster")
	if code := exitCode(t, detached); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if listed := output(append([]string{"jobs"}, client...)...); !strings.Contains(listed, job+"  rv64im   running") {
		t.Errorf("the jobs are\n%s", listed)
	}

	worker := prover(t, "worker", "--nats", url, "--credential", credential("worker"), "--backend", "cpu",
		"--host", "here")
	ready := stderr(t, worker)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, ready, "seat worker/here/cpu0")
	said := output(append([]string{"prove", "--job", job, "--proof", proof}, client...)...)
	if !strings.Contains(said, "shard 1: proven by worker/here/cpu0") {
		t.Errorf("prove says\n%s", said)
	}
	alone := filepath.Join(t.TempDir(), "alone")
	output(append(asked[:len(asked)-1], alone, "--backend", "cpu")...)
	together, err := os.ReadFile(proof)
	if err != nil {
		t.Fatal(err)
	}
	if one, err := os.ReadFile(alone); err != nil || string(one) != string(together) {
		t.Errorf("the proof is another than that of one process (%v)", err)
	}

	stranger := prover(t, "jobs", "--cluster", url)
	text, _ := stranger.CombinedOutput() // the exit code is the result
	if code := exitCode(t, stranger); code != 1 || !strings.Contains(string(text), "it wants a credential") {
		t.Errorf("a stranger's exit code is %d: %s", code, text)
	}
	for _, cmd := range []*exec.Cmd{worker, serve} {
		interrupt(t, cmd)
		if code := exitCode(t, cmd); code != 130 {
			t.Errorf("exit code %d, want 130", code)
		}
	}
}

// waitFor is the first line that begins with words.
func waitFor(t *testing.T, r *bufio.Reader, words string) string {
	t.Helper()
	for {
		if text := line(t, r); strings.HasPrefix(text, words) {
			return text
		}
	}
}
