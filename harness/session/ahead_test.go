package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// until polls for an event that happens on any host, however busy.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); {
		if time.Now().After(end) {
			t.Fatalf("it never happened: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// speaker is a session in sh. It proves what it is asked and then runs more, with $id and $proof of the request.
func speaker(t *testing.T, more string) session.Command {
	c := command(t, "", "session")
	c.Argv = []string{"sh", "-c", `ready() { echo '{"schema":"chiasmus.session/1","event":"ready"}'; }
reply() { echo "{\"event\":\"proof\",\"id\":$1,\"ok\":true,\"metrics\":{\"prove_seconds\":0.000001}}"; }
ready
while read -r line; do
	case $line in *exit*) exit 0 ;; esac
	id=${line#*'"id":'}; id=${id%%,*}
	proof=${line#*'"proof":"'}; proof=${proof%%'"'*}
	echo "proof $id" >"$proof"
	reply "$id"
	` + more + `
done`}
	return c
}

// An unsolicited line ends the session, whatever its content, including the reply to the next request, which would make
// that proof look instantaneous.
func TestRepliesAheadOfTheirRequests(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"the answer to the next request": `reply $((id+1))`,
		"the same answer again":          `reply "$id"`,
		"an empty line":                  `echo`,
		"another ready":                  `ready`,
		"no JSON":                        `echo proving`,
	} {
		s, err := session.Open(t.Context(), speaker(t, more))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prove(t.Context(), request(t, 1)); err != nil {
			t.Fatalf("%s: the proof before it: %v", name, err)
		}
		until(t, "the session says more", s.Said)
		_, err = s.Prove(t.Context(), request(t, 2))
		if err == nil || !strings.Contains(err.Error(), "when nothing was asked") {
			t.Errorf("%s: %v", name, err)
		}
		if pids := s.PIDs(); len(pids) != 0 {
			t.Errorf("%s: the session lives on", name)
		}
	}
	s, err := session.Open(t.Context(), speaker(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	for id := int64(1); id <= 3; id++ {
		if _, err := s.Prove(t.Context(), request(t, id)); err != nil {
			t.Errorf("without a word too many: %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
