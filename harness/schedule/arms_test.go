package schedule_test

import (
	"math"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/harness/schedule"
)

func TestArmsHaveNumbers(t *testing.T) {
	want := []schedule.Arm{"base", "head", "head2", "head3"}
	if got := schedule.Arms(3); !slices.Equal(got, want) {
		t.Fatalf("the arms of three heads are %q, want %q", got, want)
	}
	for n, arm := range want {
		if arm.Number() != n {
			t.Errorf("%s has the number %d, want %d", arm, arm.Number(), n)
		}
	}
}

// With one head, the schedule equals the one of a run of two arms.
func TestAmongOne(t *testing.T) {
	one := mustNew(t, 80, schedule.ABBA, 42)
	if !slices.Equal(one.Pairs(), one.Among(1).Pairs()) {
		t.Error("Among(1) changes the schedule")
	}
}

// Every block runs all arms and then all of them backwards. All orders are equally likely.
func TestBlocksOfSeveralHeads(t *testing.T) {
	for heads, orders := range map[int]int{2: 6, 3: 24} {
		seen := map[schedule.Order]int{}
		blocks := 0
		for seed := uint64(1); seed <= 60; seed++ {
			pairs := mustNew(t, 80, schedule.ABBA, seed).Among(heads).Pairs()
			for i := 0; i < len(pairs); i += 2 {
				forth, back := pairs[i].Order.Arms(), pairs[i+1].Order.Arms()
				seen[pairs[i].Order]++
				blocks++
				slices.Reverse(back)
				if !slices.Equal(forth, back) {
					t.Fatalf("a block of %s and %s", pairs[i].Order, pairs[i+1].Order)
				}
				if slices.Sort(forth); !slices.Equal(forth, schedule.Arms(heads)) {
					t.Fatalf("a pair has the arms %q", forth)
				}
				for _, head := range schedule.Arms(heads)[1:] {
					if pairs[i].Order.Of(head) == pairs[i+1].Order.Of(head) {
						t.Fatalf("%s and base have the same order in %s and %s", head, pairs[i].Order, pairs[i+1].Order)
					}
				}
			}
		}
		each := float64(blocks) / float64(orders)
		for order, n := range seen {
			if math.Abs(float64(n)-each) > 6*math.Sqrt(each) {
				t.Errorf("%d of %d blocks of %d heads are %s", n, blocks, heads, order)
			}
		}
		if len(seen) != orders {
			t.Errorf("%d orders of %d heads, want %d", len(seen), heads, orders)
		}
	}
}

func TestOrderOf(t *testing.T) {
	order := schedule.Order("CABD")
	for arm, want := range map[schedule.Arm]schedule.Order{"head": "AB", "head2": "BA", "head3": "AB"} {
		if got := order.Of(arm); got != want {
			t.Errorf("%s has %s in %s, want %s", arm, got, order, want)
		}
	}
	if order.First() != "head2" || order.Last() != "head3" {
		t.Errorf("%s goes from %s to %s", order, order.First(), order.Last())
	}
}

// Carry-over from the previous proof is on average equal for all arms: each arm follows every arm, itself included,
// equally often.
func TestCarryOverAmongHeads(t *testing.T) {
	const heads, runs, pairs = 3, 100, 100
	before := map[[2]schedule.Arm]int{}
	for seed := uint64(1); seed <= runs; seed++ {
		s := mustNew(t, pairs, schedule.ABBA, seed).Among(heads)
		last := schedule.Base
		for _, p := range s.Pairs() {
			if s.Bridge(p, last, true) {
				last = p.Order.First()
			}
			for _, arm := range p.Order.Arms() {
				before[[2]schedule.Arm{last, arm}]++
				last = arm
			}
		}
	}
	each := float64(runs*pairs) / (heads + 1)
	for _, last := range schedule.Arms(heads) {
		for _, arm := range schedule.Arms(heads) {
			if n := before[[2]schedule.Arm{last, arm}]; math.Abs(float64(n)-each) > 6*math.Sqrt(each) {
				t.Errorf("%s follows %s %d times, want about %.0f", arm, last, n, each)
			}
		}
	}
}
