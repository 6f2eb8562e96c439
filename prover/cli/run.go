package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
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

// guestReport describes a run and the predicted cost of its proof.
type guestReport struct {
	Image         string            `json:"image"` // SHA-256 of the loaded image
	Exit          uint64            `json:"exit"`
	Cycles        uint64            `json:"cycles"`
	Misaligned    uint64            `json:"misaligned_accesses"`
	OutputBytes   int               `json:"output_bytes"`
	OutputSHA256  string            `json:"output_sha256"`
	Instructions  map[string]uint64 `json:"instructions"` // by class
	Rows          map[string]int    `json:"rows"`         // by table
	Instances     int               `json:"instances"`    // these are 0 if no proof can hold the run
	Cells         uint64            `json:"cells"`
	CellsPerCycle float64           `json:"cells_per_cycle"`
	MemoryBytes   uint64            `json:"memory_bytes"`
	OnlyInShards  string            `json:"only_in_shards,omitempty"` // why no proof can hold the run

	output []byte
	plan   instances.Plan
	rows   [table.Count]int
}

// cellBytes is the memory of a committed cell in a proof with blowup 2.
const cellBytes = 16

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
	r := &guestReport{
		Exit:         result.Exit,
		Cycles:       result.Cycles,
		Misaligned:   result.Misaligned,
		output:       result.Output,
		OutputBytes:  len(result.Output),
		Instructions: map[string]uint64{},
		Rows:         map[string]int{},
		rows:         tally.Rows(in, result),
	}
	image, digest := guest.File.ImageDigest(), sha256.Sum256(result.Output)
	r.Image, r.OutputSHA256 = hex.EncodeToString(image[:]), hex.EncodeToString(digest[:])
	for i, n := range result.Executed {
		if n > 0 {
			r.Instructions[guest.Code[i].Op.Class().String()] += n
		}
	}
	for t, n := range r.rows {
		if n > 0 {
			r.Rows[table.Table(t).String()] = n
		}
	}
	r.predict()
	return r, nil
}

// predict adds the predicted cost of a proof of the whole run. Tables have a maximum height, so a long run may have no
// such proof.
func (r *guestReport) predict() {
	var err error
	if r.plan, err = instances.Choose(r.rows); err != nil {
		r.OnlyInShards = err.Error()
		return
	}
	r.Instances, r.Cells = r.plan.Instances()+len(table.Fixed), r.plan.Cells()
	r.CellsPerCycle = float64(r.Cells) / float64(r.Cycles)
	r.MemoryBytes = cellBytes * r.Cells
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

// maxOutputShown is the largest length, in bytes, of a public output that is printed.
const maxOutputShown = 64

// outputText formats the public output.
func (r *guestReport) outputText() string {
	switch {
	case len(r.output) == 0:
		return "none"
	case len(r.output) > maxOutputShown:
		return fmt.Sprintf("%d bytes: SHA-256 %s", len(r.output), r.OutputSHA256)
	}
	return fmt.Sprintf("%s: %x", plural.Of(len(r.output), "byte"), r.output)
}

func (p *program) printGuest(run *guestRun, r *guestReport) error {
	if run.json {
		return json.NewEncoder(p.stdout).Encode(r)
	}
	fmt.Fprintf(p.stdout, "image       %s\nexit code   %d\noutput      %s\ncycles      %d\nmisaligned  %s\n\n",
		r.Image, r.Exit, r.outputText(), r.Cycles, plural.Of(r.Misaligned, "access"))
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "instructions\tnumber\tshare\t\n")
	for c := range instruction.Class(instruction.ClassCount) {
		if n := r.Instructions[c.String()]; n > 0 {
			fmt.Fprintf(out, "%s\t%d\t%.1f %%\t\n", c, n, 100*float64(n)/float64(r.Cycles))
		}
	}
	fmt.Fprint(out, "\t\t\t\n")
	fmt.Fprint(out, "table\trows\tcells a row\tcells a cycle\theights\t\n")
	order := make([]table.Table, 0, table.Count)
	for t := range table.Table(table.Count) {
		if r.rows[t] > 0 {
			order = append(order, t)
		}
	}
	slices.SortStableFunc(order, func(a, b table.Table) int { return r.cells(b) - r.cells(a) })
	for _, t := range order {
		fmt.Fprintf(out, "%s\t%d\t%d\t%.2f\t%v\t\n", t, r.rows[t], table.Cells(t), float64(r.cells(t))/float64(r.Cycles),
			r.plan[t])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if r.OnlyInShards != "" {
		_, err := fmt.Fprintf(p.stdout, "\na proof     only in shards, with --shards or --memory: %s\n", r.OnlyInShards)
		return err
	}
	fmt.Fprintf(p.stdout, "\na proof     %d instances, %d cells with padding, lookup tables and quotients (%.1f a "+
		"cycle)\nmemory      about %s at blowup 2\n",
		r.Instances, r.Cells, r.CellsPerCycle, bytesText(r.MemoryBytes))
	return nil
}

// cells returns the number of cells of a table's rows, without padding.
func (r *guestReport) cells(t table.Table) int { return r.rows[t] * table.Cells(t) }

// cycles shows a run's progress on a terminal, and nothing elsewhere.
type cycles struct {
	bar     *progressbar.ProgressBar
	pending uint64
}

func newCycles(stderr io.Writer, quiet bool) *cycles {
	file, ok := stderr.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		return &cycles{}
	}
	return &cycles{bar: progressbar.NewOptions64(-1, progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetDescription("cycles"),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("cycles"),
		progressbar.OptionClearOnFinish())}
}

// add counts cycles. A failure to draw the bar does not stop the run.
func (c *cycles) add(n uint64) {
	const step = 1 << 20
	if c.pending += n; c.bar != nil && c.pending >= step {
		_ = c.bar.Add64(int64(c.pending))
		c.pending = 0
	}
}

// hide removes the bar for good.
func (c *cycles) hide() {
	if c != nil && c.bar != nil {
		_ = c.bar.Clear()
		c.bar = nil
	}
}

func (c *cycles) done() {
	if c.bar != nil {
		_ = c.bar.Finish()
	}
}
