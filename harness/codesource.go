package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/sampling"
)

// The sources of call stacks, as Controls.Profile names them.
const (
	ProfileAuto     = "auto"     // perf where it works, else the harness's own sampling
	ProfilePerf     = "perf"     // perf record
	ProfileSampling = "sampling" // the harness's own, by perf_event_open
)

// ProfileSources lists them.
var ProfileSources = []string{ProfileAuto, ProfilePerf, ProfileSampling}

// A codeSource is a way to call stacks.
type codeSource struct {
	name  string
	begin func() (stackTaker, error)
}

// A stackTaker takes the stacks of the processes of one arm.
type stackTaker struct {
	// around is run around the start of each process; nil for nothing.
	around func(begin func() error) error
	// wrap is what stands before the command line of the next process; nil for nothing.
	wrap func() []string
	// while runs what is sampled.
	while func(do func() error) error
	// end returns what was found, with what is to be known of it.
	end func(ctx context.Context) (stacks []flame.Stack, notes []string, err error)
}

// findSource decides how stacks are taken.
func (r *run) findSource() (codeSource, error) {
	if r.controls.codeSource != nil {
		return r.controls.codeSource(), nil
	}
	return ownSource(), nil
}

// worthNaming is the part of the samples from which a file without names is worth a note.
const worthNaming = 0.02

// namelessNotes says of files without names why they have none, where much of the time is spent in them.
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

// ownSource samples by perf_event_open.
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
					notes = append(notes, fmt.Sprintf("the kernel lost %d records, so that some samples are missing", lost))
				}
				return stacks, append(notes, namelessNotes(stacks, names.Nameless())...), nil
			},
		}, nil
	}}
}
