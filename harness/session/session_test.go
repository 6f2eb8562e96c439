package session_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/fakeprover"
	"github.com/chiasmus/chiasmus/harness/internal/logfile"
	"github.com/chiasmus/chiasmus/harness/session"
)

func TestMain(m *testing.M) {
	session.SetReap(2 * time.Second)
	os.Exit(fakeprover.InPath(m).Run())
}

// command starts the fake prover with a model.
func command(t *testing.T, model string, args ...string) session.Command {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model"), []byte(model), 0o644); err != nil {
		t.Fatal(err)
	}
	return session.Command{
		Argv: append([]string{fakeprover.Program, args[0], "--model", "model"}, args[1:]...), Dir: dir, Env: os.Environ(),
		Log: filepath.Join(dir, "log"), Timeout: time.Minute, Linger: time.Minute,
	}
}

func request(t *testing.T, id int64) session.Request {
	return session.Request{ID: id, Seed: uint64(id) * 7, Proof: filepath.Join(t.TempDir(), "proof.bin")}
}

func TestSession(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "seconds=0.02 noise=0", "session"))
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Ready(); r.SecurityBits != 128 || len(r.Statement) != 64 || r.Backend != "fake" || r.SetupSeconds != 0.001 {
		t.Errorf("ready: %+v", r)
	}
	pids := s.PIDs()
	if len(pids) != 1 {
		t.Errorf("pids %v, want one", pids)
	}
	for id := int64(1); id <= 3; id++ {
		r := request(t, id)
		begun := time.Now()
		p, err := s.Prove(t.Context(), r)
		took := time.Since(begun).Seconds()
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(r.Proof)
		if err != nil || int64(len(content)) != p.Bytes {
			t.Errorf("proof has %d bytes, reported %d: %v", len(content), p.Bytes, err)
		}
		if p.Metrics["prove_seconds"] != 0.02 || p.Counters["fallbacks"] != 0 || p.WallTimed {
			t.Errorf("proof: %+v", p)
		}
		if p.WallSeconds < 0.02 || p.WallSeconds > took {
			t.Errorf("wall %g s for a proof that sleeps 20 ms, in a call of %g s", p.WallSeconds, took)
		}
		if p.Usage.MaxRSSBytes < 1<<20 {
			t.Errorf("resident memory %g bytes: a Go program has more than a megabyte", p.Usage.MaxRSSBytes)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(pids[0], 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the session lives on after Close: %v", err)
	}
	if _, err := s.Prove(t.Context(), request(t, 4)); err == nil {
		t.Error("a closed session proves")
	}
}

// A session that announces hash_optional is asked to omit the hash. Other sessions get no key that they may not know:
// the fake prover rejects any other. In both cases the proof's hash is the file's.
func TestOptionalHash(t *testing.T) {
	for _, model := range []string{"hashoptional=0", "hashoptional=1"} {
		s, err := session.Open(t.Context(), command(t, model, "session"))
		if err != nil {
			t.Fatal(err)
		}
		r := request(t, 1)
		p, err := s.Prove(t.Context(), r)
		if err != nil {
			t.Fatalf("%s: %v", model, err)
		}
		content, err := os.ReadFile(r.Proof)
		if sum := sha256.Sum256(content); err != nil || p.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the proof's hash is %s, want %x (%v)", model, p.SHA256, sum, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Every way to misbehave is an Error that names it, and kills the session.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ fault, cause, tail string }{
		{"crash", "exited with status 7", "assertion failed: the trace is too short"},
		{"signal", "killed by signal 9", "fakeprover: starting"},
		{"hang", "did not answer within 400ms", "fakeprover: starting"},
		{"garbage", `"proof done in 0.4 s" is not a JSON object`, ""},
		{"truncated", "has no newline at its end", ""},
		{"otherid", "answers request 999, not 2", ""},
		{"refused", "out of device memory: 3 GiB wanted", ""},
		{"nometrics", "no metrics.prove_seconds", ""},
		{"null", "metrics.peak_host_bytes is null", ""},
		{"negative", "metrics.peak_host_bytes is -1", ""},
		{"zero", "metrics.prove_seconds is 0", ""},
		{"size", "proof_bytes 1, the proof has", ""},
		{"hash", "proof_sha256 00, the proof has", ""},
		{"otherhash", "the proof has", ""},
		{"noproof", "wrote no proof", ""},
		{"flood", "a line of more than 1048576 bytes", ""},
		{"orphan", "exited with status 8", ""},
		{"closed", "closed its output but kept running", ""},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, "at=2 fault="+c.fault, "session")
			s, err := session.Open(t.Context(), cmd)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			pid := s.PIDs()[0]
			if _, err := s.Prove(t.Context(), request(t, 1)); err != nil {
				t.Fatalf("the proof before the fault: %v", err)
			}
			if c.fault == "hang" {
				s.SetTimeout(400 * time.Millisecond)
			}
			_, err = s.Prove(t.Context(), request(t, 2))
			var failure *session.Error
			if !errors.As(err, &failure) {
				t.Fatalf("error %v, want a session.Error", err)
			}
			if !strings.Contains(failure.Cause, c.cause) {
				t.Errorf("cause %q, want %q in it", failure.Cause, c.cause)
			}
			if !strings.Contains(failure.Tail, c.tail) || failure.Log != cmd.Log {
				t.Errorf("tail %q of %s, want %q in it", failure.Tail, failure.Log, c.tail)
			}
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("the session lives on after the fault: %v", err)
			}
			if _, err := s.Prove(t.Context(), request(t, 3)); err == nil {
				t.Error("a failed session proves")
			}
		})
	}
}

