package plan

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/stats"
)

// Plan is the statistical design of a run, decided before anything is measured.
type Plan struct {
	Pairs  int `json:"pairs"` // with interim analyses, the maximum
	Warmup int `json:"warmup"`
	// Settle is the largest number of warm-up proofs of an arm at its first start; 0 disables the check for drift.
	Settle      int     `json:"settle,omitempty"`
	Design      string  `json:"design"` // abba or alternating
	Seed        uint64  `json:"seed"`
	SeedDrawn   bool    `json:"seed_drawn"` // not given by the caller
	Alpha       float64 `json:"alpha"`
	Equivalence float64 `json:"equivalence"` // a fraction
	// StageMargin is the largest accepted slowdown of one stage, as a fraction of the total time; 0 excludes stages from
	// the verdict.
	StageMargin float64 `json:"stage_margin,omitempty"`
	Analyses    int     `json:"looks"`
	// PreCheck 1 adds a baseline pre-check: head alone is measured first, against a baseline of base. It takes a share of
	// Alpha from pairs.
	PreCheck int    `json:"tier,omitempty"`
	Resident string `json:"resident"` // both or one
	// Processes is the number of processes of each arm. 0 lets the measured start-up time decide, or means that every
	// proof has its own process. Builds is the number of builds of each arm.
	Processes       int     `json:"launches"`
	Builds          int     `json:"builds,omitempty"`
	CooldownSeconds float64 `json:"cooldown_seconds"`
	Isolated        bool    `json:"isolated"`
}

// WholeAlpha returns the share of Alpha for the primary metric of one workload in pairs: the rest after stages and the
// baseline pre-check.
func (p Plan) WholeAlpha() float64 {
	_, pairs := p.PreCheckAlphas()
	return pairs
}

// PreCheckAlphas returns the shares of Alpha for the primary metric of one workload: in the baseline pre-check and in
// pairs.
func (p Plan) PreCheckAlphas() (first, pairs float64) {
	whole := p.Alpha
	if p.StageMargin > 0 {
		whole, _ = stats.SplitAlpha(p.Alpha)
	}
	if p.PreCheck == 0 {
		return 0, whole
	}
	return stats.SplitPreCheck(whole)
}

// BuildCount returns the number of builds of each arm, at least 1. Plans of earlier versions do not give it.
func (p Plan) BuildCount() int { return max(1, p.Builds) }

// Planned returns the number of processes of each arm that the plan fixes beforehand: one for each build unless it says
// more. It is 0 if the measured start-up time decides.
func (p Plan) Planned() int {
	if p.Processes == 0 && p.BuildCount() > 1 {
		return p.BuildCount()
	}
	return p.Processes
}

// Sequence returns the design of interim analyses for a number of processes of each arm.
func (p Plan) Sequence(processes int) (stats.Design, error) {
	return stats.NewDesign(p.Pairs, p.Analyses, p.WholeAlpha(), stats.Sampling{Processes: processes,
		Builds: p.BuildCount()})
}

// Fresh returns the number of processes of each arm with which every block has its own process, or every pair if there
// are too few blocks for the tests.
func (p Plan) Fresh() (int, error) {
	design, err := stats.NewDesign(p.Pairs, p.Analyses, p.WholeAlpha(), stats.Sampling{})
	return design.Units, err
}

// MayHave returns an error for a number of processes that no run of the plan can have.
func (p Plan) MayHave(processes int) error {
	allowed, err := p.MayDraw()
	if err != nil {
		return err
	}
	if !slices.Contains(allowed, processes) {
		return fmt.Errorf("it has %d processes of each arm, which no run of a plan of %d pairs has", processes, p.Pairs)
	}
	return nil
}
