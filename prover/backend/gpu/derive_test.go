package gpu

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	riscvdevice "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
)

// derived makes the record sets of an execution on the device, as a derivation says, and returns the sets that fillers
// read.
func derived(t *testing.T, b *Backend, fillers *machine.Fillers, execution machine.Execution,
	d *machine.Derivation) (map[int][]uint64, error) {
	t.Helper()
	p := proofFor(t, openFillers(t, b, fillers), execution)
	sets := map[int][]uint64{}
	err := b.device.Bound("trace", func() error {
		scope := p.arena.Scope("trace")
		defer func() {
			if err := scope.End(); err != nil {
				t.Error(err)
			}
		}()
		memory, err := takeTrace(scope, p.fillers, p.shape)
		if err != nil {
			return err
		}
		if err := b.device.Bulk.Begin(b.device.Stream); err != nil {
			return err
		}
		if err := p.derive(memory, d); err != nil {
			return err
		}
		for _, number := range memory.read {
			if memory.words[number] == 0 {
				continue
			}
			span, err := device.First(memory.sets[number], memory.words[number])
			if err != nil {
				return err
			}
			for first := uint64(0); first < memory.words[number]; first += 1 << 16 {
				part, err := span.Part(first*wordBytes, min(memory.words[number]-first, 1<<16)*wordBytes)
				if err != nil {
					return err
				}
				words, err := p.download(part)
				if err != nil {
					return err
				}
				sets[number] = append(sets[number], words...)
			}
		}
		return nil
	})
	return sets, err
}

// compareRecords replays a run on the device and expects the host's records, word for word.
func compareRecords(t *testing.T, b *Backend, g guest) {
	t.Helper()
	program, execution := guestRun(t, g)
	compareExecution(t, b, program, execution)
}

func compareExecution(t *testing.T, b *Backend, program *riscv.Program, execution machine.Execution) {
	t.Helper()
	d := execution.Device().Derive()
	if d == nil {
		t.Fatal("no device replays the run")
	}
	compareDerived(t, b, program, execution, d)
}

func compareDerived(t *testing.T, b *Backend, program *riscv.Program, execution machine.Execution,
	d *machine.Derivation) {
	t.Helper()
	sets, err := derived(t, b, program.Fillers(), execution, d)
	if err != nil {
		t.Fatal(err, b.device.Finding())
	}
	for number, want := range execution.Records() {
		got := sets[number]
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		if at < max(len(got), len(want)) {
			t.Errorf("set %d: %d words, the host's are %d, and they differ from word %d on", number, len(got), len(want), at)
		}
	}
}

// A device replays a run into the same records as the host.
func TestRecordsAreTheHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("some 6 s of processor time under the race detector")
	}
	everyDevice(t, true, func(t *testing.T, b *Backend) { compareRecords(t, b, randomGuest(b.device.Options.Seed)) })
}

// A device replays a run whose times have more than 32 bits, and fills its tables as the host does.
func TestLateRecords(t *testing.T) {
	longtest.Only(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		for _, chunks := range []uint32{1<<21 - 1, 1<<23 - 1<<8} { // times pass 2^32; the last ones
			program, execution := lateRun(t, randomGuest(b.device.Options.Seed), chunks)
			compareExecution(t, b, program, execution)
			p := filled(t, openFillers(t, b, program.Fillers()), execution)
			for _, m := range mismatches(t, p, execution) {
				t.Error(m)
			}
		}
	})
}

func TestRecordsOfGuests(t *testing.T) {
	longtest.Only(t)
	comparesOnly(t)
	b := openBackend(t, Options{Seed: 7})
	for _, c := range riscvtest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			compareRecords(t, b, guest{riscvtest.Guest(t, c.Guest), c.Inputs.Private, c.Inputs.Public})
		})
	}
	t.Run("three refreshes", func(t *testing.T) { compareRecords(t, b, refreshed(3)) })
	t.Run("forms", func(t *testing.T) {
		compareRecords(t, b, guest{file: riscvtest.FormsOfAll(riscvtest.FewPairs).ELF(false)})
	})
	t.Run("edge", func(t *testing.T) { compareRecords(t, b, edgeGuest()) })
	t.Run("calls", func(t *testing.T) { compareRecords(t, b, callingGuest()) })
}