// A prover that writes to its log forever does not fill the disk: the head and the tail are kept, and the report says
// so.
func TestLogsAreLimited(t *testing.T) {
	c := command(t, "", "session")
	// More than three times what is kept.
	c.Argv = []string{"sh", "-c",
		`echo first >&2; head -c 40000000 /dev/zero | tr '\0' x >&2; echo >&2; echo last >&2; exit 3`}
	_, err := session.Open(t.Context(), c)
	var failure *session.Error
	if !errors.As(err, &failure) || !strings.HasSuffix(failure.Tail, "\nlast") {
		t.Fatalf("error %+v", err)
	}
	text, err := os.ReadFile(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(text)) > 3*logfile.Default.Head+100 || !strings.HasPrefix(string(text), "first\n") ||
		!strings.HasSuffix(string(text), "x\nlast\n") ||
		!strings.Contains(string(text), "bytes of this log are left out here") {
		t.Errorf("the log has %d bytes, %.40q to %.40q", len(text), text, text[max(0, len(text)-40):])
	}
}

func TestUnaskedReply(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "fault=stray", "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Prove(t.Context(), request(t, 1)); err != nil {
		t.Fatal(err)
	}
	// The second reply to the first request may arrive before or after the second request. Either way it is an error.
	_, err = s.Prove(t.Context(), request(t, 2))
	if err == nil || !strings.Contains(err.Error(), "when nothing was asked") &&
		!strings.Contains(err.Error(), "answers request 1, not 2") {
		t.Errorf("a stray reply gives %v", err)
	}
}

func TestStartFaults(t *testing.T) {
	for _, c := range []struct{ fault, cause, tail string }{
		{"badschema", `schema "chiasmus.session/9": this harness speaks chiasmus.session/1`, ""},
		{"badready", "is not a JSON object", ""},
		{"earlycrash", "exited with status 9", "no device found"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, "fault="+c.fault, "session")
			_, err := session.Open(t.Context(), cmd)
			var failure *session.Error
			if !errors.As(err, &failure) || !strings.Contains(failure.Cause, c.cause) ||
				!strings.Contains(failure.Tail, c.tail) {
				t.Errorf("error %+v, want cause %q and tail %q", err, c.cause, c.tail)
			}
		})
	}
	cmd := command(t, "", "session")
	cmd.Argv[0] = "/nonexistent/prover"
	if _, err := session.Open(t.Context(), cmd); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("a program that is not there: %v", err)
	}
}

// A program that never becomes ready is killed, and the error has the last lines of its log. On a busy host the program
// gets more time to write them.
func TestLateStart(t *testing.T) {
	t.Parallel()
	for timeout := 400 * time.Millisecond; ; timeout *= 5 {
		cmd := command(t, "fault=late", "session")
		cmd.Timeout = timeout
		_, err := session.Open(t.Context(), cmd)
		var failure *session.Error
		if want := fmt.Sprintf("did not become ready within %v", timeout); !errors.As(err, &failure) ||
			!strings.Contains(failure.Cause, want) {
			t.Fatalf("error %+v, want %q", err, want)
		}
		if strings.Contains(failure.Tail, "compiling kernels for ever") {
			return
		}
		if timeout >= 10*time.Second {
			t.Fatalf("tail %q", failure.Tail)
		}
	}
}

// A kill must reach the grandchildren.
func TestKillsTheWholeGroup(t *testing.T) {
	cmd := command(t, "fault=orphan", "session")
	s, err := session.Open(t.Context(), cmd)
	if err != nil {
		t.Fatal(err)
	}
	pid := s.PIDs()[0]
	if _, err := s.Prove(t.Context(), request(t, 1)); err == nil {
		t.Fatal("the fault did not show")
	}
	// kill(-pgid, 0) finds a member of the group; it takes a moment until init has reaped it.
	until(t, "no grandchild outlives its session", func() bool {
		if errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) {
			return true
		}
		out, _ := exec.Command("ps", "-o", "stat=", "-g", fmt.Sprint(pid)).Output()
		return strings.TrimSpace(string(out)) == "Z" // dead, and this container's init does not reap
	})
}

func TestCancel(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "fault=hang", "session"))
	if err != nil {
		t.Fatal(err)
	}
	pid := s.PIDs()[0]
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = s.Prove(ctx, request(t, 1))
	var failure *session.Error
	if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &failure) {
		t.Errorf("cancelled: %v", err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the session lives on: %v", err)
	}
}

