package gpu

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/absorb"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/keccakf"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// openFillers opens a machine for traces only: it has the kernels that fill tables, and no others of its own.
func openFillers(t testing.TB, b *Backend, fillers *machine.Fillers) *openMachine {
	t.Helper()
	_, shape := shapeOf(t, "fib", 32)
	o := &openMachine{backend: b, device: b.device, machine: fillers.Machine, fillers: fillers,
		params: shape.Params, program: new(program)}
	err := b.device.Bound("prepare", func() error {
		units, err := fillerUnits(fillers)
		if err != nil {
			return err
		}
		own := &program{fillers: fillers, units: append(units, deriverUnits(fillers)...)}
		if o.set, err = b.kernels(own); err != nil {
			return err
		}
		return o.loadKernels(own.shared(nil))
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// filled is a proof of an execution whose columns were filled, on a machine opened for that.
func filled(t testing.TB, o *openMachine, execution machine.Execution) *proof {
	t.Helper()
	p := proofFor(t, o, execution)
	if _, err := p.Trace(execution); err != nil {
		t.Fatal(err, o.device.Finding())
	}
	return p
}

// proofFor is a proof with memory for columns and the trace.
func proofFor(t testing.TB, o *openMachine, execution machine.Execution) *proof {
	t.Helper()
	return proofWith(t, o, execution, 0)
}

// proofWith is a proof with the given number of additional bytes.
func proofWith(t testing.TB, o *openMachine, execution machine.Execution, more uint64) *proof {
	t.Helper()
	shape := protocol.NewShape(o.machine, o.params, execution.Instances())
	p := &proof{openMachine: o, shape: shape}
	err := o.device.Bound("begin", func() (err error) {
		r := &rehearsal{arena: cuda.PlanArena(o.arenaOptions(0)), shape: shape}
		if err := r.columns(protocol.Main); err != nil {
			return err
		}
		if _, err := takeCounted(r.result(), shape); err != nil {
			return err
		}
		taken := func(scope *cuda.Scope) error { _, err := takeTrace(scope, p.fillers, shape); return err }
		if err := r.stage(taken); err != nil {
			return err
		}
		p.arena, err = cuda.NewArena(o.device.Context, o.device.Stream, o.arenaOptions(r.arena.Peak()+more))
		o.resident, o.arena = p.arena, p.arena
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		if err := o.device.Bound("close", p.arena.Close); err != nil {
			t.Error(err)
		}
	})
	return p
}

// A guest is a program for the machine rv64im with its inputs.
type guest struct {
	file, private, public []byte
}

// guestRun executes a program with instances of the minimum size.
func guestRun(t testing.TB, g guest) (*riscv.Program, machine.Execution) {
	t.Helper()
	return lateRun(t, g, 0)
}

// lateRun is [guestRun] with a clock that begins after some chunks.
func lateRun(t testing.TB, g guest, chunks uint32) (*riscv.Program, machine.Execution) {
	t.Helper()
	program, err := riscv.New(g.file)
	if err != nil {
		t.Fatal(err)
	}
	program.BeginLate(chunks)
	input := run.Input{Data: append([]byte{}, g.private...), Public: g.public, MinLogHeight: 8, Pool: parallel.New(0)}
	e, err := run.Execute(context.Background(), program, input)
	if err != nil {
		t.Fatal(err)
	}
	return program, e
}

// randomGuest executes every operation on random and extreme values, calls every accelerator, and copies inputs to the
// output.
func randomGuest(seed uint64) guest {
	p := riscvtest.Random(seed, 1200)
	for op := instruction.MUL; op <= instruction.REMUW; op++ {
		for i := range int64(40) {
			p.Op(instruction.LD, 5, riscvtest.EdgeRegister, 0, 8*i)
			p.Op(instruction.LD, 6, riscvtest.EdgeRegister, 0, 8*(i*5%96))
			p.Op(op, 7, 5, 6, 0)
			p.Dump(7)
		}
	}
	callAll(p, times(3, map[*accelerator.Kind]int{&keccakf.Kind: 2, &sha256.Kind: 8, &modmul.Kind: 12}))
	p.CopyInputs()
	return guest{p.ELF(false), []byte("a private input of 30 bytes..."), []byte("public")}
}

// longGuest runs long enough for registers to need REFRESH.
func longGuest() guest { return refreshed(1) }

// refreshed leaves a register unused long enough to need REFRESH a number of times.
func refreshed(times int64) guest {
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 5, 0, 0, 77)
	p.Op(instruction.LUI, 7, 0, 0, times<<17+1<<12)
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -4)
	p.Op(instruction.ADD, 5, 5, 0, 0)
	return guest{file: p.ELF(false)}
}

// callAll appends the given number of calls of each accelerator, and two notes. Every fourth call also reads what it
// writes in another operand. If nothing jumped before, the first call is in a cycle at which the slots of a word that
// was never accessed show in the gap's digit.
func callAll(p *riscvtest.Program, calls map[*accelerator.Kind]int) {
	const registerCode, registerArgument, arguments, operandBytes = 17, 10, 3, 32
	set := func(argument int, base uint8, offset int64) {
		p.Op(instruction.ADDI, registerArgument+uint8(argument), base, 0, offset)
	}
	random := rand.New(rand.NewPCG(11, 12))
	for _, kind := range all.Kinds() {
		for i := range int64(calls[kind]) {
			if riscvtest.HasExamples(kind) {
				p.Example(kind, int(i), random)
				continue
			}
			for argument := range arguments {
				switch {
				case argument >= kind.Arguments():
					set(argument, 0, 0)
				case argument == 0 || argument == 1 && i%4 == 0:
					set(argument, riscvtest.DataRegister, 8*(i%3))
				default: // values that stay
					set(argument, riscvtest.EdgeRegister, operandBytes*(i%24+24*int64(argument-1)))
				}
			}
			p.Op(instruction.ADDI, registerCode, 0, 0, int64(kind.Code))
			for i == 0 && (len(p.Text)+1)%256 != 0 {
				p.Op(instruction.ADDI, 0, 0, 0, 0)
			}
			p.Op(instruction.ECALL, 0, 0, 0, 0)
		}
	}
	p.Note(5, 20)
	p.Note(0, 0)
	p.Op(instruction.LD, 5, riscvtest.DataRegister, 0, 0)
}

// callingGuest calls every accelerator often enough that tables have several instances. The words accessed by one of
// them outnumber all others.
func callingGuest() guest {
	return callingOften(times(40, map[*accelerator.Kind]int{
		&keccakf.Kind: 60, &absorb.Kind: 60, &sha256.Kind: 39, &modmul.Kind: 24}))
}

// times are numbers of calls: of some accelerators, and the same number for all others.
func times(others int, some map[*accelerator.Kind]int) map[*accelerator.Kind]int {
	calls := map[*accelerator.Kind]int{}
	for _, kind := range all.Kinds() {
		calls[kind] = others
		if n, named := some[kind]; named {
			calls[kind] = n
		}
	}
	return calls
}

func callingOften(calls map[*accelerator.Kind]int) guest {
	p := riscvtest.NewProgram(riscvtest.RandomData(rand.New(rand.NewPCG(3, 4))))
	callAll(p, calls)
	return guest{file: p.ELF(false)}
}

// compareGuest fills the tables of a run on the device, expects the host's cells, and returns the tables of the run.
func compareGuest(t *testing.T, b *Backend, g guest) map[string]bool {
	t.Helper()
	program, execution := guestRun(t, g)
	p := filled(t, openFillers(t, b, program.Fillers()), execution)
	for _, m := range mismatches(t, p, execution) {
		t.Error(m, b.device.Finding())
	}
	tables := map[string]bool{}
	for i := range p.shape.Instances {
		tables[p.shape.Table(i).Name] = true
	}
	return tables
}

// The device fills every table of rv64im, and every cell equals the host's.
func TestGuestTracesAreTheHosts(t *testing.T) {
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		program, _ := guestRun(t, randomGuest(b.device.Options.Seed))
		tables := compareGuest(t, b, randomGuest(b.device.Options.Seed))
		for i, table := range program.Machine().Tables {
			if program.Fillers().Tables[i].Device != nil && !tables[table.Name] && table.Name != "REFRESH" {
				t.Errorf("no device has filled table %s", table.Name)
			}
		}
	})
}

// The same holds for the guests, and for a run that is long enough for REFRESH.
func TestTracesOfGuests(t *testing.T) {
	longtest.Only(t)
	comparesOnly(t)
	b := openBackend(t, Options{Seed: 6})
	for _, c := range riscvtest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			compareGuest(t, b, guest{riscvtest.Guest(t, c.Guest), c.Inputs.Private, c.Inputs.Public})
		})
	}
	t.Run("calls", func(t *testing.T) {
		tables := compareGuest(t, b, callingGuest())
		for _, kind := range all.Kinds() {
			if !tables[kind.Table.String()] {
				t.Errorf("no call of %s was compared", kind.Name)
			}
		}
	})
	t.Run("jumps", func(t *testing.T) {
		compareGuest(t, b, guest{file: riscvtest.FormsOf(instruction.JALR, riscvtest.FewPairs).ELF(false)})
	})
	t.Run("long", func(t *testing.T) {
		if !compareGuest(t, b, longGuest())["REFRESH"] {
			t.Error("no register was refreshed")
		}
	})
}