// A run is replayed in groups of chunks into the same records, wherever it is cut.
func TestRecordsInGroups(t *testing.T) {
	longtest.Only(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		for name, tc := range map[string]struct {
			guest guest
			ends  []int
		}{
			"random":        {randomGuest(b.device.Options.Seed), []int{1, 3}},
			"calls":         {callingGuest(), []int{1, 2}},
			"private words": {guest{riscvtest.Guest(t, "quicksort"), riscvtest.Numbers(20, 1), nil}, []int{1, 2, 5}},
			"fib":           {guest{riscvtest.Guest(t, "fib"), riscvtest.Numbers(400), nil}, []int{2}},
		} {
			t.Run(name, func(t *testing.T) {
				program, execution := guestRun(t, tc.guest)
				compareDerived(t, b, program, execution, execution.(*riscv.Execution).DerivationInGroups(tc.ends...))
			})
		}
	})
}

// In the chunks of one group a register is refreshed that earlier groups accessed last.
func TestRefreshesInGroups(t *testing.T) {
	b := openBackend(t, Options{Seed: 10})
	program, execution := guestRun(t, edgeGuest())
	compareDerived(t, b, program, execution, execution.(*riscv.Execution).DerivationInGroups(100, 200, 510))
}

// A known run is replayed part after part while it executes. An error that stops the run is the replay's error.
func TestRecordsOfRunsThatGoOn(t *testing.T) {
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		g := randomGuest(b.device.Options.Seed)
		program, _ := guestRun(t, g)
		input := run.Input{Data: append([]byte{}, g.private...), Public: g.public, MinLogHeight: 8}
		again, err := run.Execute(t.Context(), program, input)
		if err != nil {
			t.Fatal(err)
		}
		if again.Device().Derive().Grow == nil {
			t.Fatal("the run is not known")
		}
		compareExecution(t, b, program, again)
		calling, _ := guestRun(t, callingGuest())
		if again, err = run.Execute(t.Context(), calling, run.Input{Data: []byte{}, MinLogHeight: 8}); err != nil {
			t.Fatal(err)
		}
		compareExecution(t, b, calling, again)
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		stopped, err := run.Execute(ctx, program, input)
		if err != nil {
			t.Fatal(err)
		}
		d := stopped.Device().Derive()
		if _, err := derived(t, b, program.Fillers(), stopped, d); err == nil || !strings.Contains(err.Error(), "enough") {
			t.Errorf("a run that was stopped: %v", err)
		}
	})
}

// A predicted run with other inputs than the previous run is also replayed while it is streaming. It may be shorter or
// longer, as long as its rows fit the predicted instances. If they do not, the replay says so, and the run is then
// known.
func TestRecordsOfForetoldRuns(t *testing.T) {
	b := openBackend(t, Options{Seed: 9})
	sort := func(count, seed uint64) run.Input {
		return run.Input{Data: riscvtest.Numbers(count, seed), MinLogHeight: 14, Speculate: true}
	}
	program, _ := guestRun(t, guest{riscvtest.Guest(t, "quicksort"), riscvtest.Numbers(40, 3), nil})
	for _, tc := range []struct {
		input run.Input
		want  error
	}{
		{sort(20, 3), nil}, {sort(40, 3), nil}, {sort(10, 3), nil},
		{sort(1000, 5), run.ErrSpeculation}, {sort(3000, 3), run.ErrSpeculation},
	} {
		begun, err := program.Run(t.Context(), tc.input)
		if err != nil {
			t.Fatal(err)
		}
		if !begun.Speculative {
			t.Fatal("the run is not speculative")
		}
		execution, err := begun.Execution()
		if err != nil {
			t.Fatal(err)
		}
		if tc.want == nil {
			compareExecution(t, b, program, execution)
			continue
		}
		d := execution.Device().Derive()
		if _, err := derived(t, b, program.Fillers(), execution, d); !errors.Is(err, tc.want) {
			t.Errorf("%v, want %v", err, tc.want)
		}
		again, err := program.Run(t.Context(), tc.input)
		if err != nil {
			t.Fatal(err)
		}
		if again.Speculative {
			t.Error("a run that ended is speculative")
		}
		known, err := again.Execution()
		if err != nil {
			t.Fatal(err)
		}
		compareExecution(t, b, program, known)
	}
	limited := sort(30, 5)
	limited.Limit = 1000
	execution, err := run.Execute(t.Context(), program, limited)
	if err != nil {
		t.Fatal(err)
	}
	d := execution.Device().Derive()
	if _, err := derived(t, b, program.Fillers(), execution, d); err == nil ||
		!strings.Contains(err.Error(), "had not ended after 1000 cycles") {
		t.Errorf("beyond the limit: %v", err)
	}
}

