package riscv_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// lateShards are the shards of a run that begins after some chunks.
func lateShards(t *testing.T, file []byte, private, public string, chunks uint32,
	count int) (*riscv.Program, []*machine.Shard) {
	t.Helper()
	p, err := riscv.New(file)
	if err != nil {
		t.Fatal(err)
	}
	p.BeginLate(chunks)
	input := run.Input{Data: []byte(private), Public: []byte(public), MinLogHeight: 8, Pool: parallel.New(2)}
	if count > 1 {
		input.Cut = run.Even(count)
	}
	r, err := p.Run(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	shards, err := r.List()
	if err != nil {
		t.Fatal(err)
	}
	return p, shards
}

// lateMessages are the verifier's messages, with the first state and the registers after some cycles.
func lateMessages(m *circuit.Machine, public circuit.Public, cycles uint64) []circuit.Message {
	list := m.Messages(public)
	for i := range list {
		if message := &list[i]; message.Bus.Name == "S" {
			message.Values[1] += goldilocks.Element(4 * cycles)
		}
	}
	for _, bus := range m.Buses {
		if bus.Name != "R" {
			continue
		}
		for r := range goldilocks.Element(program.Registers) {
			list = append(list,
				circuit.Message{Bus: bus, Kind: air.Receive, Multiplicity: 1, Values: []goldilocks.Element{r, 0, 0, 0}},
				circuit.Message{Bus: bus, Kind: air.Send, Multiplicity: 1,
					Values: []goldilocks.Element{r, goldilocks.Element(4 * cycles), 0, 0}})
		}
	}
	return list
}

// Runs beyond 2^28 cycles, 2^30 (where times have more than 32 bits) and up to the last possible ones satisfy all
// constraints and balance, including words of memory that were not accessed since the beginning.
func TestLateRuns(t *testing.T) {
	const last = (rv64im.MaxCycles)/record.ChunkCycles - 15
	for name, tc := range map[string]struct {
		file            []byte
		private, public string
		chunks          uint32
		count           int
	}{
		"beyond 2^28":       {sample(), samplePrivate, samplePublic, 1 << 19, 3},
		"across 2^30":       {sample(), samplePrivate, samplePublic, 1<<21 - 2, 3},
		"calls at 2^31":     {callsRun(), "", "", 1 << 22, 2},
		"the last ones":     {sample(), samplePrivate, samplePublic, last, 3},
		"the last, at once": {sample(), samplePrivate, samplePublic, last, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, shards := lateShards(t, tc.file, tc.private, tc.public, tc.chunks, tc.count)
			public := shards[0].Public()
			if _, err := statement.Read(public); err != nil {
				t.Fatal(err)
			}
			var counting []air.Instance
			for _, shard := range shards {
				for _, filled := range filledShard(t, p.Fillers(), shard) {
					if shard.Last || !circuit.CountsOnce(filled.Table) && len(filled.Lookups) == 0 {
						counting = append(counting, filled.Instance)
					}
				}
			}
			messages := lateMessages(p.Fillers().Machine, public, uint64(tc.chunks)*record.ChunkCycles)
			air.CountLookups(counting, public.Values, messages)
			if err := air.CheckBuses(counting, public.Values, messages); err != nil {
				t.Error(err)
			}
		})
	}
}

// A run that ends later than allowed states nothing that a verifier accepts: its times would reach the verifier's.
func TestRunsThatAreTooLate(t *testing.T) {
	_, shards := lateShards(t, sample(), samplePrivate, samplePublic, 1<<23-4, 1)
	_, err := statement.Read(shards[0].Public())
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("want 1 to %d", uint64(rv64im.MaxCycles))) {
		t.Errorf("it is stated: %v", err)
	}
}
