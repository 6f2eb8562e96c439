package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/protocol"
)

func main() { os.Exit(benchmark(os.Args[1:], os.Stdout, os.Stderr)) }

// The default sizes: keccak from 2^10 permutations to more than fits 140 GB, both powers of two and sizes that fill the
// tables to the last row (24 rows a permutation); fib from 2^16 to 2^22 steps.
const (
	defaultKeccak = "1024,2048,4096,8192,16384,21845,43690,87381"
	defaultFib    = "65536,1048576,4194304"
)

// parseSizes reads a list such as 1024,2048.
func parseSizes(flag, list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var sizes []int
	for _, text := range strings.Split(list, ",") {
		size, err := strconv.Atoi(text)
		if err != nil || size < 1 {
			return nil, fmt.Errorf("--%s: %q is not a size, want numbers of at least 1, separated by commas", flag, text)
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}

// options holds the flags' values.
type options struct {
	folder, out, device, params string
	sizes                       map[string][]int // by machine
	cpuSizes                    []int            // of keccak
	proofs                      int
	timeout, budget             time.Duration
	skipKernels                 bool
}

// benchmark is main with its arguments. It returns 0 if everything was measured and every proof was valid, 1 if not,
// and 2 for wrong flags.
func benchmark(args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if errors.Is(err, pflag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "gpubench: %v\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{options: o, log: stderr, start: time.Now()}
	report, err := b.measure(ctx)
	if report != nil {
		err = errors.Join(err, report.write(o.out))
		report.print(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "gpubench: %v\n", err)
		return 1
	}
	return 0
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	set := pflag.NewFlagSet("gpubench", pflag.ContinueOnError)
	set.SetOutput(stderr)
	keccak := set.String("keccak", defaultKeccak, "sizes of keccak proofs; empty for none")
	fib := set.String("fib", defaultFib, "sizes of fib proofs; empty for none")
	onCPU := set.String("cpu-sizes", "", "keccak sizes to prove on this host's CPU too, for the ratio")
	set.StringVar(&o.folder, "dir", ".", "the folder that `make gpu-build` filled")
	set.StringVar(&o.out, "out", "bench.json", "the file to write")
	set.StringVar(&o.device, "device", "",
		"softgpu proves on the software device, and leaves out limits and kernels, which it cannot measure (default: the "+
			"first GPU)")
	set.StringVar(&o.params, "params", protocol.Presets()[0].Name, "parameters of the proofs")
	set.IntVar(&o.proofs, "proofs", 5, "warm proofs of each size")
	set.DurationVar(&o.timeout, "timeout", 3*time.Minute, "the longest that one program or one proof may take")
	set.DurationVar(&o.budget, "budget", 5*time.Minute, "sizes that would begin after this are recorded as left out")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	o.sizes = map[string][]int{}
	var errKeccak, errFib, errCPU error
	o.sizes["keccak"], errKeccak = parseSizes("keccak", *keccak)
	o.sizes["fib"], errFib = parseSizes("fib", *fib)
	o.cpuSizes, errCPU = parseSizes("cpu-sizes", *onCPU)
	if err := errors.Join(errKeccak, errFib, errCPU); err != nil {
		return nil, err
	}
	o.skipKernels = strings.HasPrefix(o.device, "softgpu")
	return o, o.check()
}

func (o *options) check() error {
	if o.proofs < 1 {
		return fmt.Errorf("--proofs is %d, want at least 1", o.proofs)
	}
	if o.timeout <= 0 || o.budget <= 0 {
		return errors.New("--timeout and --budget must be above 0")
	}
	if o.device != "" && !o.skipKernels {
		return fmt.Errorf("--device %s: only softgpu or softgpu:checked can be named; CUDA_VISIBLE_DEVICES chooses a GPU "+
			"for everything that is measured", o.device)
	}
	if _, err := protocol.PresetByName(o.params); err != nil {
		return fmt.Errorf("--params: %w", err)
	}
	if info, err := os.Stat(filepath.Dir(o.out)); err != nil || !info.IsDir() {
		return fmt.Errorf("--out %s: its folder does not exist", o.out)
	}
	needed := []string{"prover", "kernels"}
	if o.skipKernels {
		needed = needed[:1]
	} else {
		needed = append(needed, deviceBenchmarks, backendBenchmarks)
	}
	for _, name := range needed {
		if _, err := os.Stat(filepath.Join(o.folder, name)); err != nil {
			return fmt.Errorf("--dir %s: %s is missing; `make gpu-build` makes it", o.folder, name)
		}
	}
	return nil
}

// path returns the absolute path of a file of the folder, so that it names a program wherever it is run.
func (o *options) path(name string) string {
	path, err := filepath.Abs(filepath.Join(o.folder, name))
	if err != nil {
		return filepath.Join(o.folder, name)
	}
	return path
}

// bench is one run.
type bench struct {
	*options
	log     io.Writer
	start   time.Time
	scratch string // a folder for proofs and traces
}

func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.log, "%5.0f s  %s\n", time.Since(b.start).Seconds(), fmt.Sprintf(format, args...))
}

// measure takes all measurements. Without the device or its limits there is no report. Later failures are recorded in
// the report and returned as an error.
func (b *bench) measure(ctx context.Context) (*report, error) {
	r := &report{Schema: schema, Time: b.start.UTC().Format(time.RFC3339), Params: b.params, Kernels: []kernelReport{},
		Stages: []stageReport{}, Proofs: []proofReport{}}
	if err := b.identify(ctx, r); err != nil {
		return nil, err
	}
	if !b.skipKernels {
		if err := b.kernels(ctx, r); err != nil {
			return nil, err
		}
	}
	var err error
	if b.scratch, err = os.MkdirTemp("", "gpubench-"); err != nil {
		return r, err
	}
	defer func() { _ = os.RemoveAll(b.scratch) }()
	for _, machineName := range []string{"keccak", "fib"} {
		sizes := b.sizes[machineName]
		if machineName == "keccak" {
			sizes = merged(sizes, b.cpuSizes)
		}
		for _, size := range sizes {
			if ctx.Err() != nil {
				return r, errors.Join(err, context.Cause(ctx))
			}
			if sizeErr := b.size(ctx, r, machineName, size); sizeErr != nil {
				err = errors.Join(err, fmt.Errorf("%s %s: %w", machineName, strconv.Itoa(size), sizeErr))
			}
		}
	}
	r.Seconds = time.Since(b.start).Seconds()
	return r, err
}
