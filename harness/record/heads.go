package record

import (
	"slices"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// Against returns the progress of base and one head alone, as in a run of these two: the head is called
// [schedule.Head]. In a run with one head it returns p itself. A pair that another head has not yet proven does not
// count. Seconds is the share of these proofs. Warnings are left out, because they name arms of the whole run.
func (p *Progress) Against(head schedule.Arm) *Progress {
	if p.Further == 0 {
		return p
	}
	view := *p
	view.Further, view.Samples, view.Warnings = 0, evidence.Samples{}, nil
	partial, elsewhere := map[[2]int]bool{}, map[[2]int][]evidence.Cause{}
	for _, a := range p.Attempts() {
		partial[[2]int{a.Pair, a.Number}] = !a.Whole()
	}
	for _, s := range p.Samples {
		if s.Arm != schedule.Base && s.Arm != head && s.Kind == evidence.Measured {
			key := [2]int{s.Pair, s.Attempt}
			elsewhere[key] = append(elsewhere[key], s.Causes...)
		}
	}
	for _, s := range p.Samples {
		if s.Arm != schedule.Base && s.Arm != head {
			continue
		}
		s.Dropped = s.Dropped || s.Kind == evidence.Measured && partial[[2]int{s.Pair, s.Attempt}]
		s.Idle = s.Waiting[waitingFor(s.Arm, head)]
		s.Waiting, s.Arm = nil, s.Arm.Against(head)
		if s.Order != "" {
			s.Order = stats.Order(schedule.Order(s.Order).Of(head))
		}
		s.Causes = slices.Clone(s.Causes)
		if s.Arm == schedule.Base && s.Kind == evidence.Measured { // causes of another head drop the pair of every head
			s.Causes = append(s.Causes, elsewhere[[2]int{s.Pair, s.Attempt}]...)
		}
		for i := range s.Causes {
			s.Causes[i].Arm = armOfCause(s.Causes[i].Arm, head)
		}
		view.Samples = append(view.Samples, s)
	}
	if len(p.Samples) > 0 {
		view.Seconds *= float64(len(view.Samples)) / float64(len(p.Samples))
	}
	view.Sessions, view.Crosses = against(p.Sessions, head), against(p.Crosses, head)
	view.Challenges = against(p.Challenges, head)
	for arm, c := range view.Challenges {
		c.Arm = arm
		view.Challenges[arm] = c
	}
	return &view
}

// anotherHead names the arm of a cause that occurred during the proof of a head other than the one analysed.
const anotherHead schedule.Arm = "another head"

func armOfCause(arm, head schedule.Arm) schedule.Arm {
	if arm != schedule.Base && arm != head {
		return anotherHead
	}
	return arm.Against(head)
}

// waitingFor returns the arm, of base and a head, that waits while the other one proves.
func waitingFor(proving, head schedule.Arm) schedule.Arm {
	if proving == schedule.Base {
		return head
	}
	return schedule.Base
}

// against returns the values of base and a head.
func against[T any](of map[schedule.Arm]T, head schedule.Arm) map[schedule.Arm]T {
	kept := map[schedule.Arm]T{}
	for arm, value := range of {
		if arm == schedule.Base || arm == head {
			kept[arm.Against(head)] = value
		}
	}
	return kept
}
