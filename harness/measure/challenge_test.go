package measure_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// seededVerify checks the checksum, and that the proof is for the given seed. Nothing else of the command varies.
const seededVerify = `verify: [sh, -c, 'grep -q "seed=$2 " "$1" && exec "$0" verify --model model --proof "$1"', ` +
	`"{bin/prover}", "{proof}", "{seed}"]`

// Every verifier receives two proofs that it has to refuse, once for each arm: a proof with one byte changed, and a
// proof for another statement and seed. A verifier that refuses both causes no warning, whichever placeholders its
// arguments have. A verifier that accepts either one does.
func TestChallenges(t *testing.T) {
	longtest.Only(t)
	line := worldConfig[strings.Index(worldConfig, "    verify:"):]
	line = line[4:strings.Index(line, "\n")]
	for name, test := range map[string]struct {
		verify, base, head string
		want               []evidence.Challenge
		unbound            bool
	}{
		"seed alone": {seededVerify, "", "",
			[]evidence.Challenge{{Arm: schedule.Base, Asked: true}, {Arm: schedule.Head, Asked: true}}, false},
		"told nothing": {`verify: ["{bin/prover}", verify, --model, model, --proof, "{proof}"]`, "", "",
			[]evidence.Challenge{{Arm: schedule.Base}, {Arm: schedule.Head}}, true},
		"a dummy that names everything": {`verify: ["true", "{statement}", "{exact_statement}", "{seed}", "{proof}"]`, "", "",
			[]evidence.Challenge{{Arm: schedule.Base, Asked: true, Altered: true, Other: true},
				{Arm: schedule.Head, Asked: true, Altered: true, Other: true}}, true},
		"head accepts anything": {line, "", " verifier=weak", []evidence.Challenge{{Arm: schedule.Base, Asked: true},
			{Arm: schedule.Head, Asked: true, Altered: true, Other: true}}, true},
		"base does not look at statements": {line, " verifier=halved", "",
			[]evidence.Challenge{{Arm: schedule.Base, Asked: true, Other: true}, {Arm: schedule.Head, Asked: true}}, true},
	} {
		w := newWorld(t, strings.Replace(strings.Replace(worldConfig, line, test.verify, 1), "pairs: 8", "pairs: 6", 1))
		w.commit("base", "seconds=0.002"+test.base)
		w.commit("head", "seconds=0.002"+test.head)
		r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
		got := r.Workloads[0]
		if !slices.Equal(got.Challenges, test.want) || got.Unbound != test.unbound {
			t.Errorf("%s: %+v, unbound %v; want %+v, %v", name, got.Challenges, got.Unbound, test.want, test.unbound)
		}
		bad := slices.ContainsFunc(test.want, func(c evidence.Challenge) bool { return c.Altered || c.Other })
		if warned(got, "verifier") != bad || warned(got, "unbound") != (name == "told nothing") {
			t.Errorf("%s: warnings %v", name, got.Warnings)
		}
	}
}
