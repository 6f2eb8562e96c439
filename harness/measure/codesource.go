package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/sampling"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// The sources of call stacks, for Controls.Profile.
const (
	ProfileAuto     = "auto"     // perf if it works, else the harness's own sampler; for Go programs in reverse order
	ProfilePerf     = "perf"     // perf record
	ProfileSampling = "sampling" // the harness's own sampler, by perf_event_open
	ProfilePprof    = "pprof"    // profiles that the programs write
	ProfileNsight   = "nsight"   // only GPU kernels, by nsys; auto adds them if the host has a GPU and nsys
)

// profileVariable is the environment variable with the file that a program writes its own CPU profile to, in pprof
// format, before it ends.
const profileVariable = "CHIASMUS_PROFILE"

// ProfileSources lists the sources.
var ProfileSources = []string{ProfileAuto, ProfilePerf, ProfileSampling, ProfilePprof, ProfileNsight}

// A codeSource is a method of sampling call stacks.
type codeSource struct {
	name  string
	begin func() (stackTaker, error)
}

// A stackTaker samples the stacks of the processes of one arm.
type stackTaker struct {
	// around surrounds the start of each process; nil for nothing.
	around func(begin func() error) error
	// wrap is the prefix of the next process's command line; nil for nothing.
	wrap func() []string
	// linger is the time that a session's process may take to exit; 0 for the default.
	linger time.Duration
	// written, if set, reads the file that a program of the arm may have written, after each proof or after its session.
	written func(file string) error
	// while runs a function and samples it.
	while func(do func() error) error
	// end returns the stacks, with notes for readers.
	end func(ctx context.Context) (stacks []flame.Stack, notes []string, err error)
}

// findSource chooses the source of call stacks.
func (r *run) findSource(ctx context.Context, built map[schedule.Arm][]*build.Result) (codeSource, error) {
	if r.controls.codeSource != nil {
		return r.controls.codeSource(), nil
	}
	if r.controls.Profile == ProfilePprof {
		return pprofSource(), nil
	}
	folder := filepath.Join(r.dir.Proofs(), "perf")
	dwarf := slices.ContainsFunc(slices.Concat(built[schedule.Base], built[schedule.Head]), func(b *build.Result) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(b.Artifacts)), func(path string) bool {
			return !sampling.IsGo(path)
		})
	})
	// The harness names the functions of a stripped Go program, and perf does not; perf finds the callers in other
	// programs.
	own := r.controls.Profile == ProfileSampling || r.controls.Profile == ProfileAuto && !dwarf
	if own && sampling.Unavailable() == "" {
		return ownSource(), nil
	}
	if r.controls.Profile == ProfileSampling {
		return codeSource{name: "perf_event_open"}, errors.New(sampling.Unavailable())
	}
	_, err := sampling.FindPerf(ctx, folder, dwarf)
	switch {
	case err != nil && r.controls.Profile == ProfilePerf:
		return codeSource{name: "perf"}, err
	case err != nil && sampling.Unavailable() != "":
		return codeSource{name: "perf_event_open"}, fmt.Errorf("%w; and %s", err, sampling.Unavailable())
	case err != nil:
		return ownSource(), nil
	}
	return codeSource{"perf record", func() (stackTaker, error) {
		p, err := sampling.FindPerf(ctx, folder, dwarf)
		if err != nil {
			return stackTaker{}, err
		}
		return stackTaker{
			wrap:  p.Wrap,
			while: p.While,
			end: func(ctx context.Context) ([]flame.Stack, []string, error) {
				stacks, err := p.Close(ctx)
				return stacks, nil, err
			},
		}, nil
	}}, nil
}

// worthNaming is the share of CPU time above which a file without symbols gets a note.
const worthNaming = 0.02

// namelessNotes returns notes about the files without symbols in which more than worthNaming of the time is spent.
func namelessNotes(stacks []flame.Stack, nameless map[string]string) (notes []string) {
	inside, all := map[string]float64{}, 0.0
	for _, s := range stacks {
		all += s.Seconds
		if n := len(s.Frames); n > 0 {
			inside[s.Frames[n-1]] += s.Seconds
		}
	}
	for _, name := range slices.Sorted(maps.Keys(nameless)) {
		if inside[name] > worthNaming*all {
			notes = append(notes, fmt.Sprintf("functions without names: %s", nameless[name]))
		}
	}
	return notes
}

// ownSource samples with perf_event_open.
func ownSource() codeSource {
	names := sampling.NewSymbols()
	return codeSource{"perf_event_open", func() (stackTaker, error) {
		s, err := sampling.New()
		if err != nil {
			return stackTaker{}, err
		}
		return stackTaker{
			around: s.Around,
			while:  s.While,
			end: func(context.Context) ([]flame.Stack, []string, error) {
				stacks, lost := s.Close(names)
				var notes []string
				if lost > 0 {
					notes = append(notes, fmt.Sprintf("the kernel lost %d records, so some samples are missing", lost))
				}
				return stacks, append(notes, namelessNotes(stacks, names.Nameless())...), nil
			},
		}, nil
	}}
}

// pprofSource reads the profiles that the programs write.
func pprofSource() codeSource {
	return codeSource{"pprof", func() (stackTaker, error) {
		var stacks []flame.Stack
		return stackTaker{
			written: func(file string) error {
				read, err := sampling.ReadPprof(file)
				if errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("it wrote no profile: with --profile=pprof a prover writes a CPU profile of itself to the "+
						"file that %s names, before it ends", profileVariable)
				}
				stacks = append(stacks, read...)
				return errors.Join(err, removeIfThere(file))
			},
			while: func(do func() error) error { return do() },
			end:   func(context.Context) ([]flame.Stack, []string, error) { return flame.Fold(stacks), nil, nil },
		}, nil
	}}
}
