package riscv_test

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

var wholeTables = flag.Bool("cheats.tables", false, "prove the cheats with whole lookup tables: takes a second each")

func isBus(reason string) bool { return strings.HasPrefix(reason, "bus ") }

// Each cheat is proven, and both verifiers refuse it. The run without it is proven too, and accepted.
func TestEachCheatIsRefused(t *testing.T) {
	longtest.Only(t)
	byRun := map[instruction.Op][]cheat{}
	for _, c := range allCheats() {
		byRun[c.of] = append(byRun[c.of], c)
	}
	for op, cheats := range byRun {
		for part := range slices.Chunk(cheats, 24) {
			t.Run(op.String(), func(t *testing.T) {
				t.Parallel()
				refuseAll(t, part)
			})
		}
	}
}

// refuseAll proves cheats of one run.
func refuseAll(t *testing.T, cheats []cheat) {
	runs, asked := runs{}, counted{}
	for _, c := range cheats {
		s, r := runs.place(t, c)
		s.lieDuring(func() { c.cheat(s, r) }, func(_ []string, more counted) { maps.Copy(asked, more) }, r)
	}
	v := newWhole(t, runs.of(t, cheats[0].of), asked)
	v.trial.accepts(t, v.given(v.execution.Public()), "the run as it is")
	for _, c := range cheats {
		s, r := runs.place(t, c)
		v.refuses(t, c.String(), func() { c.cheat(s, r) }, r)
	}
}
