package sampling

import "github.com/chiasmus/chiasmus/harness/flame"

// Hertz is how many samples are taken of a second of CPU time: a prime, so that they do not meet what repeats.
const Hertz = 997

// A window is a time in which samples count.
type window struct{ from, to uint64 }

// fold names the frames of the stacks that lie in a window, and adds equal ones up.
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
		for i := range s.frames { // from the outermost, which flame begins with
			p := s.frames[len(s.frames)-1-i]
			if p.file == "" && i < len(s.frames)-1 {
				continue // beyond a frame without a pointer there is no caller
			}
			frames = append(frames, names.Name(p.file, p.offset))
		}
		list = append(list, flame.Stack{Frames: frames, Samples: 1, Seconds: 1.0 / Hertz})
	}
	return flame.Fold(list)
}
