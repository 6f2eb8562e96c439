package sampling

import (
	"fmt"
	"os"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/chiasmus/chiasmus/harness/flame"
)

// mostPprof is the maximum size of a profile.
const mostPprof = 64 << 20

// ReadPprof reads a CPU profile in pprof's format, as Go's runtime/pprof and pprof-rs write it. The times are the last
// sample type in nanoseconds.
func ReadPprof(path string) ([]flame.Stack, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.Size() > mostPprof {
		return nil, fmt.Errorf("%s has %d bytes: at most %d are allowed", path, info.Size(), mostPprof)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	count, nanoseconds := -1, -1
	for i, kind := range p.SampleType {
		switch kind.Unit {
		case "count":
			count = i
		case "nanoseconds":
			nanoseconds = i
		}
	}
	if nanoseconds < 0 {
		return nil, fmt.Errorf("%s is not a CPU profile: no sample type is in nanoseconds", path)
	}
	var stacks []flame.Stack
	for _, s := range p.Sample {
		one := flame.Stack{Samples: 1, Seconds: float64(s.Value[nanoseconds]) / 1e9}
		if count >= 0 {
			one.Samples = float64(s.Value[count])
		}
		for i := range s.Location { // from the outermost; within a location, inlined functions come first
			l := s.Location[len(s.Location)-1-i]
			for j := range l.Line {
				if f := l.Line[len(l.Line)-1-j].Function; f != nil {
					one.Frames = append(one.Frames, strings.TrimSpace(f.Name))
				}
			}
		}
		stacks = append(stacks, one)
	}
	return flame.Fold(stacks), nil
}
