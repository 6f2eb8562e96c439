package sampling

import "github.com/chiasmus/chiasmus/harness/flame"

// hertz is the number of samples per second of CPU time. It is a prime, to avoid sampling in step with periodic work.
const hertz = 997

// A window is a period in which samples count.
type window struct{ from, to uint64 }

// fold names the frames of the stacks in a window, and sums up equal stacks.
func fold(stacks []stack, windows []window, names *Symbols) []flame.Stack {
	var list []flame.Stack
	for _, s := range stacks {
		inside := false
		for _, w := range windows {
			inside = inside || s.time >= w.from && s.time < w.to
		}
		if !inside {
			continue
		}
		frames := make([]string, 0, len(s.frames))
		for i := range s.frames { // outermost first, as in package flame
			p := s.frames[len(s.frames)-1-i]
			if p.file == "" && i < len(s.frames)-1 {
				continue // an invalid caller, due to a missing frame pointer
			}
			frames = append(frames, names.Name(p.file, p.offset))
		}
		list = append(list, flame.Stack{Frames: frames, Samples: 1, Seconds: 1.0 / hertz})
	}
	return flame.Fold(list)
}