// edgeGuest accesses a register again just before it would need REFRESH, and once more in the same chunk right after
// that.
func edgeGuest() guest {
	const gap = 1 << 18 // cycles
	p := riscvtest.NewProgram(nil)
	wait := func(cycles int) {
		for range cycles {
			p.Op(instruction.ADDI, 8, 8, 0, 1)
		}
	}
	wait(100) // so that a chunk does not end between the accesses
	p.Op(instruction.ADDI, 5, 0, 0, 77)
	p.Op(instruction.LUI, 7, 0, 0, gap/2)
	p.Op(instruction.ADDI, 7, 7, 0, -20)
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -4)
	p.Op(instruction.ADDI, 6, 5, 0, 0)
	wait(60)
	p.Op(instruction.ADDI, 6, 5, 0, 0)
	return guest{file: p.ELF(false)}
}

// If the device finds an error in a trace, the replay fails and the error describes it.
func TestReplayFindsWhatIsWrong(t *testing.T) {
	longtest.Only(t)
	comparesOnly(t)
	b := openBackend(t, Options{Seed: 8})
	random, calling := randomGuest(2), callingGuest()
	const checkpointWords, registers = 34, 2 // the offset of its registers in a checkpoint
	constant := func(sent map[string][]uint64, register, from, to uint64) {
		const words, imm = 3, 1 // of a code, whose first word has rd in its second byte
		for at := 0; at < len(sent["code"]); at += words {
			if sent["code"][at]>>8&0xff == register && sent["code"][at+imm] == from {
				sent["code"][at+imm] = to
			}
		}
	}
	for _, tc := range []struct {
		name, want string
		change     func(sent map[string][]uint64)
	}{
		{"calls: the code", "nor a call", func(s map[string][]uint64) { constant(s, 17, 0x100, 0x1f0) }},
		{"calls: an argument too many", "nor a call", func(s map[string][]uint64) { constant(s, 11, 0, 8) }},
		{"calls: an operand between words", "nor a call", func(s map[string][]uint64) {
			constant(s, riscvtest.DataRegister, riscvtest.DataAddress, riscvtest.DataAddress+4)
		}},
		{"calls: an operand outside memory", "nor a call", func(s map[string][]uint64) {
			constant(s, riscvtest.DataRegister, riscvtest.DataAddress, 0)
		}},
		{"calls: a word that is written", "the last value written", func(s map[string][]uint64) { s["log"][3]++ }},
		{"calls: the log's end", "log ends before the chunk", func(s map[string][]uint64) {
			s["checkpoints"][checkpointWords+1] = 24 // words logged before, of the 25 that the first call reads
		}},
		{"modmul: no modulus", "nor a call", func(s map[string][]uint64) {
			const read, behind = 12, 1 // words of the last call, and after it
			clear(s["log"][len(s["log"])-behind-read:][:4])
		}},
		{"a register", "a register does not", func(s map[string][]uint64) {
			s["checkpoints"][2*checkpointWords+registers+5]++
		}},
		{"the sink", "a register does not", func(s map[string][]uint64) {
			s["checkpoints"][2*checkpointWords+registers]++
		}},
		{"an address", "the checkpoint", func(s map[string][]uint64) { s["checkpoints"][2*checkpointWords] += 4 }},
		{"a word read", "on the device", func(s map[string][]uint64) { s["log"][len(s["log"])/2]++ }},
		{"the output", "the public output", func(s map[string][]uint64) { s["output"][1]++ }},
		{"the output's time", "the public output", func(s map[string][]uint64) { s["output"][0]++ }},
		{"the rows", "the number of rows", func(s map[string][]uint64) { s["expected"][5]++ }},
		{"the log, of which a word is left", "of its load log unread", func(s map[string][]uint64) {
			s["checkpoints"][len(s["checkpoints"])-checkpointWords+1]++
		}},
		{"the program, which never halts", "do not end together", func(s map[string][]uint64) {
			const words, target = 3, 32
			last := len(s["code"]) - words
			for s["code"][last]&0xff != uint64(instruction.ECALL) {
				last -= words
			}
			s["code"][last] = uint64(instruction.Jump) | uint64(last/words)<<target // to itself
		}},
		{"the end, a cycle before that of the trace", "do not end together", func(s map[string][]uint64) {
			s["checkpoints"][len(s["checkpoints"])-checkpointWords] += 1 << 32
		}},
		{"the room for rows", "the number of rows", func(s map[string][]uint64) { s["most"][5] = s["expected"][5] - 1 }},
		{"the room for accesses", "the number of rows", func(s map[string][]uint64) {
			accesses := len(s["most"]) - 2 // refreshes come after them
			s["most"][accesses] = s["expected"][accesses] - 1
		}},
		{"long: the room for refreshes", "the number of rows", func(s map[string][]uint64) {
			refreshes := len(s["most"]) - 1
			s["most"][refreshes] = s["expected"][refreshes] - 1
		}},
		{"the accesses", "the number of rows", func(s map[string][]uint64) { s["expected"][len(s["expected"])-1]++ }},
		{"the private input", "the last value written", func(s map[string][]uint64) {
			const words, flags, value = 3, 1, 2 // of an access
			for at := 0; ; at += words {
				if s["initial"][at+flags]>>32 == 1 {
					s["initial"][at+value]++
					return
				}
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := random
			switch {
			case strings.HasPrefix(tc.name, "calls"):
				g = calling
			case strings.HasPrefix(tc.name, "modmul"):
				g = callingOften(map[*accelerator.Kind]int{&modmul.Kind: 1})
			case strings.HasPrefix(tc.name, "long"):
				g = longGuest()
			}
			program, execution := guestRun(t, g)
			d := execution.Device().Derive()
			tc.change(sentByName(d))
			_, err := derived(t, b, program.Fillers(), execution, d)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "on the device") {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

// A record set without room for the run fails the replay: nothing is written beyond it, and no record is dropped
// silently.
func TestReplayKeepsToItsRoom(t *testing.T) {
	comparesOnly(t)
	b := openBackend(t, Options{Seed: 12})
	header := riscvdevice.Deriver().Headers["records.cuh"]
	number := func(name string) int {
		match := regexp.MustCompile(`(?m)^#define SET_` + name + ` (\d+)u$`).FindStringSubmatch(header)
		if match == nil {
			t.Fatalf("no set %s", name)
		}
		n, _ := strconv.Atoi(match[1])
		return n
	}
	const recordWords, accessWords = 2, 3
	keys := number("KEYS") // after the two sets of known words
	for name, one := range map[string]map[int]uint64{
		"words that were touched": {number("TOUCHED"): recordWords},
		"rows of the boundary":    {int(table.Boundary): recordWords},
		"words that are known":    {keys - 2: accessWords, keys - 1: accessWords},
	} {
		t.Run(name, func(t *testing.T) {
			program, execution := guestRun(t, edgeGuest())
			d := execution.Device().Derive()
			d.Words = slices.Clone(d.Words)
			for set, words := range one {
				d.Words[set] = words
			}
			if _, err := derived(t, b, program.Fillers(), execution, d); err == nil ||
				!strings.Contains(err.Error(), "the number of rows") {
				t.Errorf("%v, want an error of the number of rows", err)
			}
		})
	}
}

// sentByName are replacements for the data sent for a replay, by the names that the kernels' header gives the sets.
func sentByName(d *machine.Derivation) map[string][]uint64 {
	byName := map[string][]uint64{}
	header := riscvdevice.Deriver().Headers["records.cuh"]
	for _, set := range regexp.MustCompile(`(?m)^#define SET_(\w+) (\d+)u$`).FindAllStringSubmatch(header, -1) {
		if number, _ := strconv.Atoi(set[2]); d.Sent[number] != nil {
			d.Sent[number] = slices.Clone(d.Sent[number])
			byName[strings.ToLower(set[1])] = d.Sent[number]
		}
	}
	return byName
}
