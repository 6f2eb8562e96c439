package schedule

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A Design is a rule for the sequence of orders.
type Design string

// The designs.
const (
	ABBA        Design = "abba"
	Alternating Design = "alternating"
)

// blockPairs is the number of pairs in a block.
const blockPairs = 2

// A Pair is one planned pair: one proof of base and one of each head.
type Pair struct {
	Number int // from 1
	Block  int // from 1
	// Process and Build are the numbers of the process and build of each arm that measure the pair, from 1. Process is 0
	// if processes are not randomized.
	Process, Build int
	Order          Order
	Seed           uint64 // of all proofs of the first attempt
}

// A Schedule contains every pair of a plan.
type Schedule struct {
	pairs  int
	design Design
	seed   uint64

	processes, builds int
	heads             int // 0 means 1
}

// New returns a schedule of an even number of pairs.
func New(pairs int, design Design, seed uint64) (*Schedule, error) {
	switch {
	case pairs < blockPairs || pairs%blockPairs != 0:
		return nil, fmt.Errorf("pairs %d: want an even number from %d, because a block holds %d pairs", pairs, blockPairs,
			blockPairs)
	case design != ABBA && design != Alternating:
		return nil, fmt.Errorf("design %q: want %s or %s", design, ABBA, Alternating)
	}
	return &Schedule{pairs: pairs, design: design, seed: seed, builds: 1}, nil
}

// WithReplicates returns the schedule with these numbers of processes and builds per arm, in equal shares of its
// blocks: the first process measures the first blocks, and the first build has the first processes. If the numbers of
// processes and pairs are equal, each pair has its own processes. If processes is 0, processes are not randomized.
func (s *Schedule) WithReplicates(processes, builds int) *Schedule {
	drawn := *s
	drawn.processes, drawn.builds = processes, max(1, builds)
	return &drawn
}

// Among returns the schedule of base and the given number of heads.
func (s *Schedule) Among(heads int) *Schedule {
	among := *s
	among.heads = heads
	return &among
}

// process returns the process and the build of a pair.
func (s *Schedule) process(number int) (process, build int) {
	switch {
	case s.processes == 0:
		return 0, 1
	case s.processes == s.pairs:
		process = number
	default:
		process = (Block(number)-1)*s.processes/(s.pairs/blockPairs) + 1
	}
	return process, (process-1)*s.builds/s.processes + 1
}

// LayoutSeed returns the seed of the layout of an arm's build, from 1.
func (s *Schedule) LayoutSeed(arm Arm, build int) uint64 {
	return s.seedOf("layout "+arm.letter(), build)
}

// Pairs returns all pairs in the order of the plan.
func (s *Schedule) Pairs() []Pair {
	pairs := make([]Pair, s.pairs)
	for i := range pairs {
		pairs[i] = s.Pair(i + 1)
	}
	return pairs
}

// Block returns the block of a pair, both numbered from 1.
func Block(number int) int { return (number-1)/blockPairs + 1 }

// Pair returns a pair by its number, from 1.
func (s *Schedule) Pair(number int) Pair {
	block := Block(number)
	order := s.order(block)
	if s.design == ABBA && (number-1)%blockPairs == 1 {
		order = order.reversed()
	}
	process, build := s.process(number)
	return Pair{Number: number, Block: block, Process: process, Build: build, Order: order, Seed: s.Seed(number, 1)}
}

// Seed returns the seed of an attempt, from 1, at a pair. Every attempt has another seed, because the provers have
// already seen the earlier ones.
func (s *Schedule) Seed(number, attempt int) uint64 {
	if attempt <= 1 {
		return s.seedOf("pair", number)
	}
	return s.seedOf(fmt.Sprintf("pair, attempt %d", attempt), number)
}

// WarmupSeed returns the seed of the n-th warmup proof, the same for all arms.
func (s *Schedule) WarmupSeed(n int) uint64 { return s.seedOf("warmup", n) }

// AloneSeed returns the seed of the n-th proof of head alone.
func (s *Schedule) AloneSeed(n int) uint64 { return s.seedOf("alone", n) }

// BridgeSeed returns the seed of the unmeasured proof before a pair.
func (s *Schedule) BridgeSeed(number int) uint64 { return s.seedOf("bridge", number) }

// Bridge reports whether an unmeasured proof of a pair's opening arm must precede the pair. last is the arm of the
// previous proof, empty before the first. A bridge is needed if the arm changes between blocks. Within a block there is
// none, unless the pair does not directly follow its block's first half (adjacent is false), as after a resumption or
// when a dropped pair is measured again. The alternating design has no bridges.
func (s *Schedule) Bridge(p Pair, last Arm, adjacent bool) bool {
	if s.design == Alternating {
		return false
	}
	inside := (p.Number-1)%blockPairs == 1 && adjacent
	return !inside && last != "" && p.Order.First() != last
}

// seedBits keeps seeds exact in JSON readers that store numbers as float64.
const seedBits = 53

// seedOf derives a positive seed.
func (s *Schedule) seedOf(label string, n int) uint64 {
	return max(1, draw(s.seed, label, n)>>(64-seedBits))
}

// draw returns the first eight bytes, little-endian, of SHA-256("chiasmus.schedule/1" || label || seed || n), with seed
// and n as eight bytes little-endian.
func draw(seed uint64, label string, n int) uint64 {
	message := append([]byte("chiasmus.schedule/1"), label...)
	message = binary.LittleEndian.AppendUint64(message, seed)
	message = binary.LittleEndian.AppendUint64(message, uint64(n))
	sum := sha256.Sum256(message)
	return binary.LittleEndian.Uint64(sum[:])
}
