package nightly

import (
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows"
)

// planSchema and resultSchema are the versions of a night's plan and result.
const (
	planSchema   = "chiasmus.nightplan/2"
	resultSchema = "chiasmus.nightresult/2"
)

// A Plan lists the comparisons of a night.
type Plan struct {
	Schema string `json:"schema"`
	Night  string `json:"night"`
	Head   string `json:"head"`
	// Baseline is the resolved revision of nightly.baseline, empty for none.
	Baseline  string         `json:"baseline,omitempty"`
	Workloads []WorkloadPlan `json:"workloads"`
	Deadline  string         `json:"deadline"`
	// Alpha is the alpha of bench.yaml, which every report must have used.
	Alpha float64 `json:"alpha"`
	// Budget is the maximum number of pairs per workload.
	Budget int `json:"budget"`
	// Unsettled is the number of consecutive unsettled nights that opens an issue.
	Unsettled int `json:"unsettled"`
	// Bisect is the time for searching the commits that caused confirmed regressions, a Go duration; empty disables
	// searches.
	Bisect string `json:"bisect,omitempty"`
	// Dependencies are added by the job that fetches them.
	Dependencies workflows.Dependencies `json:"dependencies,omitempty"`
}

// A WorkloadPlan is the plan for one workload.
type WorkloadPlan struct {
	Name string `json:"name"`
	// Good is the revision to compare with. If it equals the night's head, the night measures noise.
	Good string `json:"good"`
	// Anchor is the reference revision of the chart.
	Anchor string `json:"anchor"`
	// Margin is in percent: the smallest effect worth acting on.
	Margin float64 `json:"margin"`
	// Rounds is the number of rounds that each comparison starts with, and Pairs the number of pairs per round.
	Rounds int `json:"rounds"`
	Pairs  int `json:"pairs"`
	// Host has the variances that the plan is based on.
	Host Host `json:"host"`
	// Search is the last search since Good became the last good revision, or nil.
	Search *Search `json:"search,omitempty"`
}

// Settings are the inputs of a plan besides the history. Zero values mean the defaults of bench.yaml.
type Settings struct {
	Workloads []string
	Night     time.Time
	Head      string
	Baseline  string  // resolved; empty for none
	Pairs     int     // minimum per round: plan.pairs
	Margin    float64 // plan.equivalence, a fraction; the default if that is off
	Alpha     float64
	Budget    int // nightly.pairs
	Unsettled int // nightly.unsettled
}

// defaultBudget is the default maximum number of pairs per night and workload.
const defaultBudget = 1000

const (
	defaultPairs = 14
	aim          = 0.4 // target standard error from pairs and processes, in margins
	mostRounds   = 8
	firstRounds  = 4 // minimum until startUp nights are known
	roundCost    = 6 // cost of starting a round, in pairs
)

func (settings Settings) complete() Settings {
	if settings.Pairs == 0 {
		settings.Pairs = defaultPairs
	}
	if settings.Margin == 0 {
		settings.Margin = stats.DefaultEquivalence
	}
	if settings.Alpha == 0 {
		settings.Alpha = stats.DefaultAlpha
	}
	if settings.Budget == 0 {
		settings.Budget = defaultBudget
	}
	if settings.Unsettled == 0 {
		settings.Unsettled = defaultUnsettled
	}
	return settings
}

// Prepare plans a night. A workload without a good revision starts with today's: its first night measures noise.
func Prepare(history History, settings Settings) Plan {
	settings = settings.complete()
	plan := Plan{Schema: planSchema, Night: settings.Night.UTC().Format(time.DateOnly), Head: settings.Head,
		Baseline: settings.Baseline, Alpha: settings.Alpha, Budget: settings.Budget, Unsettled: settings.Unsettled}
	for _, name := range settings.Workloads {
		one := WorkloadPlan{Name: name, Good: history.Good(name), Margin: 100 * settings.Margin, Search: history.search(name)}
		if one.Good == "" {
			one.Good = settings.Head
		}
		if one.Anchor = history.anchor(name, settings.Baseline); one.Anchor == "" {
			one.Anchor = one.Good
		}
		chart := history.chart(name)
		one.Host = hostOf(history, name, &chart, one.Margin)
		target, host := math.Pow(aim*one.Margin, 2), one.Host
		if chart.suspected() || history.doubted(name) {
			target /= 2
			host.Pair = max(host.Pair, history.newestPair(name)) // the last night may have been noisier than earlier ones
		}
		first, share := 1, settings.Budget/(len(plan.comparisons(&one))+1)
		if !chart.Started() {
			first = max(1, min(firstRounds, share/settings.Pairs))
		}
		one.plan(host, target, first, settings.Pairs, share)
		plan.Workloads = append(plan.Workloads, one)
	}
	return plan
}

// plan chooses the numbers of rounds and pairs, at least first and least, that reach the target variance at the lowest
// cost, or come nearest to it. share is the budget of one comparison; its repetition has an equal share.
func (one *WorkloadPlan) plan(host Host, target float64, first, least, share int) {
	nearest, cheapest := math.Inf(1), math.Inf(1)
	for rounds := first; rounds <= mostRounds; rounds++ {
		if rounds > first && rounds*least > share {
			break
		}
		pairs := max(least, share/rounds&^1)
		if left := target*float64(rounds) - host.Process; left > 0 {
			pairs = min(pairs, max(least, even(host.Pair/left)))
		}
		variance := max(1.05*target, host.within(rounds, pairs)) // no credit for exceeding the target
		cost := float64(rounds * (pairs + roundCost))
		if variance < nearest || variance == nearest && cost < cheapest {
			nearest, cheapest, one.Rounds, one.Pairs = variance, cost, rounds, pairs
		}
	}
}

// even rounds up to an even number of pairs, as whole blocks require.
func even(pairs float64) int { return 2 * int(math.Ceil(min(pairs, math.MaxInt32)/2)) }

// A comparison is a planned comparison.
type comparison struct {
	Request
	kind Kind
}

// comparisons lists the comparisons of a workload, in order.
func (plan *Plan) comparisons(one *WorkloadPlan) []comparison {
	kind := Compared
	if one.Good == plan.Head {
		kind = Noise
	}
	against := func(base string, kind Kind) comparison {
		return comparison{Request{Base: base, Head: plan.Head, Workload: one.Name, Pairs: one.Pairs}, kind}
	}
	list := []comparison{against(one.Good, kind)}
	if one.Anchor != plan.Head && one.Anchor != one.Good {
		kind = Anchor
		if plan.Baseline != "" {
			kind = Baseline
		}
		list = append(list, against(one.Anchor, kind))
	}
	return list
}

// expected lists the plan's comparisons in order.
func (plan *Plan) expected() []comparison {
	var list []comparison
	for i := range plan.Workloads {
		list = append(list, plan.comparisons(&plan.Workloads[i])...)
	}
	return list
}

// workload returns the plan of one workload, or nil.
func (plan *Plan) workload(name string) *WorkloadPlan {
	for i := range plan.Workloads {
		if plan.Workloads[i].Name == name {
			return &plan.Workloads[i]
		}
	}
	return nil
}

// Commits lists every revision that the night needs, without duplicates.
func (plan *Plan) Commits() []string {
	commits := []string{plan.Head}
	if plan.Baseline != "" {
		commits = append(commits, plan.Baseline)
	}
	for _, workload := range plan.Workloads {
		commits = append(commits, workload.Good, workload.Anchor)
	}
	slices.Sort(commits)
	return slices.Compact(commits)
}
