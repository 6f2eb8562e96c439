package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
)

// workload is the statement to prove, as selected by the flags.
type workload struct {
	machineName string
	inputPath   string
	inputsPath  string
	size        int
	preset      string
	minBits     int
	guest       guestFlags
	shards      shardFlags
	set         *pflag.FlagSet

	program    run.Program
	params     protocol.Params
	aim        circuit.Aim // of the plan of instances
	aggregated bool        // shards are lifted
	ran        *run.Run    // of the input, for the next proof; nil if the program must run
	input      []byte      // of inputPath; nil if the seed decides the input
	inputs     [][]byte    // of the files in inputsPath
	public     []byte      // a program's public input
	pool       *parallel.Pool

	progress func(cycles uint64) // during a program's planning run; nil shows nothing
	notes    *notes              // shows the notes of a program's first run; nil drops them
}

func addWorkloadFlags(set *pflag.FlagSet) *workload {
	w := addStatementFlags(set)
	set.IntVar(&w.minBits, "min-bits", -1,
		"refuse to prove with fewer proven bits than this (default: the bits of the parameters)")
	set.Lookup("min-bits").DefValue = "0" // not shown: the text says what is taken
	return w
}

// addStatementFlags adds the flags that select the statement and its parameters.
func addStatementFlags(set *pflag.FlagSet) *workload {
	w := &workload{set: set}
	set.StringVar(&w.machineName, "machine", "",
		"the machine: a `NAME` that prover machines lists (this or --elf is required)")
	w.guest.add(set)
	set.StringVar(&w.inputPath, "input", "", "the input, for programs the private input: `FILE`; - reads stdin")
	set.IntVar(&w.size, "size", 0, "use a synthetic input of `N` units (for programs: bytes) instead of a file")
	addParamsFlag(set, &w.preset)
	return w
}

func addParamsFlag(set *pflag.FlagSet, preset *string) {
	set.StringVar(preset, "params", protocol.Presets()[0].Name,
		"parameters: a `NAME` that prover params lists (default: "+protocol.Presets()[0].Name+", for programs "+guestPreset+
			", for shards "+shardPreset+")")
	set.Lookup("params").DefValue = "" // not shown: the text says what is taken
	set.String("hash", "", "hash function of trees and transcript: keccak or blake3 (default: that of the parameters)")
}

// resolve turns flags into a program, parameters and, if a file is named, the input.
func (w *workload) resolve(stdin io.Reader) error {
	guest, err := w.guest.given()
	if err != nil {
		return err
	}
	if err := w.shards.check(); err != nil {
		return err
	}
	if err := w.resolveParams(guest); err != nil {
		return err
	}
	if guest {
		return w.resolveGuest(stdin)
	}
	return w.resolveMachine(stdin)
}

// resolveParams finds the parameters.
func (w *workload) resolveParams(guest bool) error {
	name, whole := w.preset, !w.shards.given()
	if !whole && !w.set.Changed("params") {
		name = shardPreset
		if w.aggregated {
			name = liftPreset
		}
	}
	preset, err := presetFor(w.set, name, guest && whole)
	if err != nil {
		return err
	}
	w.params, w.aim = preset.Params, preset.Aim
	if !w.set.Changed("min-bits") {
		w.minBits = preset.Bits
	} else if err := checkMinBits(w.minBits); err != nil {
		return err
	}
	return nil
}

// inShards changes a resolved workload to this number of shards.
func (w *workload) inShards(count int) error {
	w.shards.count, w.shards.chosen = count, true
	return w.resolveParams(true)
}

// resolveMachine finds the machine, and reads its input or checks the size of a synthetic one.
func (w *workload) resolveMachine(stdin io.Reader) (err error) {
	if w.program, err = lookup(w.machineName); err != nil {
		return err
	}
	if w.inputsPath != "" {
		return Usagef("--inputs applies to programs: it needs --elf PROGRAM.elf")
	}
	sized := w.set.Changed("size")
	switch {
	case sized && w.inputPath != "":
		return Usagef("--size and --input exclude each other")
	case !sized && w.inputPath == "":
		return Usagef("--input FILE or --size N is missing")
	case sized && w.size < 1:
		return Usagef("--size is %d, want at least 1", w.size)
	}
	if w.inputPath != "" {
		if w.input, err = readInput(w.inputPath, stdin); err != nil {
			return err
		}
	}
	if sized {
		if _, err := estimate(w.program, w.size, w.params.MinLogHeight); err != nil {
			return err
		}
	}
	return nil
}

// lookup finds the machine that --machine names.
func lookup(name string) (run.Program, error) {
	if name == "" {
		return nil, Usagef("--machine is missing: one of %q; or --elf PROGRAM.elf", all.Names())
	}
	if all.OfPrograms(name) {
		return nil, Usagef("--machine %s proves programs: name one with --elf PROGRAM.elf", name)
	}
	program, err := all.Lookup(name)
	if err != nil {
		return nil, Usagef("--machine: %w", err)
	}
	return program, nil
}

// maxInputBytes is more than any machine's largest input: keccak's is about 1.5 GB.
const maxInputBytes = 2 << 30

// readInput reads a whole file. An empty file is an empty slice, not nil.
func readInput(path string, stdin io.Reader) ([]byte, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = readAtMost("stdin", stdin, 0, maxInputBytes)
	} else {
		data, err = readFile(path, maxInputBytes)
	}
	if err != nil {
		return nil, Usagef("--input: %w", err)
	}
	return data, nil
}

