package harness

import (
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// proofsOf counts the proofs, unmeasured ones included, that it takes to measure the pairs in this order after a proof of
// last and the pair previous. With alone only one session is kept, and each change of arm warms the new one up.
func proofsOf(s *schedule.Schedule, pairs []int, plan Plan, alone bool, last Arm, previous int) int {
	proofs := 0
	turn := func(arm Arm) {
		if alone && arm != last {
			proofs += plan.Warmup
			last = arm
		}
	}
	for _, number := range pairs {
		p := s.Pair(number)
		turn(armOf(p.Order.First()))
		if s.Bridge(p, letterOf(last), previous == number-1) {
			proofs++
		}
		last = armOf(p.Order.First())
		turn(armOf(p.Order.Last()))
		last = armOf(p.Order.Last())
		proofs += 2
		previous = number
	}
	return proofs
}

// plannedProofs counts the proofs of a run in which nothing is dropped or stopped.
func plannedProofs(s *schedule.Schedule, plan Plan, alone bool) int {
	pairs := make([]int, plan.Pairs)
	for i := range pairs {
		pairs[i] = i + 1
	}
	return 2*plan.Warmup + proofsOf(s, pairs, plan, alone, armOf(s.Pair(1).Order.First()), 0)
}
