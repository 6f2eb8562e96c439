package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// guestPreset names the default parameters for programs.
const guestPreset = "rv"

// guestFlags name a RISC-V program and its inputs apart from the private one.
type guestFlags struct {
	elfPath, publicPath string
	exit, maxCycles     uint64
	set                 *pflag.FlagSet
}

func (g *guestFlags) add(set *pflag.FlagSet) {
	g.set = set
	set.StringVar(&g.elfPath, "elf", "", "a RISC-V program to prove instead of a machine: `FILE`")
	set.StringVar(&g.publicPath, "public", "", "a program's public input, part of what is proven: `FILE`")
	set.Uint64Var(&g.exit, "exit", 0, "the exit `CODE` that a program must end with")
	addMaxCycles(set, &g.maxCycles)
}

func addMaxCycles(set *pflag.FlagSet, cycles *uint64) {
	set.Uint64Var(cycles, "max-cycles", rv64im.MaxCycles, "end a program that has not ended after `N` cycles")
}

func checkMaxCycles(cycles uint64) error {
	if cycles == 0 || cycles > rv64im.MaxCycles {
		return Usagef("--max-cycles is %d, want 1 to %d", cycles, rv64im.MaxCycles)
	}
	return nil
}

// given reports whether a program is named, and rejects flags that need one.
func (g *guestFlags) given() (bool, error) {
	if g.elfPath != "" {
		return true, checkMaxCycles(g.maxCycles)
	}
	for _, name := range []string{"public", "exit", "max-cycles"} {
		if g.set.Changed(name) {
			return false, Usagef("--%s applies to programs: it needs --elf PROGRAM.elf", name)
		}
	}
	return false, nil
}

// public reads the public input.
func (g *guestFlags) public() ([]byte, error) {
	if g.publicPath == "" {
		return nil, nil
	}
	data, err := readFile(g.publicPath, maxInputBytes)
	if err != nil {
		return nil, Usagef("--public: %w", err)
	}
	return data, nil
}

// checkExit rejects a run whose exit code is not the requested one.
func (g *guestFlags) checkExit(public circuit.Public) error {
	run, err := statement.Read(public)
	if err != nil || run.Exit == g.exit {
		return err
	}
	return fmt.Errorf("%s ended with exit code %d, want %d: --exit %d would prove it", g.elfPath, run.Exit, g.exit,
		run.Exit)
}

// openGuest reads a program and makes its machine.
func openGuest(path string) (*riscv.Program, error) {
	data, err := readFile(path, maxELFBytes)
	if err != nil {
		return nil, &usageError{err}
	}
	guest, err := riscv.New(data)
	if err != nil {
		return nil, Usagef("%s: %w", path, err)
	}
	return guest, nil
}

// presetFor returns the named preset, or the default for programs.
func presetFor(set *pflag.FlagSet, name string, guest bool) (protocol.Preset, error) {
	if guest && !set.Changed("params") {
		name = guestPreset
	}
	preset, err := protocol.PresetByName(name)
	if err != nil {
		return preset, Usagef("--params: %w", err)
	}
	return withHash(set, preset)
}

// withHash returns the preset with the hash function that --hash names, if any.
func withHash(set *pflag.FlagSet, preset protocol.Preset) (protocol.Preset, error) {
	name, err := set.GetString("hash")
	if err != nil || name == "" {
		return preset, err
	}
	if preset.Params.Hash, err = merkle.ParseHash(name); err != nil {
		return preset, Usagef("--hash: %w", err)
	}
	return preset, nil
}

// resolveGuest reads the program and its inputs. Without a file and without a size, the private input is empty.
func (w *workload) resolveGuest(stdin io.Reader) error {
	if w.machineName != "" {
		return Usagef("--machine and --elf exclude each other: the machine of programs is %s", statement.Name)
	}
	guest, err := openGuest(w.guest.elfPath)
	if err != nil {
		return err
	}
	w.program = guest
	if w.public, err = w.guest.public(); err != nil {
		return err
	}
	sized := w.set.Changed("size")
	switch {
	case sized && w.inputPath != "":
		return Usagef("--size and --input exclude each other")
	case w.inputsPath != "" && (sized || w.inputPath != ""):
		return Usagef("--inputs excludes --size and --input")
	case sized && (w.size < 1 || w.size > memorymap.MaxPrivateBytes):
		return Usagef("--size is %d, want 1 to %d bytes of private input", w.size, memorymap.MaxPrivateBytes)
	case w.inputPath != "":
		w.input, err = readInput(w.inputPath, stdin)
	case w.inputsPath != "":
		w.inputs, err = readInputs(w.inputsPath)
	case !sized:
		w.input = []byte{}
	}
	if err != nil {
		return err
	}
	if err := (memory.Inputs{Private: w.input, Public: w.public}).Check(); err != nil {
		return &usageError{err}
	}
	return nil
}

func (p *program) programIDCommand() *cobra.Command {
	var presetName string
	cmd := &cobra.Command{
		Use:   "program-id PROGRAM.elf",
		Short: "Print the id by which verifiers know a RISC-V program",
		Long: `Print the id of a RISC-V program: 64 hexadecimal digits that stand for its code and data and the machine.
With BLAKE3, the hash of rv, shard and the small presets, a program has one id whatever the parameters. With
--hash keccak it has one for each blowup and cap height. Whoever has the id from someone trusted verifies proofs
without the program's file: prover verify PROOF --program ID.`,
		Args: Exactly("PROGRAM.elf"),
		RunE: func(cmd *cobra.Command, args []string) error {
			preset, err := presetFor(cmd.Flags(), presetName, true)
			if err != nil {
				return err
			}
			guest, err := openGuest(args[0])
			if err != nil {
				return err
			}
			key, err := setup.NewKey(guest.Machine(), preset.Params)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "%x\n", key.ProgramID())
			return err
		},
	}
	addParamsFlag(cmd.Flags(), &presetName)
	return cmd
}
