package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/cpufeature"
)

// Backend is one backend that a binary offers.
type Backend struct {
	Name string
	// Flags adds the backend's own flags to a command; nil adds none.
	Flags func(*pflag.FlagSet)
	// Predict is the most memory that a proof of a shape takes, in bytes of the device's
	// memory. It needs no device.
	Predict func(backend.Shape) uint64
	// Open makes the backend ready. Its error says why this host cannot run it.
	Open func(BackendOptions) (backend.Backend, error)
}

// BackendOptions are what every backend is told.
type BackendOptions struct {
	Workers int            // goroutines of host loops; 0 means one for each processor
	Flags   *pflag.FlagSet // the command's flags, the backend's own among them
}

// knownBackends are the names that --backend may have in some build.
var knownBackends = []string{"cpu", "gpu"}

// backendFlags are the flags that choose and tune a backend.
type backendFlags struct {
	name    string
	cpu     string
	workers int
	set     *pflag.FlagSet
}

func (p *program) addBackendFlags(set *pflag.FlagSet) *backendFlags {
	f := &backendFlags{set: set}
	set.StringVar(&f.name, "backend", "auto", "auto, cpu or gpu; auto decides once, at start, and says so")
	set.StringVar(&f.cpu, "cpu", "auto", "instructions of the CPU kernels: generic, avx2, avx512 or auto")
	set.IntVar(&f.workers, "workers", 0, "goroutines of CPU loops; 0 means one for each processor")
	for _, b := range p.backends {
		if b.Flags != nil {
			b.Flags(set)
		}
	}
	return f
}

// open opens the backend that the flags name. auto takes the first of the binary's that opens,
// and says on stderr which and why not those before.
func (p *program) open(f *backendFlags) (backend.Backend, error) {
	if f.workers < 0 {
		return nil, usagef("--workers is %d, want 0 or more", f.workers)
	}
	if err := cpufeature.Select(f.cpu); err != nil {
		return nil, usagef("--cpu %s: %w", f.cpu, err)
	}
	options := BackendOptions{Workers: f.workers, Flags: f.set}
	if f.name != "auto" {
		for _, b := range p.backends {
			if b.Name == f.name {
				opened, err := b.Open(options)
				if err != nil {
					return nil, fmt.Errorf("--backend %s: %w", f.name, err)
				}
				return opened, nil
			}
		}
		for _, known := range knownBackends {
			if known == f.name {
				return nil, usagef("--backend %s: this build has no %s backend, it has %s", f.name, strings.ToUpper(f.name), p.backendNames())
			}
		}
		return nil, usagef("--backend %s: no such backend, want auto, %s", f.name, strings.Join(knownBackends, " or "))
	}
	var failures []error
	for _, b := range p.backends {
		opened, err := b.Open(options)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", b.Name, err))
			continue
		}
		if len(failures) == 0 {
			fmt.Fprintf(p.stderr, "backend: auto chose %s\n", b.Name)
		} else {
			fmt.Fprintf(p.stderr, "backend: auto chose %s (%v)\n", b.Name, errors.Join(failures...))
		}
		return opened, nil
	}
	return nil, fmt.Errorf("--backend auto: no backend can run here: %w", errors.Join(failures...))
}

func (p *program) backendNames() string {
	names := make([]string, len(p.backends))
	for i, b := range p.backends {
		names[i] = b.Name
	}
	return strings.Join(names, ", ")
}
