package prove

import (
	"time"
)

// Stage is one part of a proof's time.
type Stage string

// The stages in the order in which they begin. Their times are the host's,
// between calls of the backend, and are disjoint; StageOther is what lies
// between them: the transcript and planning.
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

// Stages are all stages in order.
var Stages = []Stage{
	StageTrace, StageCount, StageCommitMain, StageLogUp, StageCommitAuxiliary, StageQuotient,
	StageCommitQuotient, StageOpen, StageDeep, StageFold, StageGrind, StageGather, StageOther,
}

// Metrics say what a proof took.
type Metrics struct {
	Total       time.Duration
	Stages      map[Stage]time.Duration // sum up to Total
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

// pause ends the time that is charged until it is resumed.
func (s *stopwatch) pause() { s.charge(StageOther) }

// resume goes on as if no time had passed since the pause.
func (s *stopwatch) resume() {
	now := time.Now()
	s.start, s.last = s.start.Add(now.Sub(s.last)), now
}

// stop closes the books.
func (s *stopwatch) stop() *Metrics {
	s.charge(StageOther)
	s.metrics.Total = s.last.Sub(s.start)
	return &s.metrics
}
