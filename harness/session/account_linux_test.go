package session_test

import (
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// work is a shell loop that takes between a third of a second and a few seconds, by processor.
const work = `i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done; `

// Time to start and to prove does not count as waiting, and one proof's time does not count for the next.
func TestWaitingIsNeitherStartingNorProving(t *testing.T) {
	c := command(t, "", "session")
	c.Argv = []string{"sh", "-c", work + `echo '{"schema":"chiasmus.session/1","event":"ready"}'
n=0
while read -r line; do
	case $line in *exit*) exit 0 ;; esac
	n=$((n+1))
	if [ $n = 2 ]; then ` + work + `fi
	proof=${line#*'"proof":"'}; proof=${proof%%'"'*}
	echo "proof $n" >"$proof"
	echo "{\"event\":\"proof\",\"id\":$n,\"ok\":true,\"metrics\":{\"prove_seconds\":1}}"
done`}
	c.Timeout = time.Minute
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Kill()
	started := s.Account().CPUSeconds
	var used, waited []float64
	for id := int64(1); id <= 3; id++ {
		proof, err := s.Prove(t.Context(), request(t, id))
		if err != nil {
			t.Fatal(err)
		}
		used, waited = append(used, proof.Usage.CPUSeconds), append(waited, proof.Waited.CPUSeconds)
	}
	most := min(started, used[1]) / 2
	if most < 0.05 {
		t.Fatalf("starting took %g s and proofs took %v s: the test shows nothing", started, used)
	}
	for i := range waited {
		if waited[i] > most || i != 1 && used[i] > most {
			t.Errorf("starting took %g s, proofs are charged %v s, and waiting before them %v s", started, used, waited)
		}
	}
}
