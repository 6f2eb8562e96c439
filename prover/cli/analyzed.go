package cli

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/run"
)

// analyzed holds the flags of params that describe the proof to analyze.
type analyzed struct {
	set         *pflag.FlagSet
	machineName string
	size        int
	cycles      uint64
	run         guestRun
}

func addAnalyzedFlags(set *pflag.FlagSet) *analyzed {
	a := &analyzed{set: set}
	set.StringVar(&a.machineName, "machine", "keccak", "the machine whose proofs are analyzed: `NAME`")
	set.IntVar(&a.size, "size", 16384, "their size in the machine's units: `N`")
	set.Uint64Var(&a.cycles, "cycles", 0, "the length of a RISC-V program's run: `N`")
	set.StringVar(&a.run.elfPath, "elf", "", "the RISC-V program whose run is analyzed: `FILE`")
	set.StringVar(&a.run.inputPath, "input", "", "its private input: `FILE`; - reads stdin")
	set.StringVar(&a.run.publicPath, "public", "", "its public input: `FILE`")
	addMaxCycles(set, &a.run.maxCycles)
	return a
}

// proofShape is the shape of a proof whose parameters are not chosen yet.
type proofShape struct {
	program   run.Program
	size      int
	public    circuit.Public
	instances func(minLogHeight int) ([]circuit.Instance, error)
}

func (a *analyzed) shape(ctx context.Context, p *program) (*proofShape, error) {
	if a.set.Changed("cycles") && (a.cycles < 1 || a.cycles > rv64im.MaxCycles) {
		return nil, Usagef("--cycles is %d, want 1 to %d", a.cycles, rv64im.MaxCycles)
	}
	switch {
	case a.run.elfPath != "":
		for _, name := range []string{"machine", "size"} {
			if a.set.Changed(name) && !(name == "machine" && all.OfPrograms(a.machineName)) {
				return nil, Usagef("--%s and --elf exclude each other", name)
			}
		}
		return a.ofRun(ctx, p)
	case all.OfPrograms(a.machineName) && a.cycles > 0 && !a.set.Changed("size"):
		return a.ofMix()
	case all.OfPrograms(a.machineName):
		return nil, Usagef("--machine %s: how long is the run? Set --cycles N, or --elf PROGRAM.elf", a.machineName)
	}
	for _, name := range []string{"cycles", "input", "public", "max-cycles"} {
		if a.set.Changed(name) {
			return nil, Usagef("--%s applies to programs: it needs --elf PROGRAM.elf or --machine %s", name, statement.Name)
		}
	}
	return a.ofSize()
}

// ofSize returns the shape of a proof of a machine that derives its instances from a size. The statement does not
// affect the shape.
func (a *analyzed) ofSize() (*proofShape, error) {
	program, err := all.Lookup(a.machineName)
	if err != nil {
		return nil, Usagef("--machine: %w", err)
	}
	if a.size < 1 {
		return nil, Usagef("--size is %d, want at least 1", a.size)
	}
	return &proofShape{
		program: program, size: a.size,
		public:    circuit.Public{Values: make([]goldilocks.Element, len(program.Machine().PublicNames))},
		instances: func(minLogHeight int) ([]circuit.Instance, error) { return estimate(program, a.size, minLogHeight) },
	}, nil
}

// maxProgramLogHeight is the log height of the preprocessed tables of the largest program.
const maxProgramLogHeight = 20

// ofMix returns the shape for a run of a.cycles cycles of the instruction mix, of the largest program with the
// longest statement.
func (a *analyzed) ofMix() (*proofShape, error) {
	program, err := riscv.Known(circuit.Image{}, maxProgramLogHeight, maxProgramLogHeight)
	if err != nil {
		return nil, err
	}
	return ofRows(program, instances.Mixed(a.cycles), longest(a.cycles), a.cycles), nil
}

// ofRun returns the shape for the program's run, or for a run of a.cycles cycles with the same proportions.
func (a *analyzed) ofRun(ctx context.Context, p *program) (*proofShape, error) {
	inputs, err := p.guestFiles(&a.run)
	if err != nil {
		return nil, err
	}
	program, err := openGuest(a.run.elfPath)
	if err != nil {
		return nil, err
	}
	report, err := p.execute(ctx, &a.run, program.Guest(), inputs)
	if err != nil {
		return nil, err
	}
	if a.cycles == 0 {
		return ofRows(program, report.rows, riscv.Statement(report.Cycles, inputs.Public, report.output), report.Cycles), nil
	}
	return ofRows(program, instances.Scaled(report.rows, report.Cycles, a.cycles), longest(a.cycles), a.cycles), nil
}

// longest returns a statement with public input and output of the maximum length.
func longest(cycles uint64) circuit.Public {
	bytes := make([]byte, memorymap.MaxPublicBytes)
	return riscv.Statement(cycles, bytes, bytes)
}

func ofRows(program *riscv.Program, rows [table.Count]int, public circuit.Public, cycles uint64) *proofShape {
	return &proofShape{
		program: program, size: int(cycles), public: public,
		instances: func(minLogHeight int) ([]circuit.Instance, error) { return program.InstancesOf(rows, minLogHeight) },
	}
}
