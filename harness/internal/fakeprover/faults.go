package fakeprover

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Faults in a session, from request number `at` on.
//
//	badproof    the checksum of the proof is wrong
//	crash       the process exits with status 7 after writing to its log
//	signal      the process kills itself
//	hang        the process does not reply
//	garbage     the reply is not JSON
//	truncated   the reply is cut off
//	otherid     the reply has the id of another request
//	refused     ok is false
//	nometrics   prove_seconds is missing
//	null        a metric is null
//	negative    a metric is below 0
//	claims      metrics with the names of metrics that the harness measures
//	zero        prove_seconds is 0
//	stray       a second reply follows
//	replay      the proof is the first one again, whatever the seed
//	fallback    the counter fallbacks is increased by one
//	overstate   prove_seconds is an hour
//	size        proof_bytes is wrong
//	hash        proof_sha256 is cut short
//	otherhash   proof_sha256 is the hash of something else
//	noproof     the proof file is missing
//	flood       a line that never ends
//	orphan      a child holds the output open after the process has crashed
//	closed      the output is closed, the process keeps running
//	daemon      a child in a separate session outlives the process
//	copy        it looks for other provers' proofs and returns theirs of the same seed
//	stop        it stops the other revision's session for 20 ms whenever that proves
//	rewrite     it tries to write to bin/table in its folder, and logs the result
//
// Faults at start: late (no ready line), badschema, badready, earlycrash, fickle (other security_bits at each start,
// with at=0), restated (another statement from the second start on). At the end: badexit. In process mode: crash, hang,
// badproof, nometrics, daemon, replay (of first.proof in the working directory), overstate.

// hang is longer than any test's timeout.
const hang = time.Hour

func (m *model) faulty(name string) bool {
	return m.values["fault"] == name && m.proofs >= int(m.number("at"))
}

func (m *model) misbehaveAtStart(ready map[string]any, stdout, stderr io.Writer) (code int, stop bool) {
	switch m.values["fault"] {
	case "late":
		fmt.Fprintln(stderr, "compiling kernels for ever")
		time.Sleep(hang)
	case "badschema":
		ready["schema"] = "chiasmus.session/9"
	case "badready":
		fmt.Fprintln(stdout, "Welcome to the prover!")
	case "earlycrash":
		fmt.Fprintln(stderr, "no device found")
		return 9, true
	}
	return 0, false
}

func (m *model) misbehaveAlone(stderr io.Writer) (code int, stop bool) {
	switch m.values["fault"] {
	case "crash":
		fmt.Fprintln(stderr, "assertion failed: the trace is too short")
		return 7, true
	case "hang":
		time.Sleep(hang)
	case "daemon":
		if err := daemon(); err != nil {
			fmt.Fprintln(stderr, err)
			return 9, true
		}
	}
	return 0, false
}

// daemon starts a program that is linked to this process only by its environment.
func daemon() error {
	child := exec.Command("sleep", "3600")
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return child.Start()
}

func (m *model) misbehave(event map[string]any, proof string, stdout, stderr io.Writer) (code int, stop bool) {
	fault := m.values["fault"]
	if !m.faulty(fault) {
		return 0, false
	}
	metrics := event["metrics"].(map[string]any)
	switch fault {
	case "crash":
		fmt.Fprintln(stderr, "assertion failed: the trace is too short")
		return 7, true
	case "signal":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		time.Sleep(hang)
	case "hang":
		fmt.Fprintln(stderr, "waiting for a lock")
		time.Sleep(hang)
	case "garbage":
		fmt.Fprintln(stdout, "proof done in 0.4 s")
		return 0, false
	case "truncated":
		fmt.Fprint(stdout, `{"event":"proof","id":`)
		return 0, true
	case "otherid":
		event["id"] = 999
	case "refused":
		event["ok"], event["error"] = false, "out of device memory: 3 GiB wanted, 2 GiB free"
	case "nometrics":
		delete(metrics, "prove_seconds")
	case "null":
		metrics["peak_host_bytes"] = nil
	case "negative":
		metrics["peak_host_bytes"] = -1
	case "zero":
		metrics["prove_seconds"] = 0
	case "stray":
		fmt.Fprintln(stdout, `{"event":"proof","id":`+fmt.Sprint(event["id"])+`,"ok":true,"metrics":{"prove_seconds":0.1}}`)
	case "size":
		event["proof_bytes"] = 1
	case "hash":
		event["proof_sha256"] = "00"
	case "otherhash":
		event["proof_sha256"] = statement("something else")
	case "overstate":
		metrics["prove_seconds"] = 3600.0
	case "noproof":
		_ = os.Remove(proof)
	case "flood":
		line := make([]byte, 1<<16)
		for i := range line {
			line[i] = 'x'
		}
		for range 64 {
			_, _ = stdout.Write(line)
		}
		time.Sleep(hang)
	case "orphan":
		child := exec.Command("sleep", "3600")
		child.Stdout = stdout
		_ = child.Start()
		return 8, true
	case "daemon":
		_ = daemon()
	case "rewrite":
		fmt.Fprintln(stderr, "rewriting:", os.WriteFile("bin/table", []byte("poisoned"), 0o644))
	case "closed":
		_ = os.Stdout.Close()
		time.Sleep(hang)
	}
	return 0, false
}