// An infinite proof is detected by its size, and Ctrl-C ends the reading of one.
func TestProofsOfAnySize(t *testing.T) {
	c := command(t, "", "prove")
	p := session.NewProcess(c, func(r session.Request) ([]string, error) {
		return append([]string{"sh", "-c", `"$@"; truncate -s 4T ` + r.Proof, "sh"}, append(c.Argv, "--proof", r.Proof)...),
			nil
	})
	_, err := p.Prove(t.Context(), request(t, 1))
	var failure *session.Error
	if !errors.As(err, &failure) ||
		!strings.Contains(failure.Cause, "has 4398046511104 bytes or more, and 1073741824 are allowed (max_proof") {
		t.Errorf("a proof of 4 TiB: %v", err)
	}
	path := filepath.Join(t.TempDir(), "proof.bin")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4<<40); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	reading := make(chan struct{})
	go func() { <-reading; cancel(errors.New("stopped")) }()
	if _, err := session.ReadWritten(ctx, path, once(func() { close(reading) }), 1<<50); err == nil ||
		err.Error() != "stopped" {
		t.Errorf("cancelled while it was read: %v", err)
	}
}

// once is a writer that signals the first bytes.
func once(first func()) io.Writer { return &firstWrite{first: first} }

type firstWrite struct {
	first func()
	said  bool
}

func (w *firstWrite) Write(p []byte) (int, error) {
	if !w.said {
		w.said = true
		w.first()
	}
	return len(p), nil
}

func TestStaleProofIsRefused(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "", "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := request(t, 1)
	if err := os.WriteFile(r.Proof, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prove(t.Context(), r); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a proof file from before: %v", err)
	}
}

func process(t *testing.T, model string, extra ...string) *session.Process {
	cmd := command(t, model, "prove")
	return session.NewProcess(cmd, func(r session.Request) ([]string, error) {
		argv := append(cmd.Argv, "--seed", fmt.Sprint(r.Seed), "--proof", r.Proof)
		if r.Metrics != "" {
			argv = append(argv, "--metrics", r.Metrics)
		}
		return append(argv, extra...), nil
	})
}

func TestProcess(t *testing.T) {
	p := process(t, "seconds=0.02 noise=0")
	wall, err := p.Prove(t.Context(), request(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	if !wall.WallTimed || wall.Metrics["prove_seconds"] != wall.WallSeconds || wall.WallSeconds < 0.02 {
		t.Errorf("without a metrics file: %+v", wall)
	}
	if wall.Usage.MaxRSSBytes < 1<<20 || wall.Usage.CPUSeconds <= 0 {
		t.Errorf("usage %+v of a Go program", wall.Usage)
	}
	r := request(t, 2)
	r.Metrics = filepath.Join(t.TempDir(), "metrics.json")
	told, err := p.Prove(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if told.WallTimed || told.Metrics["prove_seconds"] != 0.02 || told.Counters["fallbacks"] != 0 ||
		len(told.Counters) != 1 {
		t.Errorf("with a metrics file: %+v", told)
	}
}

func TestProcessFaults(t *testing.T) {
	for _, c := range []struct{ model, cause, tail string }{
		{"fault=crash", "exited with status 7", "assertion failed"},
		{"fault=hang", "did not finish within 400ms", ""},
	} {
		p := process(t, c.model)
		if c.model == "fault=hang" {
			p.SetTimeout(400 * time.Millisecond)
		}
		_, err := p.Prove(t.Context(), request(t, 1))
		var failure *session.Error
		if !errors.As(err, &failure) || !strings.Contains(failure.Cause, c.cause) || !strings.Contains(failure.Tail, c.tail) {
			t.Errorf("%s: %v", c.model, err)
		}
	}
	missing := process(t, "", "--metrics", filepath.Join(t.TempDir(), "elsewhere"))
	r := request(t, 1)
	r.Metrics = filepath.Join(t.TempDir(), "metrics.json")
	if _, err := missing.Prove(t.Context(), r); err == nil ||
		!strings.Contains(err.Error(), "metrics file: no file at") {
		t.Errorf("a metrics file that was not written: %v", err)
	}
	elsewhere := process(t, "", "--proof", filepath.Join(t.TempDir(), "elsewhere"))
	if _, err := elsewhere.Prove(t.Context(), request(t, 1)); err == nil ||
		!strings.Contains(err.Error(), "wrote no proof") {
		t.Errorf("a proof that was not written: %v", err)
	}
}

// A closed input is detected at once: the harness does not wait for an answer to a request that was never read.
func TestAClosedInputIsFoundAtOnce(t *testing.T) {
	c := command(t, "", "session")
	c.Argv = []string{"sh", "-c", `exec <&-; echo '{"schema":"chiasmus.session/1","event":"ready"}'; exec sleep 3600`}
	c.Timeout = time.Hour
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	_, err = s.Prove(t.Context(), request(t, 1))
	if err == nil || !strings.Contains(err.Error(), "it closed its input but kept running") ||
		time.Since(begun) > c.Timeout/2 {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
}
