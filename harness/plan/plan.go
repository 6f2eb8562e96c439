package plan

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/stats"
)

// BuildCount is how many builds of either arm a plan has; plans of earlier versions say nothing.
func (p Plan) BuildCount() int { return max(1, p.Builds) }

// Planned is the number of processes that a plan says beforehand: 0 where it leaves it to what starting one takes.
// Where nothing else is said every build has one.
func (p Plan) Planned() int {
	if p.Launches == 0 && p.BuildCount() > 1 {
		return p.BuildCount()
	}
	return p.Launches
}

// Sequence is the plan of looks where so many processes of either arm measure.
func (p Plan) Sequence(launches int) (stats.Design, error) {
	return stats.NewDesign(p.Pairs, p.Looks, p.WholeAlpha(), stats.Sampling{Launches: launches, Builds: p.BuildCount()})
}

// Fresh is the number of processes that gives every block its own, or every pair where there are too few blocks for the
// tests to count them.
func (p Plan) Fresh() (int, error) {
	design, err := stats.NewDesign(p.Pairs, p.Looks, p.WholeAlpha(), stats.Sampling{})
	return design.Units, err
}

// MayHave refuses a number of processes that no run of the plan comes to.
func (p Plan) MayHave(launches int) error {
	allowed, err := p.MayDraw()
	if err != nil {
		return err
	}
	if !slices.Contains(allowed, launches) {
		return fmt.Errorf("it has %d processes of either arm, and a plan of %d pairs none of that kind", launches, p.Pairs)
	}
	return nil
}

// Plan is what was decided before anything was measured.
type Plan struct {
	Pairs  int `json:"pairs"` // with looks the maximum
	Warmup int `json:"warmup"`
	// The most warm-up proofs of a side at its first start; 0 looks for no drift.
	Settle      int     `json:"settle,omitempty"`
	Design      string  `json:"design"` // abba or alternating
	Seed        uint64  `json:"seed"`
	SeedDrawn   bool    `json:"seed_drawn"` // not given by the caller
	Alpha       float64 `json:"alpha"`
	Equivalence float64 `json:"equivalence"` // a fraction
	// StageMargin is what one stage may add to the whole, as a fraction; 0 where stages decide nothing.
	StageMargin float64 `json:"stage_margin,omitempty"`
	Looks       int     `json:"looks"`
	// Tier 1 measures head alone first, against a baseline of base; what it may spend of Alpha the pairs may not.
	Tier     int    `json:"tier,omitempty"`
	Resident string `json:"resident"` // both or one
	// Launches is how many processes of either arm measure; 0 decides by the time that starting one takes, or does not
	// draw any where every proof has a process of its own. Builds is how many builds do.
	Launches        int     `json:"launches"`
	Builds          int     `json:"builds,omitempty"`
	CooldownSeconds float64 `json:"cooldown_seconds"`
	Isolated        bool    `json:"isolated"`
}

// WholeAlpha is what the primary metric of one workload may spend of Alpha in pairs: all, or what the stages and the
// first tier leave of it.
func (p Plan) WholeAlpha() float64 {
	_, pairs := p.TierAlphas()
	return pairs
}

// TierAlphas are what the primary metric of one workload may spend of Alpha, in the first tier and in pairs.
func (p Plan) TierAlphas() (first, pairs float64) {
	whole := p.Alpha
	if p.StageMargin > 0 {
		whole, _ = stats.SplitAlpha(p.Alpha)
	}
	if p.Tier == 0 {
		return 0, whole
	}
	return stats.SplitTiers(whole)
}
