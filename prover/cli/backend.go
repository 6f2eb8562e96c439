package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Backend describes a backend that the binary offers.
type Backend struct {
	Name string
	// Flags adds the backend's own flags to a command; nil adds none.
	Flags func(*pflag.FlagSet)
	// Commands returns the backend's own commands, which are added to the program's; nil means none. They write to their
	// command's OutOrStdout and ErrOrStderr, and return [Usagef] errors for wrong flags.
	Commands func() []*cobra.Command
	// Predict returns the peak device memory of a proof of a shape, in bytes. It needs no device.
	Predict func(*machine.Fillers, *protocol.Shape) (uint64, error)
	// Least returns the least memory with which the backend can make the proof, more slowly; nil means that Predict
	// is also the minimum.
	Least func(*machine.Fillers, *protocol.Shape) (uint64, error)
	// Warm does in advance what Open needs for any workload, such as initializing a driver. It may run concurrently with
	// Open and with everything else, and it does not report failures: Open will. once is [BackendOptions.Once]. Nil does
	// nothing.
	Warm func(set *pflag.FlagSet, once bool)
	// Open makes the backend ready. Its error says why this host cannot run the backend.
	Open func(BackendOptions) (backend.Backend, error)
	// DeviceFlag is the flag of Flags that names a device; empty for a backend without one. A command line that sets the
	// flag requires this backend: --backend auto does not replace a device that was named.
	DeviceFlag string
	// Devices returns the names of the devices that a list of --devices selects: all, or names separated by commas.
	// Nil for a backend with one device.
	Devices func(list string) ([]string, error)
}

// BackendOptions are the options that every backend receives.
type BackendOptions struct {
	Pool   *parallel.Pool // for host loops: shared, so that each loop finds the previous one's workers awake
	Once   bool           // the process makes one proof: memory may be freed as soon as it has been read
	Flags  *pflag.FlagSet // the command's flags, including the backend's own
	Device string         // the device to open; empty opens the one that the flags name
	Log    io.Writer      // for messages to the user, such as kernels being compiled

	// Fillers belong to the machine to prove: a device loads their kernels when it is opened, and the CPU compiles its
	// constraints. Nil defers that.
	Fillers *machine.Fillers
	// Span records a part of the preparation: the function that it returns ends the part. Nil records nothing.
	Span func(name string) (end func())
}

// least returns the least memory with which a proof of a shape can be made.
func (b *Backend) least(fillers *machine.Fillers, shape *protocol.Shape) (uint64, error) {
	if b.Least == nil {
		return b.Predict(fillers, shape)
	}
	return b.Least(fillers, shape)
}

// given returns a flag of the backend's own that the command line sets, or "".
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

// knownBackends are the values of --backend that some build accepts.
var knownBackends = []string{"cpu", "gpu"}

// maxWorkers exceeds the processors of any host; far more workers than processors only slow each other down.
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
	set.StringVar(&f.name, "backend", "auto", "auto, cpu or gpu; auto decides once, at start, and prints which")
	set.StringVar(&f.cpu, "cpu", "auto", "instructions of the CPU kernels: generic, avx2, avx512 or auto")
	set.IntVar(&f.workers, "workers", 0, "goroutines of CPU loops; 0 means one for each processor")
	set.StringVar(&f.onDeviceError, "on-device-error", "fail",
		"fail, or cpu: prove again on the CPU from the input, counted in fallbacks")
	set.StringVar(&f.traceOut, "trace-out", "",
		"write a Chrome trace of the last proof (host, stages, kernels) to this file; Perfetto shows it")
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

// required returns the backend that the flags require and the flag that requires it, which starts the message of a
// failure. It returns nil if --backend auto may choose. devices is the value of --devices, or "".
func (p *program) required(f *backendFlags, devices string) (b *Backend, because string, err error) {
	if f.name != "auto" {
		b, err := p.named(f.name)
		return b, "--backend " + f.name, err
	}
	for i := range p.backends {
		b := &p.backends[i]
		if b.Devices != nil && devices != "" {
			return b, "--devices " + devices, nil
		}
		if flag := f.set.Lookup(b.DeviceFlag); flag != nil && flag.Value.String() != "" {
			return b, "--" + flag.Name + " " + flag.Value.String(), nil
		}
	}
	return nil, "", nil
}

// check selects the CPU kernels and returns the options for backends.
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

// warm warms the backends that the flags allow, before the workload is known. once reports that the process makes one
// proof.
func (p *program) warm(f *backendFlags, once bool) {
	for i := range p.backends {
		if b := &p.backends[i]; b.Warm != nil && (f.name == "auto" || f.name == b.Name) {
			go b.Warm(f.set, once)
		}
	}
}

func (p *program) backendNames() string {
	names := make([]string, len(p.backends))
	for i, b := range p.backends {
		names[i] = b.Name
	}
	return strings.Join(names, ", ")
}
