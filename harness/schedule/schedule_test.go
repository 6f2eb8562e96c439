package schedule_test

import (
	"math"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/schedule"
)

func mustNew(t *testing.T, pairs int, design schedule.Design, seed uint64) *schedule.Schedule {
	t.Helper()
	s, err := schedule.New(pairs, design, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBlocksAreABBAOrBAAB(t *testing.T) {
	seen := map[string]int{}
	for seed := uint64(1); seed <= 50; seed++ {
		pairs := mustNew(t, 40, schedule.ABBA, seed).Pairs()
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i].Block != i/2+1 || pairs[i+1].Block != i/2+1 {
				t.Fatalf("seed %d: pairs %d and %d are in blocks %d and %d", seed, i+1, i+2, pairs[i].Block, pairs[i+1].Block)
			}
			seen[string(pairs[i].Order)+string(pairs[i+1].Order)]++
		}
	}
	if len(seen) != 2 || seen["ABBA"]+seen["BAAB"] != 1000 {
		t.Fatalf("blocks seen: %v, want ABBA and BAAB only", seen)
	}
	// Binomial(1000, 1/2) leaves 420..580 once in two million sets of seeds.
	if math.Abs(float64(seen["ABBA"]-500)) > 80 {
		t.Errorf("%d of 1000 blocks are ABBA", seen["ABBA"])
	}
}

// Every block within one run is randomized, too: no seed gives a run whose blocks are all equal or alternate.
func TestEveryBlockIsDrawn(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		pairs := mustNew(t, 400, schedule.ABBA, seed).Pairs()
		forward, changes := 0, 0
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i].Order == schedule.AB {
				forward++
			}
			if i > 0 && pairs[i].Order != pairs[i-2].Order {
				changes++
			}
		}
		// Binomial(200, 1/2) and (199, 1/2) leave 60..140 once in 60 million.
		if forward < 60 || forward > 140 || changes < 60 || changes > 140 {
			t.Errorf("seed %d: %d of 200 blocks are ABBA, and %d differ from the one before", seed, forward, changes)
		}
	}
}

func TestAlternating(t *testing.T) {
	s := mustNew(t, 8, schedule.Alternating, 3)
	for _, p := range s.Pairs() {
		if p.Order != schedule.AB {
			t.Errorf("pair %d is %s, want AB", p.Number, p.Order)
		}
		if s.Bridge(p, schedule.Head, false) {
			t.Errorf("pair %d has an unmeasured proof", p.Number)
		}
	}
}

// The unmeasured proof serves this balance: the measured proofs of each arm follow a proof of base as often as a proof
// of head.
func TestCarryOverIsBalanced(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		s := mustNew(t, 20, schedule.ABBA, seed)
		before := map[string]int{}
		last := schedule.Base
		for _, p := range s.Pairs() {
			if s.Bridge(p, last, true) {
				last = p.Order.First()
			}
			for _, arm := range []schedule.Arm{p.Order.First(), p.Order.Last()} {
				before[string(last+" "+arm)]++
				last = arm
			}
		}
		for _, transition := range []string{"base base", "base head", "head base", "head head"} {
			if before[transition] != 10 {
				t.Errorf("seed %d: transitions %v, want 10 of each", seed, before)
				break
			}
		}
	}
}

func TestBridgeOfALonePair(t *testing.T) {
	s := mustNew(t, 20, schedule.ABBA, 1)
	for _, p := range s.Pairs() {
		if s.Bridge(p, p.Order.First(), false) {
			t.Errorf("pair %d: unmeasured proof of the arm that proved last", p.Number)
		}
		if !s.Bridge(p, p.Order.First().Other(), false) {
			t.Errorf("pair %d: measured again after the other arm without an unmeasured proof", p.Number)
		}
	}
}

func TestSeeds(t *testing.T) {
	s := mustNew(t, 1000, schedule.ABBA, 9)
	seen := map[uint64]bool{}
	for _, p := range s.Pairs() {
		for _, seed := range []uint64{p.Seed, s.WarmupSeed(p.Number), s.BridgeSeed(p.Number)} {
			if seen[seed] || seed == 0 || seed >= 1<<53 {
				t.Fatalf("seed %d of pair %d: want distinct, above 0 and below 2^53", seed, p.Number)
			}
			seen[seed] = true
		}
	}
	for attempt := 1; attempt <= 5; attempt++ {
		for number := 1; number <= 1000; number++ {
			seed := s.Seed(number, attempt)
			if attempt == 1 && seed != s.Pair(number).Seed || attempt > 1 && (seen[seed] || seed == 0 || seed >= 1<<53) {
				t.Fatalf("attempt %d at pair %d has the seed %d: want a new one", attempt, number, seed)
			}
			seen[seed] = true
		}
	}
	if s.Pair(1).Seed == mustNew(t, 1000, schedule.ABBA, 10).Pair(1).Seed {
		t.Error("two plans with different seeds share a seed")
	}
}

// Resuming a run with a later version must give the same schedule: the draw is fixed by its documentation, and this
// value by an independent computation:
//
//	python3 -c 'import hashlib,struct; print(int.from_bytes(hashlib.sha256(
//	    b"chiasmus.schedule/1pair"+struct.pack("<QQ",42,1)).digest()[:8],"little")>>11)'
//
// and for the orders, with the label block and the numbers of blocks:
//
//	python3 -c 'import hashlib,struct; print("".join("AB"[hashlib.sha256(
//	    b"chiasmus.schedule/1block"+struct.pack("<QQ",42,b)).digest()[0]&1] for b in range(1,41)))'
func TestDrawIsFixed(t *testing.T) {
	orders := ""
	for i, p := range mustNew(t, 80, schedule.ABBA, 42).Pairs() {
		if i%2 == 0 {
			orders += string(p.Order[0])
		}
	}
	if orders != "ABBABBBBAABBBAAAABBBBBABBAABBBABBAAAAABB" {
		t.Errorf("the blocks of seed 42 open with %s", orders)
	}
	if got := mustNew(t, 4, schedule.ABBA, 42).Pair(1).Seed; got != 1678029493715910 {
		t.Errorf("seed of pair 1 under seed 42 is %d, want 1678029493715910", got)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		pairs  int
		design schedule.Design
		want   string
	}{{0, schedule.ABBA, "pairs 0"}, {7, schedule.ABBA, "pairs 7"}, {-2, schedule.ABBA, "pairs -2"}, {4, "abab",
		`design "abab"`}} {
		if _, err := schedule.New(c.pairs, c.design, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%d, %q): %v, want an error with %s", c.pairs, c.design, err, c.want)
		}
	}
}
