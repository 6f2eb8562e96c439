package aggregate_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

var update = flag.Bool("update", false, "write aggregator.id anew")

// The pinned id equals the id of the aggregator in guests/elf.
func TestID(t *testing.T) {
	pin.Test(t)
	program, err := riscv.New(guests.Aggregator())
	must(t, err)
	preset, err := protocol.PresetByName("rv")
	must(t, err)
	key, err := setup.NewKey(program.Machine(), preset.Params)
	must(t, err)
	id := key.ProgramID()
	if *update {
		must(t, os.WriteFile("aggregator.id", fmt.Appendf(nil, "%x\n", id), 0o644))
		return
	}
	if have := aggregate.ID(); have != id {
		t.Errorf("aggregator.id is %x, and guests/elf/aggregator.elf has %x: make aggregator", have, id)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
