package prove

import (
	"time"
)

// Stage is a part of a proof's time.
type Stage string

// The stages in the order in which they begin. Times are measured on the host between calls of the backend, and are
// disjoint. StageOther is the rest: the transcript and planning.
const (
	StageTrace           Stage = "trace"
	StageCount           Stage = "count"
	StageCommitMain      Stage = "commit_main"
	StageLogUp           Stage = "logup"
	StageCommitAuxiliary Stage = "commit_auxiliary"
	StageQuotient        Stage = "quotient"
	StageCommitQuotient  Stage = "commit_quotient"
	StageOpen            Stage = "open"
	StageDeep            Stage = "deep"
	StageFold            Stage = "fold"
	StageGrind           Stage = "grind"
	StageGather          Stage = "gather"
	StageOther           Stage = "other"
)

// Stages lists all stages in order.
var Stages = []Stage{
	StageTrace, StageCount, StageCommitMain, StageLogUp, StageCommitAuxiliary, StageQuotient,
	StageCommitQuotient, StageOpen, StageDeep, StageFold, StageGrind, StageGather, StageOther,
}

// Metrics are the measurements of a proof.
type Metrics struct {
	Total       time.Duration
	Stages      map[Stage]time.Duration // their sum is Total
	GrindHashes uint64
}

// stopwatch charges time to stages.
type stopwatch struct {
	start, last time.Time
	metrics     Metrics
}

func newStopwatch() *stopwatch {
	now := time.Now()
	return &stopwatch{now, now, Metrics{Stages: make(map[Stage]time.Duration)}}
}

// charge adds the time since the last charge to a stage.
func (s *stopwatch) charge(stage Stage) {
	now := time.Now()
	s.metrics.Stages[stage] += now.Sub(s.last)
	s.last = now
}

// pause stops the clock until resume.
func (s *stopwatch) pause() { s.charge(StageOther) }

// resume continues as if no time had passed since pause.
func (s *stopwatch) resume() {
	now := time.Now()
	s.start, s.last = s.start.Add(now.Sub(s.last)), now
}

// stop charges the remaining time and returns the metrics.
func (s *stopwatch) stop() *Metrics {
	s.charge(StageOther)
	s.metrics.Total = s.last.Sub(s.start)
	return &s.metrics
}
