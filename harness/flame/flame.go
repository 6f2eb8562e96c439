package flame

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Stack holds the samples of one chain of calls, the outermost function first.
type Stack struct {
	Frames  []string
	Samples float64
	Seconds float64
	// Variance is the variance of Seconds, if it does not follow from the number of samples.
	Variance float64
}

// Fold sums up equal stacks.
func Fold(stacks []Stack) []Stack {
	var out []Stack
	at := map[string]int{}
	for _, s := range stacks {
		key := strings.Join(s.Frames, "\x00")
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, Stack{Frames: s.Frames})
		}
		out[i].Samples += s.Samples
		out[i].Seconds += s.Seconds
		out[i].Variance += s.Variance
	}
	return out
}

// A Side holds the stacks of one program and the number of its proofs.
type Side struct {
	Stacks []Stack
	Proofs int
}

// Join adds the stacks of other to into, scaled to into's number of proofs.
func Join(into, other Side) Side {
	if len(into.Stacks) == 0 {
		return other
	}
	out := Side{Stacks: slices.Clone(into.Stacks), Proofs: into.Proofs}
	scale := into.proofs() / other.proofs()
	for _, s := range other.Stacks {
		s.Samples, s.Seconds, s.Variance = s.Samples*scale, s.Seconds*scale, s.Variance*scale*scale
		out.Stacks = append(out.Stacks, s)
	}
	return out
}

// Seconds returns the time of one proof, Samples the total number of samples.
func (s Side) Seconds() float64 {
	return s.sum(func(one Stack) float64 { return one.Seconds }) / s.proofs()
}
func (s Side) Samples() float64 { return s.sum(func(one Stack) float64 { return one.Samples }) }

func (s Side) proofs() float64 { return float64(max(1, s.Proofs)) }

func (s Side) sum(of func(Stack) float64) float64 {
	total := 0.0
	for _, one := range s.Stacks {
		total += of(one)
	}
	return total
}

// A Change is the self time of a function per proof, on each side.
type Change struct {
	Function string `json:"function"`
	// BaseSeconds and HeadSeconds are times per proof.
	BaseSeconds float64 `json:"base_seconds"`
	HeadSeconds float64 `json:"head_seconds"`
	// Percent is the difference in percent of base's total time.
	Percent float64 `json:"percent"`
	// NoiseSeconds is twice the standard deviation of the difference that is due to sampling.
	NoiseSeconds float64 `json:"noise_seconds"`
}

// Difference is head's time minus base's.
func (c Change) Difference() float64 { return c.HeadSeconds - c.BaseSeconds }

// Clear reports whether the difference exceeds the sampling noise.
func (c Change) Clear() bool { return math.Abs(c.Difference()) > c.NoiseSeconds }

// Most returns the n largest changes of several lists, the largest first.
func Most(n int, lists ...[]Change) []Change {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, byDifference)
	return all[:min(n, len(all))]
}

// byDifference sorts larger changes first.
func byDifference(a, b Change) int {
	return cmp.Compare(math.Abs(b.Difference()), math.Abs(a.Difference()))
}

// Changes lists all functions, the one whose self time changed most first.
func Changes(base, head Side) []Change {
	found := map[string]*Change{}
	variance := map[string]float64{}
	add := func(side Side, into func(*Change) *float64) {
		for _, s := range side.Stacks {
			if len(s.Frames) == 0 {
				continue
			}
			name := s.Frames[len(s.Frames)-1]
			c := found[name]
			if c == nil {
				c = &Change{Function: name}
				found[name] = c
			}
			*into(c) += s.Seconds / side.proofs()
			variance[name] += s.Variance / (side.proofs() * side.proofs())
			if s.Samples > 0 { // the variance of a Poisson count is the count
				each := s.Seconds / s.Samples / side.proofs()
				variance[name] += s.Samples * each * each
			}
		}
	}
	add(base, func(c *Change) *float64 { return &c.BaseSeconds })
	add(head, func(c *Change) *float64 { return &c.HeadSeconds })
	whole := base.Seconds()
	var list []Change
	for _, name := range slices.Sorted(maps.Keys(found)) {
		c := *found[name]
		if whole > 0 {
			c.Percent = 100 * c.Difference() / whole
		}
		c.NoiseSeconds = 2 * math.Sqrt(variance[name])
		list = append(list, c)
	}
	slices.SortStableFunc(list, byDifference)
	return list
}

// A node is a function below its caller, with the time per proof in the function and its callees.
type node struct {
	name       string
	base, head float64
	children   map[string]*node
}

// tree merges the stacks of both sides into one call tree.
func tree(base, head Side) *node {
	root := &node{name: "all", children: map[string]*node{}}
	add := func(side Side, into func(*node) *float64) {
		for _, s := range side.Stacks {
			seconds := s.Seconds / side.proofs()
			at := root
			*into(at) += seconds
			for _, name := range s.Frames {
				child := at.children[name]
				if child == nil {
					child = &node{name: name, children: map[string]*node{}}
					at.children[name] = child
				}
				at = child
				*into(at) += seconds
			}
		}
	}
	add(base, func(n *node) *float64 { return &n.base })
	add(head, func(n *node) *float64 { return &n.head })
	return root
}
