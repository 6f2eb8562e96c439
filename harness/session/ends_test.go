package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// If another process holds the output open after a session has crashed, the error is delayed by the patience for this
// case, not by the timeout of a proof.
func TestACrashIsFoundBeforeTheTimeout(t *testing.T) {
	t.Parallel()
	c := command(t, "fault=orphan", "session")
	c.Timeout = time.Hour
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if _, err := s.Prove(t.Context(), request(t, 1)); err == nil || time.Since(begun) > c.Timeout/2 {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
}

// If a session does not end with status 0, or does not end, Close returns an error.
func TestCloseSaysHowASessionEnded(t *testing.T) {
	t.Parallel()
	stubborn := speaker(t, "trap '' TERM; while :; do sleep 3600; done")
	stubborn.Linger = 0
	for want, c := range map[string]session.Command{
		"asked to exit, it exited with status 4":  command(t, "fault=badexit", "session"),
		"it did not exit within 2s when asked to": stubborn,
	} {
		s, err := session.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prove(t.Context(), request(t, 1)); err != nil {
			t.Fatal(err)
		}
		var failure *session.Error
		if err := s.Close(); !errors.As(err, &failure) || failure.Cause != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Run is for programs whose exit status is the answer.
func TestRun(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"exit 0": "", "exit 3": "it exited with status 3", "kill -9 $$": "it was killed by signal 9 (killed)",
		"sleep 3600": "it did not finish within 300ms",
	} {
		c := command(t, "", "session")
		c.Argv = []string{"sh", "-c", script}
		if script == "sleep 3600" {
			c.Timeout = 300 * time.Millisecond
		}
		err := session.Run(t.Context(), c)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
}

// The proof's path must be a nonempty regular file, in both modes.
func TestProofsThatAreNoFiles(t *testing.T) {
	t.Parallel()
	for make, want := range map[string]string{
		`: >"$1"`:                                "it wrote an empty proof to",
		`mkdir "$1"`:                             "is not a regular file",
		`mkfifo "$1"`:                            "is not a regular file",
		`echo x >other; ln -s "$PWD/other" "$1"`: "is not a regular file",
		`:`:                                      "it wrote no proof to",
	} {
		c := command(t, "", "session")
		p := session.NewProcess(c, func(r session.Request) ([]string, error) {
			return []string{"sh", "-c", make, "sh", r.Proof}, nil
		})
		if _, err := p.Prove(t.Context(), request(t, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", make, err, want)
		}
	}
}

// A metrics file may state the claim of a proof, and the first line of a session must be "ready".
func TestClaimsOfProcesses(t *testing.T) {
	p := process(t, "bits=77")
	r := request(t, 1)
	r.Metrics = filepath.Join(t.TempDir(), "metrics.json")
	proof, err := p.Prove(t.Context(), r)
	if err != nil || proof.Claim.SecurityBits != 77 || len(proof.Claim.Statement) != 64 ||
		len(proof.ExactStatement) != 64 {
		t.Errorf("%+v, %v", proof, err)
	}
	c := command(t, "", "session")
	c.Argv = []string{"sh", "-c", `echo '{"schema":"chiasmus.session/1","event":"proof","id":1,"ok":true}'; read line`}
	if _, err := session.Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), `"ready" must come first`) {
		t.Errorf("the first line is a proof: %v", err)
	}
}

// A reply may have the maximum length, and is read whole for every buffer content.
func TestLongReplies(t *testing.T) {
	for length, ok := range map[int]bool{1 << 16: true, 1<<20 - 100: true, 1<<20 + 1<<17: false} {
		c := command(t, "", "session")
		head := `{"schema":"chiasmus.session/1","event":"ready","device":"`
		line := head + strings.Repeat("x", length-len(head)-3) + "\"}\n"
		if err := os.WriteFile(filepath.Join(c.Dir, "line"), []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		c.Argv = []string{"sh", "-c", "cat line; read line"}
		s, err := session.Open(t.Context(), c)
		if (err == nil) != ok || ok && len(s.Ready().Device) != length-len(head)-3 {
			t.Errorf("a line of %d bytes: %v", length, err)
		}
		if err == nil {
			s.Kill()
		}
	}
}
