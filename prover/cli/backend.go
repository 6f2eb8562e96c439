package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/cpufeature"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Backend is one backend that a binary offers.
type Backend struct {
	Name string
	// Flags adds the backend's own flags to a command; nil adds none.
	Flags func(*pflag.FlagSet)
	// Commands are the backend's own, which join the program's; nil means none. They write to their command's
	// OutOrStdout and ErrOrStderr, and return [Usagef] errors for wrong flags.
	Commands func() []*cobra.Command
	// Predict is the most memory that a proof of a shape takes, in bytes of the device's
	// memory. It needs no device.
	Predict func(*machine.Fillers, *protocol.Shape) (uint64, error)
	// Least is the least memory with which the backend makes such a proof, in more time; nil where that is what
	// Predict says.
	Least func(*machine.Fillers, *protocol.Shape) (uint64, error)
	// Open makes the backend ready. Its error says why this host cannot run it.
	Open func(BackendOptions) (backend.Backend, error)
	// Devices are the names of the devices that a list of --devices means: all, or names with commas between. Nil for a
	// backend that has one.
	Devices func(list string) ([]string, error)
}

// BackendOptions are what every backend is told.
type BackendOptions struct {
	Pool   *parallel.Pool // for host loops: one for all, so that each finds the workers of the last awake
	Once   bool           // the process makes one proof: memory may go as soon as it has been read
	Flags  *pflag.FlagSet // the command's flags, the backend's own among them
	Device string         // the device to open, in place of the one that the flags name; empty for that
	Log    io.Writer      // for what people want to know meanwhile, such as kernels being compiled

	// Fillers are of the machine that is proven, whose kernels a device loads when it is opened. Nil leaves that to later.
	Fillers *machine.Fillers
	// Span notes a part of getting ready: what it returns ends the part. Nil notes nothing.
	Span func(name string) (end func())
}

// least is the least memory with which a proof of a shape is made.
func (b *Backend) least(fillers *machine.Fillers, shape *protocol.Shape) (uint64, error) {
	if b.Least == nil {
		return b.Predict(fillers, shape)
	}
	return b.Least(fillers, shape)
}

// given is a flag of the backend's own that a command line has; empty for none.
func (b *Backend) given(set *pflag.FlagSet) (flag string) {
	if b.Flags == nil {
		return ""
	}
	own := pflag.NewFlagSet(b.Name, pflag.ContinueOnError)
	b.Flags(own)
	own.VisitAll(func(f *pflag.Flag) {
		if set.Changed(f.Name) {
			flag = f.Name
		}
	})
	return flag
}

// knownBackends are the names that --backend may have in some build.
var knownBackends = []string{"cpu", "gpu"}

// maxWorkers is more than any host has processors; far more workers than processors only slow each other.
const maxWorkers = 4096

// backendFlags are the flags that choose and tune a backend.
type backendFlags struct {
	name          string
	cpu           string
	workers       int
	onDeviceError string
	traceOut      string
	set           *pflag.FlagSet
}

func (p *program) addBackendFlags(set *pflag.FlagSet) *backendFlags {
	f := &backendFlags{set: set}
	set.StringVar(&f.name, "backend", "auto", "auto, cpu or gpu; auto decides once, at start, and says so")
	set.StringVar(&f.cpu, "cpu", "auto", "instructions of the CPU kernels: generic, avx2, avx512 or auto")
	set.IntVar(&f.workers, "workers", 0, "goroutines of CPU loops; 0 means one for each processor")
	set.StringVar(&f.onDeviceError, "on-device-error", "fail",
		"fail, or cpu: prove again on the CPU from the input, counted in fallbacks")
	set.StringVar(&f.traceOut, "trace-out", "",
		"where to write a Chrome trace (Perfetto reads it) of the last proof: host, stages, kernels")
	for _, b := range p.backends {
		if b.Flags != nil {
			b.Flags(set)
		}
	}
	return f
}

// named finds one of the binary's backends.
func (p *program) named(name string) (*Backend, error) {
	for i := range p.backends {
		if p.backends[i].Name == name {
			return &p.backends[i], nil
		}
	}
	for _, known := range knownBackends {
		if known == name {
			return nil, Usagef("--backend %s: this build has no %s backend, it has %s", name, strings.ToUpper(name),
				p.backendNames())
		}
	}
	return nil, Usagef("--backend %s: no such backend, want auto, %s", name, strings.Join(knownBackends, " or "))
}

// check selects the CPU kernels and returns what backends are told.
func (p *program) check(f *backendFlags) (BackendOptions, error) {
	if f.workers < 0 || f.workers > maxWorkers {
		return BackendOptions{}, Usagef("--workers is %d, want 0 to %d", f.workers, maxWorkers)
	}
	if f.onDeviceError != "fail" && f.onDeviceError != "cpu" {
		return BackendOptions{}, Usagef("--on-device-error is %q, want fail or cpu", f.onDeviceError)
	}
	for i := range p.backends {
		if b := &p.backends[i]; f.name != "auto" && f.name != b.Name {
			if flag := b.given(f.set); flag != "" {
				return BackendOptions{}, Usagef("--%s is of backend %s, and --backend is %s", flag, b.Name, f.name)
			}
		}
	}
	if err := cpufeature.Select(f.cpu); err != nil {
		return BackendOptions{}, Usagef("--cpu %s: %w", f.cpu, err)
	}
	return BackendOptions{Pool: parallel.New(f.workers), Flags: f.set, Log: p.stderr}, nil
}

func (p *program) backendNames() string {
	names := make([]string, len(p.backends))
	for i, b := range p.backends {
		names[i] = b.Name
	}
	return strings.Join(names, ", ")
}
