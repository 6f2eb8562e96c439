package gpu

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// A walk in three shards on two or three devices at the same time equals the CPU's, shard by shard, whether shards wait
// between the phases or are committed to again.
func TestShardsOnTwoDevices(t *testing.T) {
	program := claim{name: "tour"}.program(t)
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Size: 100, Seed: 7, MinLogHeight: preset.Params.MinLogHeight}
	shards, err := run.Shards(t.Context(), program, input, run.Parts(func(int) []int { return []int{1, 5, 2} }))
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(program.Machine(), preset.Params)
	if err != nil {
		t.Fatal(err)
	}
	prove := func(waiting uint64, devices ...backend.Backend) (data []byte, twice, written int) {
		p := shard.New(key, program.Fillers(), devices, shard.Options{WaitingBytes: waiting, Encode: true})
		set, metrics, err := p.Prove(t.Context(), run.Known(shards[0].Public(), shards...))
		if err != nil {
			t.Fatal(err)
		}
		data, err = set.MarshalBinary()
		if err := errors.Join(err, p.Close()); err != nil {
			t.Fatal(err)
		}
		for i, m := range metrics.Shards {
			if m.Twice {
				twice++
			}
			if set.Shards[i].Layers == nil {
				written++
			}
		}
		return data, twice, written
	}
	want, _, _ := prove(0, cpu.New(parallel.New(2)))
	a, b, c := openBackend(t, Options{Seed: 1}), openBackend(t, Options{Seed: 2}), openBackend(t, Options{Seed: 3})
	for _, tc := range []struct {
		waiting        uint64
		twice, written int // shards; a device writes those that nothing follows
		devices        []backend.Backend
	}{
		{0, 1, 1, []backend.Backend{a, b}},
		{1 << 40, 0, 3, []backend.Backend{a, b}},
		{0, 0, 3, []backend.Backend{a, b, c}},
	} {
		got, twice, written := prove(tc.waiting, tc.devices...)
		if !bytes.Equal(got, want) || twice != tc.twice || written != tc.written {
			t.Errorf("on %d devices equal to the CPU's: %v; %d shards committed to twice, want %d, and %d written, want %d",
				len(tc.devices), bytes.Equal(got, want), twice, tc.twice, written, tc.written)
		}
	}
}

// Devices fill shards of programs like the host: from a replay of the run up to the shard's end, of which they see a
// part, or from the host's records if that has no room. The program runs concurrently, whole or in parts that are
// recorded at once, because it has run with these inputs before; or it is cut while it runs.
func TestShardsOfGuests(t *testing.T) {
	longtest.Only(t)
	b := openBackend(t, Options{Seed: 3})
	for name, tc := range map[string]struct {
		guest    guest
		more     uint64
		replayed bool
		parts    int
		count    int
	}{
		"replayed":            {randomGuest(5), 64 << 20, true, 3, 2},
		"no room":             {randomGuest(5), 0, false, 1, 2},
		"accelerators":        {guest{riscvtest.Guest(t, "hashes"), []byte("abc"), nil}, 64 << 20, true, 1, 2},
		"refreshes":           {longGuest(), 64 << 20, true, 4, 2},
		"coming":              {randomGuest(5), 64 << 20, true, 0, 700},
		"alone":               {randomGuest(5), 64 << 20, true, 1, 5},
		"alone, coming":       {randomGuest(5), 64 << 20, true, 0, 300},
		"alone, no room":      {randomGuest(5), 0, false, 1, 5},
		"alone, accelerators": {guest{riscvtest.Guest(t, "hashes"), make([]byte, 300), nil}, 64 << 20, true, 1, 6},
		"alone, private":      {guest{riscvtest.Guest(t, "quicksort"), riscvtest.Numbers(30, 1), nil}, 64 << 20, true, 1, 6},
		"alone, refreshes":    {longGuest(), 64 << 20, true, 1, 5},
	} {
		program, err := riscv.New(tc.guest.file)
		if err != nil {
			t.Fatal(err)
		}
		program.PartsFrom(1)
		program.RecordIn(tc.parts)
		input := run.Input{Data: append([]byte{}, tc.guest.private...), Public: tc.guest.public, MinLogHeight: 8}
		var shards []*machine.Shard
		for range min(2*tc.parts, 2) {
			if shards, err = run.Shards(t.Context(), program, input, run.Even(tc.count)); err != nil {
				t.Fatal(err)
			}
		}
		if tc.parts == 0 { // cut while the program runs for the first time
			end := func(shard int) int { return (shard + 1) * tc.count }
			if shards, err = run.Shards(t.Context(), program, input, run.Ends(end)); err != nil {
				t.Fatal(err)
			}
		}
		for number, shard := range shards {
			execution := shard.Execution
			t.Run(fmt.Sprintf("%s, shard %d", name, number), func(t *testing.T) {
				p := proofWith(t, openFillers(t, b, program.Fillers()), execution, tc.more)
				b.device.Meter.Start(p.openMachine, 0, false)
				if _, err := p.Trace(execution); err != nil {
					t.Fatal(err, b.device.Finding())
				}
				for _, m := range mismatches(t, p, execution) {
					t.Error(m, b.device.Finding())
				}
				want := tc.replayed || shard.Last && len(shards) == 5 // the boundary's memory has room for the state
				if _, counters := b.Report(); (counters["replays_on_device"] == 1) != want {
					t.Errorf("counters %v, want a replay on the device: %v", counters, want)
				}
			})
		}
	}
}
