package replay_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// FuzzRun executes any bytes as code. The run ends, traps or reaches its limit. If it ends, the replay agrees with the
// emulator, including the emulator's counts.
func FuzzRun(f *testing.F) {
	for seed := range uint64(3) {
		text := riscvtest.Random(seed, 200).Text
		f.Add(append(riscvtest.Words(text...), riscvtest.Words(0x00000513, 0x05d00893, 0x73)...), []byte("input"))
	}
	f.Add(riscvtest.Words(0x05d00893, 0x73), []byte(nil))
	f.Add(riscvtest.Words(0x10000893, 0x04000537, 0x73, 0x05d00893, 0x73), []byte(nil)) // keccak-f
	f.Fuzz(func(t *testing.T, text, input []byte) {
		if len(text) < 4 || len(text) > 1<<16 || len(input) > 1<<16 {
			return
		}
		file, err := elf.Load(riscvtest.ELF(riscvtest.TextAddress,
			riscvtest.Segment{Address: riscvtest.TextAddress, Flags: riscvtest.RX, Data: text},
			riscvtest.Segment{
				Address: riscvtest.DataAddress,
				Flags:   riscvtest.RW,
				Data:    binary.LittleEndian.AppendUint64(nil, 1<<63),
				Size:    riscvtest.DataBytes,
			}))
		if err != nil {
			t.Fatal(err)
		}
		p, err := program.New(file)
		if err != nil {
			t.Fatal(err)
		}
		in := memory.Inputs{Private: input}
		tally := replay.NewTally(p)
		result, trace, err := emulator.Record(context.Background(), p, in,
			emulator.Options{Limit: 5000, Observe: tally.Observe})
		if err != nil {
			return
		}
		set, err := replay.Build(context.Background(), parallel.New(1), p, in, trace)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(set.Cycles) != result.Cycles || set.Exit != result.Exit || string(set.Output) != string(result.Output) {
			t.Fatalf("the replay says %d cycles, exit %d; the emulator %d, %d", set.Cycles, set.Exit, result.Cycles, result.Exit)
		}
		checkTally(t, "fuzz", p, in, tally, result, set)
	})
}