// readInputs reads the private inputs of a program: the files of a folder, by name. Names that begin with a period are
// skipped.
func readInputs(folder string) ([][]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, Usagef("--inputs: %w", err)
	}
	var inputs [][]byte
	room := int64(maxInputBytes)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		data, err := readFile(path, room)
		if err != nil {
			return nil, Usagef("--inputs: %w", err)
		}
		if err := (memory.Inputs{Private: data}).Check(); err != nil {
			return nil, Usagef("--inputs %s: %w", path, err)
		}
		room -= int64(len(data))
		inputs = append(inputs, data)
	}
	if len(inputs) == 0 {
		return nil, Usagef("--inputs %s: the folder has no files", folder)
	}
	return inputs, nil
}

func checkMinBits(bits int) error {
	if bits < 0 || bits > soundness.HashBits {
		return Usagef("--min-bits is %d, want 0 to %d", bits, soundness.HashBits)
	}
	return nil
}

// sized reports whether the size is in the program's units, and thus determines the shape of a proof.
func (w *workload) sized() bool {
	if !w.synthetic() {
		return false
	}
	_, err := w.program.Estimate(w.size, w.params.MinLogHeight, nil)
	return !errors.Is(err, run.ErrRunFirst)
}

// synthetic reports whether seeds decide inputs: they are generated from seeds, or chosen from a folder.
func (w *workload) synthetic() bool { return w.input == nil }

// begin runs the program on an input. It does not check the statement of a run that is known only at its end: the
// engine does.
func (w *workload) begin(ctx context.Context, input run.Input) (*run.Run, error) {
	if r := w.ran; r != nil {
		w.ran = nil
		return r, w.check(r.Public)
	}
	w.shards.made = 0
	r, err := w.program.Run(ctx, input)
	switch count := w.shards.made; {
	case count > protocol.MaxShards:
		return nil, Usagef("--shard-cycles %d makes %d shards, want at most %d", w.shards.cycles, count, protocol.MaxShards)
	case errors.Is(err, run.ErrWhole):
		return nil, Usagef("--shards: machine %s cannot be proven in shards; programs can, with --elf",
			w.program.Machine().Name)
	case err != nil:
		return nil, w.failed(err)
	case r.Speculative || r.Instances == nil:
		return r, nil
	}
	return r, w.check(r.Public)
}

// planned runs the program on the input, or on the synthetic input of seed 0, and cuts its run. The program keeps no
// records of it.
func (w *workload) planned(ctx context.Context, cut run.Cut) (*run.Run, error) {
	input := w.inputOf(0)
	input.Cut, input.Plan = cut, true
	return w.begin(ctx, input)
}

// inputOf returns the input, or the synthetic input generated from the seed, of a whole run.
func (w *workload) inputOf(seed uint64) run.Input {
	input := run.Input{
		Data:         w.input,
		Public:       w.public,
		Size:         w.size,
		Seed:         seed,
		MinLogHeight: w.params.MinLogHeight,
		Aim:          w.aim,
		Pool:         w.pool,
		Progress:     w.progress,
		Note:         w.notes.ofRun(),
	}
	if n := uint64(len(w.inputs)); n > 0 {
		input.Data = w.inputs[seed%n]
	}
	if w.guest.elfPath != "" {
		input.Limit = w.guest.maxCycles
	}
	return input
}

// failed adds the program's path to an error of its run.
func (w *workload) failed(err error) error {
	if w.guest.elfPath == "" {
		return err
	}
	return fmt.Errorf("%s: %w", w.guest.elfPath, err)
}

// failedRun is failed for an error that need not come from the program's run.
func (w *workload) failedRun(err error) error {
	var trap *emulator.Trap
	var limit *emulator.LimitError
	if errors.As(err, &trap) || errors.As(err, &limit) {
		return w.failed(err)
	}
	return err
}

// check rejects a run of a program whose exit code is not the requested one. It does not read the statement of other
// machines, whose runs may still be executing.
func (w *workload) check(public func() circuit.Public) error {
	if w.guest.elfPath == "" {
		return nil
	}
	return w.guest.checkExit(public())
}

// estimate returns the instances of a size, if the program can derive them.
func estimate(program run.Program, size, minLogHeight int) ([]circuit.Instance, error) {
	instances, err := program.Estimate(size, minLogHeight, nil)
	switch {
	case errors.Is(err, run.ErrRunFirst):
		return nil, Usagef("--size: machine %s derives what a proof takes only from a run", program.Machine().Name)
	case err != nil:
		return nil, Usagef("--size %d: %w", size, err)
	}
	return instances, nil
}

// hex32 decodes the value of a flag: 64 hexadecimal digits.
func hex32(flag, value string) ([32]byte, error) {
	var out [32]byte
	decoded, err := hex.DecodeString(value)
	if err != nil || len(decoded) != len(out) {
		return out, Usagef("%s %q: want 64 hexadecimal digits", flag, value)
	}
	copy(out[:], decoded)
	return out, nil
}

// bytesText formats a number of bytes for messages.
func bytesText(n uint64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	exponent := int(math.Log2(float64(n)) / 10)
	return fmt.Sprintf("%.1f %ciB", float64(n)/math.Pow(unit, float64(exponent)), "KMGTPE"[exponent-1])
}
