package record

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// Progress is the fold of the records of one workload.
type Progress struct {
	// Further is the number of heads after the first.
	Further  int
	Samples  evidence.Samples
	Sessions map[schedule.Arm]evidence.Session
	// Crosses holds what base's verifier said about the proofs of each head.
	Crosses     map[schedule.Arm]evidence.CrossCheck
	Warnings    []plan.Warning
	Interims    []Interim
	Processes   *int         // nil before it was decided
	WarmupCount *WarmupCount // nil before the first start is warm, and if drift is not checked
	PreCheck    *PreCheck    // nil before the pre-check has ended, and without one
	Measured    bool
	Profile     *evidence.CodeProfile // nil before it was taken, and if none was requested
	// Challenges are the challenges of the verifiers so far.
	Challenges map[schedule.Arm]evidence.Challenge
	// Seconds is the time between the records of this workload. last is zero while the workload is not being measured.
	Seconds float64
	last    time.Time
}

// Attempt is one measurement of a pair. Indices are the indices of its samples by the number of their arm, -1 for a
// sample that is missing or not verified.
type Attempt struct {
	Pair, Number int
	Indices      []int
	Dropped      bool
}

// Drops lists the dropped attempts.
func (p *Progress) Drops(metric string) []evidence.Drop {
	drops := []evidence.Drop{}
	for _, a := range p.Attempts() {
		if !a.Dropped && a.Whole() {
			continue
		}
		d := evidence.Drop{
			Pair:    a.Pair,
			Attempt: a.Number,
			A:       stats.Number(math.NaN()),
			B:       stats.Number(math.NaN()),
			Causes:  []evidence.Cause{},
		}
		for _, side := range []struct {
			at   int
			into *stats.Number
		}{{a.Indices[0], &d.A}, {a.Indices[1], &d.B}} {
			if side.at < 0 {
				continue
			}
			s := p.Samples[side.at]
			d.Block, d.Order = s.Block, s.Order
			d.Causes = append(d.Causes, s.Causes...)
			if value, ok := s.Metrics[metric]; ok {
				*side.into = stats.Number(value)
			}
		}
		drops = append(drops, d)
	}
	return drops
}

// ProofOf returns a verified proof of an arm for a seed.
func (p *Progress) ProofOf(arm schedule.Arm, seed uint64) (evidence.Sample, bool) {
	for _, s := range p.Samples {
		if s.Arm == arm && s.Seed == seed && s.Verified {
			return s, true
		}
	}
	return evidence.Sample{}, false
}

// Dropped counts the attempts that were measured whole and dropped.
func (p *Progress) Dropped() int {
	count := 0
	for _, a := range p.Attempts() {
		if a.Dropped && a.Whole() {
			count++
		}
	}
	return count
}

// First returns the first whole measurement of every pair, dropped or not.
func (p *Progress) First(metric string) []evidence.Pair {
	var pairs []evidence.Pair
	seen := map[int]bool{}
	for _, a := range p.Attempts() {
		if !a.Whole() || seen[a.Pair] {
			continue
		}
		seen[a.Pair] = true
		base, head := p.Samples[a.Indices[0]], p.Samples[a.Indices[1]]
		pairs = append(pairs, evidence.Pair{
			Number: a.Pair, Block: base.Block, Order: base.Order, Seed: base.Seed, Attempt: a.Number,
			A: base.Metrics[metric], B: head.Metrics[metric], Base: a.Indices[0], Head: a.Indices[1],
		})
	}
	return pairs
}

// spend adds the time since the previous record. The time of a killed run after its last record is unknown.
func (p *Progress) spend(now time.Time) {
	p.Seconds += now.Sub(p.last).Seconds()
	p.last = now
}

// opened stores what a session reported at its first start, and counts its starts.
func (p *Progress) opened(o Opened) {
	session, again := p.Sessions[o.Arm]
	if !again {
		session = o.Session
	}
	session.Starts++
	p.Sessions[o.Arm] = session
}

// verified marks a sample as verified or refused.
func (p *Progress) verified(v Verified) error {
	if v.Sample < 0 || v.Sample >= len(p.Samples) {
		return fmt.Errorf("the journal has a verification of sample %d of %d of workload %s", v.Sample, len(p.Samples),
			v.Workload)
	}
	s := &p.Samples[v.Sample]
	s.Verified, s.VerifySeconds = v.Verified, v.VerifySeconds
	if v.Cross == nil {
		return nil
	}
	cross := p.Crosses[s.Arm]
	cross.Done, cross.Proofs = true, cross.Proofs+1
	if !v.Cross.Accepted {
		cross.Refused++
		cross.Text = v.Cross.Text
	}
	cross.Accepted = cross.Refused == 0
	p.Crosses[s.Arm] = cross
	return nil
}

// drop marks the samples of an attempt as dropped.
func (p *Progress) drop(d Dropped) {
	for i := range p.Samples {
		s := &p.Samples[i]
		if s.Kind == evidence.Measured && s.Pair == d.Pair && s.Attempt == d.Attempt {
			s.Dropped = true
			if len(s.Causes) == 0 && len(d.Causes) > 0 && d.Causes[0].Kind == evidence.CauseInterrupted {
				s.Causes = d.Causes
			}
		}
	}
}

// Whole reports whether the attempt has a proof of every arm.
func (a Attempt) Whole() bool { return !slices.Contains(a.Indices, -1) }

// Attempts groups the measured samples, in the order of their first sample.
func (p *Progress) Attempts() []Attempt {
	var all []Attempt
	place := map[[2]int]int{}
	for i, s := range p.Samples {
		if s.Kind != evidence.Measured {
			continue
		}
		key := [2]int{s.Pair, s.Attempt}
		at, ok := place[key]
		if !ok {
			at = len(all)
			place[key] = at
			all = append(all, Attempt{Pair: s.Pair, Number: s.Attempt, Indices: slices.Repeat([]int{-1}, p.Further+2)})
		}
		if s.Verified || s.Unchecked {
			all[at].Indices[s.Arm.Number()] = i
		}
		all[at].Dropped = all[at].Dropped || s.Dropped
	}
	return all
}

// Counted returns the counted pairs, in the order of measurement.
func (p *Progress) Counted(metric string) []evidence.Pair {
	var pairs []evidence.Pair
	for _, a := range p.Attempts() {
		if a.Dropped || !a.Whole() {
			continue
		}
		base, head := p.Samples[a.Indices[0]], p.Samples[a.Indices[1]]
		pairs = append(pairs, evidence.Pair{
			Number: a.Pair, Block: base.Block, Order: base.Order, Seed: base.Seed, Attempt: a.Number,
			A: base.Metrics[metric], B: head.Metrics[metric], Base: a.Indices[0], Head: a.Indices[1],
		})
	}
	return pairs
}

// Tries returns the number of times that a pair was begun.
func (p *Progress) Tries(pair int) int {
	most := 0
	for _, s := range p.Samples {
		if s.Pair == pair {
			most = max(most, s.Attempt)
		}
	}
	return most
}

// Settling returns the plan of a workload after its first start: with the warm-up proofs of later starts, and the
// number of warm-up proofs of the first start.
func (p *Progress) Settling(plan plan.Plan) (plan.Plan, int) {
	if p.WarmupCount == nil {
		return plan, plan.FirstWarmups()
	}
	plan.Warmup += p.WarmupCount.More
	return plan, p.WarmupCount.Proofs
}
