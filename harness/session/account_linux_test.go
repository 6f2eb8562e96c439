package session_test

import (
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// spend is a shell function that takes 0.4 s of CPU time on any processor: it reads from /proc/PID/stat how many ticks
// of 10 ms the kernel has counted (proc_pid_stat(5)).
const spend = `taken() { read -r stat <"/proc/$$/stat"; set -- ${stat##*) }; ticks=$((${12} + ${13})); }
spend() { taken; end=$((ticks + 40)); while [ "$ticks" -lt "$end" ]; do taken; done; }
`

// Time to start and to prove does not count as waiting, and one proof's time does not count for the next.
func TestWaitingIsNeitherStartingNorProving(t *testing.T) {
	c := command(t, "", "session")
	c.Argv = []string{"sh", "-c", spend + `spend
echo '{"schema":"chiasmus.session/1","event":"ready"}'
n=0
while read -r line; do
	case $line in *exit*) exit 0 ;; esac
	n=$((n+1))
	if [ $n = 2 ]; then spend; fi
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
	const half = 0.2
	if started < half || used[1] < half {
		t.Errorf("starting is charged %g s and proofs %v s, want 0.4 s for starting and for the second proof", started, used)
	}
	for i := range waited {
		if waited[i] > half || i != 1 && used[i] > half {
			t.Errorf("starting took %g s, proofs are charged %v s, and waiting before them %v s", started, used, waited)
		}
	}
}
