package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/profile"
	riscv "github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

// maxELFBytes is far more than the code and data that fit; symbols may be larger.
const maxELFBytes = 256 << 20

// guestRun holds the flags of run.
type guestRun struct {
	elfPath, inputPath, publicPath string
	outputPath, profilePath        string
	maxCycles                      uint64
	json, debug, cargo             bool
	build                          guestBuild
}

func (p *program) runCommand() *cobra.Command {
	var run guestRun
	cmd := &cobra.Command{
		Use:   "run PROGRAM.elf|--cargo [FOLDER] [--input FILE] [--public FILE]",
		Short: "Run a RISC-V program without proving it",
		Long: `Run a RISC-V program (a static ELF for rv64im) without proving, and print its exit code, its public
output, its cycles and what a proof would take: rows of tables, committed cells, memory.

--cargo first builds the program of a folder (default: this one), as prover build does.

--debug prints registers and calls on stderr when a program traps or ends with an exit code other than 0.

If a run is interrupted, reaches --max-cycles or traps, the error names the function and address, and --profile has
the cycles until then.

Exit codes: 0 if the program ends with exit code 0; 1 if it ends with another code, traps, or does not
end; 2 if its files cannot be read or it is not a program for this machine; 130 interrupted.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if run.cargo && len(args) == 0 {
				return nil
			}
			return Exactly("PROGRAM.elf")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if run.cargo {
				if err := p.buildToRun(&run, args); err != nil {
					return err
				}
			} else {
				if name := run.build.given(cmd.Flags()); name != "" {
					return Usagef("--%s is for a build: it needs --cargo [FOLDER] instead of PROGRAM.elf", name)
				}
				run.elfPath = args[0]
			}
			return p.runGuest(&run)
		},
	}
	cmd.Flags().StringVar(&run.inputPath, "input", "",
		"the private input, known to the prover alone: `FILE`; - reads stdin")
	cmd.Flags().StringVar(&run.publicPath, "public", "", "the public input, part of what is proven: `FILE`")
	cmd.Flags().StringVar(&run.outputPath, "output", "", "where to write the public output: `FILE`")
	cmd.Flags().StringVar(&run.profilePath, "profile", "",
		"where to write cycles and cells by function, for go tool pprof: `FILE`.pb.gz")
	addMaxCycles(cmd.Flags(), &run.maxCycles)
	cmd.Flags().BoolVar(&run.json, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&run.debug, "debug", false, "print registers and calls when the program traps or fails")
	cmd.Flags().BoolVar(&run.cargo, "cargo", false, "build the program of a folder, and run it")
	run.build.addFlags(cmd)
	return cmd
}

func (p *program) runGuest(run *guestRun) error {
	inputs, err := p.guestFiles(run)
	if err != nil {
		return err
	}
	guest, err := loadGuest(run.elfPath)
	if err != nil {
		return err
	}
	ctx, stop := p.interruptible()
	defer stop()
	report, err := p.execute(ctx, run, guest, inputs)
	if err != nil {
		return err
	}
	if run.outputPath != "" {
		if err := writeWhole(run.outputPath, report.output); err != nil {
			return err
		}
	}
	if err := p.printGuest(run, report); err != nil {
		return err
	}
	if report.Exit != 0 {
		return fmt.Errorf("%s ended with exit code %d: prove and verify reject the run unless --exit names the code",
			run.elfPath, report.Exit)
	}
	return nil
}

// buildToRun builds the program of a folder, which must have exactly one.
func (p *program) buildToRun(run *guestRun, args []string) error {
	run.build.folder = "."
	if len(args) == 1 {
		run.build.folder = args[0]
	}
	ctx, stop := p.interruptibleSaying(endsCompiler)
	defer stop()
	built, err := p.buildGuest(ctx, &run.build)
	if err != nil {
		return err
	}
	if len(built) > 1 {
		return Usagef("--cargo: %s has %d programs; build it and run one of %s", run.build.folder, len(built),
			strings.Join(built, ", "))
	}
	run.elfPath = built[0]
	return nil
}

// guestFiles checks the flags and reads the inputs.
func (p *program) guestFiles(run *guestRun) (in memory.Inputs, err error) {
	if err := checkMaxCycles(run.maxCycles); err != nil {
		return in, err
	}
	outputs := []namedFile{{"--output", run.outputPath}, {"--profile", run.profilePath}}
	files := append([]namedFile{{"the program", run.elfPath}, {"--public", run.publicPath}}, outputs...)
	if run.inputPath != "-" {
		files = append(files, namedFile{"--input", run.inputPath})
	}
	if err := distinct(files); err != nil {
		return in, err
	}
	for _, out := range outputs {
		if err := writable(out.flag, out.path); err != nil {
			return in, err
		}
	}
	if run.inputPath != "" {
		if in.Private, err = readInput(run.inputPath, p.stdin); err != nil {
			return in, err
		}
	}
	if run.publicPath != "" {
		if in.Public, err = readFile(run.publicPath, maxInputBytes); err != nil {
			return in, Usagef("--public: %w", err)
		}
	}
	if err := in.Check(); err != nil {
		return in, &usageError{err}
	}
	return in, nil
}

// loadGuest reads a program.
func loadGuest(path string) (*riscv.Program, error) {
	data, err := readFile(path, maxELFBytes)
	if err != nil {
		return nil, &usageError{err}
	}
	file, err := elf.Load(data)
	if err != nil {
		return nil, Usagef("%s: %w", path, err)
	}
	guest, err := riscv.New(file)
	if err != nil {
		return nil, Usagef("%s: %w", path, err)
	}
	return guest, nil
}

func (p *program) execute(ctx context.Context, run *guestRun, guest *riscv.Program,
	in memory.Inputs) (*guestReport, error) {
	tally := replay.NewTally(guest)
	var profiled *profile.Profile
	if run.profilePath != "" {
		profiled = profile.New(guest)
	}
	bar := newCycles(p.stderr, run.json)
	shown := &notes{out: p.stderr, bar: bar}
	stack := stackWatch{guest: guest}
	result, err := emulator.Run(ctx, guest, in, emulator.Options{
		Limit: run.maxCycles,
		Note:  shown.ofRun(),
		Observe: func(c *emulator.Chunk) error {
			bar.add(uint64(c.Cycles))
			stack.observe(c)
			if err := tally.Observe(c); err != nil || profiled == nil {
				return err
			}
			return replay.Visit(guest, c, profiled.Add)
		},
	})
	bar.done()
	stack.warn(p.stderr)
	if run.debug {
		debugTrap(p.stderr, guest, err)
		if err == nil && result.Exit != 0 {
			printState(p.stderr, guest, result.End.X, result.Memory)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", run.elfPath, err)
	}
	if profiled != nil { // also after a failure: the profile may show the cause
		err = errors.Join(err, writeProfile(run.profilePath, profiled))
	}
	if err != nil {
		return nil, err
	}
	return newGuestReport(guest, result, tally.Rows(in, result)), nil
}

func writeProfile(path string, profiled *profile.Profile) error {
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(profiled.Write(writer)) }()
	data, err := io.ReadAll(reader)
	if err != nil {
		return fmt.Errorf("--profile: %w", err)
	}
	return writeWhole(path, data)
}
