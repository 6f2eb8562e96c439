package nightly

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"testing"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// The whole simulation takes a processor for half an hour, early steps alone (-run TestEarlySteps) a few minutes:
//
//	go test ./workflows/nightly -run 'TestSimulation|TestEarlySteps' -timeout 0 -args -nights.all -nights.write FOLDER
var (
	simulateAll    = flag.Bool("nights.all", false, "simulate every cell, instead of a few series of some")
	simulateSeries = flag.Int("nights.series", 1000, "how many series of every cell, with -nights.all")
	simulateWrite  = flag.String("nights.write", "", "write the simulation's tables to this folder, as Markdown")
)

// simulated runs cells concurrently with the given number of series each, or with -nights.all every cell with more
// series. It returns the cells and the number of series.
func simulated(few int, some []*cell, run func(one *cell, series int)) ([]*cell, int) {
	series, list := few, some
	if *simulateAll {
		series, list = *simulateSeries, cells()
	}
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, one := range list {
		workers.Go(func() error {
			run(one, series)
			return nil
		})
	}
	_ = workers.Wait() // simulating cannot fail
	return list, series
}

// writeTable writes a table if -nights.write requests it.
func writeTable(t *testing.T, name, table string) {
	t.Helper()
	if *simulateWrite == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*simulateWrite, name), []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A host samples comparisons instead of running a prover. A commit has a level, in percent slower, and a build with a
// permanent effect. A comparison adds two processes and noisy pairs. For normal pairs the rule reads only mean and
// standard deviation of a round, so these are sampled.
type host struct {
	pair, build, process float64 // standard deviations, percent
	random               *rand.Rand
	source               *rand.PCG
	slower               map[string]float64 // level and build, by commit
}

func newHost(pair, build, process float64, seed uint64) *host {
	source := rand.NewPCG(seed, 20261122)
	return &host{pair: pair, build: build, process: process, source: source, random: rand.New(source),
		slower: map[string]float64{}}
}

// commit adds a commit of a level.
func (host *host) commit(sha string, level float64) {
	host.slower[sha] = level + host.build*host.random.NormFloat64()
}

func (host *host) compare(_ context.Context, request Request) (*report.Report, error) {
	n := float64(request.Pairs)
	processes := host.process * (host.random.NormFloat64() - host.random.NormFloat64())
	faster := host.slower[request.Base] - host.slower[request.Head]
	mean := (faster + processes + host.pair/math.Sqrt(n)*host.random.NormFloat64()) / 100
	units := n / 2 // blocks
	sd := host.pair / math.Sqrt2 / 100 * math.Sqrt(distuv.ChiSquared{K: units - 1, Src: host.source}.Rand()/(units-1))
	test := stats.TTest{
		Mean: stats.Number(mean),
		SD:   stats.Number(sd),
		SE:   stats.Number(sd / math.Sqrt(units)),
		DF:   request.Pairs/2 - 1,
	}
	result := &stats.Result{
		Pairs: request.Pairs,
		Unit:  stats.UnitBlock,
		Units: request.Pairs / 2,
		Scale: stats.ScaleLog,
		Alpha: 0.05,
		T:     test,
		MeanA: 1,
		MeanB: stats.Number(math.Exp(-mean)),
	}
	return &report.Report{Schema: report.Schema, State: report.Complete,
		Base: harness.Revision{SHA: request.Base}, Head: harness.Revision{SHA: request.Head},
		Plan: harness.Plan{
			Pairs:       request.Pairs,
			Alpha:       0.05,
			Equivalence: 0.01,
			Analyses:    1,
			Seed:        host.random.Uint64(),
			Isolated:    true,
		},
		Workloads: []report.Workload{{Name: request.Workload, Metric: metrics.Metric{Name: "prove_seconds"},
			Stats: result}}}, nil
}

// A series is a workload's nights, each with its own commit.
type series struct {
	host      *host
	history   History
	baseline  string
	nights    int
	pairs     int  // that were measured
	alarms    int  // that were opened
	notices   int  // of inconclusive nights
	unsettled bool // whether an issue of such nights is open
	last      Plan
}

func newSeries(host *host, baseline bool) *series {
	one := &series{host: host}
	if baseline {
		one.baseline = sha(1 << 20)
		host.commit(one.baseline, 0)
	}
	return one
}

// night adds a commit of that level, by the real Prepare, MeasureNight and Conclude, and says whether an alarm is open.
func (one *series) night(level float64) bool {
	n := one.nights
	one.nights++
	head := sha(n)
	one.host.commit(head, level)
	plan := Prepare(one.history, Settings{Workloads: []string{"w"}, Night: night(n), Head: head, Baseline: one.baseline})
	result := MeasureNight(context.Background(), plan, one.host.compare)
	before := one.history.alarm("w")
	records, conclusions := Conclude(one.history, result, "")
	one.history = append(one.history, records...)
	for _, record := range records {
		one.pairs += record.Pairs
	}
	unsettled := slices.ContainsFunc(conclusions, func(one Conclusion) bool {
		return one.Issue == open && one.Marker == Marker("w")
	})
	if unsettled && !one.unsettled {
		one.notices++
	}
	one.unsettled = unsettled
	after := one.history.alarm("w")
	if before == "" && after != "" {
		one.alarms++
	}
	one.last = plan
	return after != ""
}

// Requirements on the rule in the simulation.
const (
	healthyStart = 28   // nights before a step or a drift
	stepSize     = 2.0  // percent
	stepNights   = 60   // nights in which a step is watched
	creepAWeek   = 0.2  // percent
	creepLimit   = 1.5  // percent, before which a drift must be found
	lateShare    = 0.02 // of series, in which it may be found later
	year         = 365  // nights
	falseAYear   = 1.0  // alarms
)

// A cell counts the outcomes of the series of one kind of host.
type cell struct {
	pair, build, process float64
	baseline             bool

	// Of a healthy year: the mean number of alarms, the share of series with two or more, the printed figure, the pairs a
	// night.
	alarms, twice, printed, pairs float64
	notices                       float64 // issues of inconclusive nights, in a healthy year

	found  []int // the night on which the step was found, sorted; stepNights + 1 for never
	open   int   // steps whose alarm is open at the end
	creep  []float64
	series int
	early  []early // of steps that begin soon
}

func (one *cell) median() int { return one.found[(len(one.found)-1)/2] }

// simulate runs the series of a cell.
func (one *cell) simulate(count int) {
	one.series = count
	for i := range count {
		one.healthyYear(one.start(i, 1))
		one.step(one.start(i, 2))
		one.creeps(one.start(i, 3))
	}
	slices.Sort(one.found)
	slices.Sort(one.creep)
}

func (one *cell) start(i int, kind uint64) *series {
	return newSeries(newHost(one.pair, one.build, one.process, uint64(i)<<8|kind), one.baseline)
}

func (one *cell) healthyYear(nights *series) {
	for range year {
		nights.night(0)
	}
	share := 1 / float64(one.series)
	one.alarms += float64(nights.alarms) * share
	one.notices += float64(nights.notices) * share
	if nights.alarms > 1 {
		one.twice += share
	}
	one.printed += FalseAlarms(nights.last) * share
	one.pairs += float64(nights.pairs) / year * share
}

func (one *cell) step(nights *series) {
	for range healthyStart {
		nights.night(0)
	}
	found, open := stepNights+1, false
	for n := range stepNights {
		if open = nights.night(stepSize); open {
			found = min(found, n+1)
		}
	}
	one.found = append(one.found, found)
	if open {
		one.open++
	}
}

func (one *cell) creeps(nights *series) {
	for range healthyStart {
		nights.night(0)
	}
	level := creepAWeek / 7
	for !nights.night(level) && level < 2*creepLimit {
		level += creepAWeek / 7
	}
	one.creep = append(one.creep, level)
}

// cells are the simulation's hosts: the scatter of pairs, builds and processes, each with and without a baseline.
func cells() []*cell {
	var list []*cell
	for _, baseline := range []bool{false, true} {
		for _, pair := range []float64{1, 3, 5} {
			for _, build := range []float64{0, 0.25, 0.5} {
				for _, process := range []float64{0, 0.5} {
					list = append(list, &cell{pair: pair, build: build, process: process, baseline: baseline})
				}
			}
		}
	}
	return list
}

// check compares a cell with what the rule must hold.
func (one *cell) check(t *testing.T, falseAlarms float64) {
	t.Helper()
	if one.alarms > falseAlarms {
		t.Errorf("%s: %.3f false alarms a year", one, one.alarms)
	}
	if limit, ok := map[float64]int{3: 3, 5: 5}[one.pair]; ok && one.median() > limit {
		t.Errorf("%s: a step is found in a median of %d nights, not %d", one, one.median(), limit)
	}
	if one.open < one.series {
		t.Errorf("%s: %d of %d steps have no open alarm at the end", one, one.series-one.open, one.series)
	}
	// If builds scatter, the chart of 1 series in 100 is still starting when the drift begins; an issue of inconclusive
	// nights is open then.
	late := one.series - sort.SearchFloat64s(one.creep, creepLimit)
	if float64(late) > lateShare*float64(one.series) {
		t.Errorf("%s: %d of %d creeps were found at %.2f %% or later", one, late, one.series, creepLimit)
	}
}

func (one *cell) String() string {
	with := "no baseline"
	if one.baseline {
		with = "a baseline"
	}
	return fmt.Sprintf("pairs %g %%, builds %g %%, processes %g %%, %s", one.pair, one.build, one.process, with)
}

// hardest are the cells that distinguish a correct rule from a broken one.
func hardest() []*cell {
	return []*cell{
		{pair: 1}, {pair: 1, build: 0.5, process: 0.5, baseline: true},
		{pair: 3, build: 0.5, process: 0.5}, {pair: 5, build: 0.5, process: 0.5, baseline: true},
	}
}

// TestSimulation checks the rule's promises. A few series of the hardest cells distinguish a correct rule from a broken
// one. The figures of docs/guide/nights.md come from all cells.
func TestSimulation(t *testing.T) {
	longtest.Only(t)
	falseAlarms := 1.5 // of so few series, whose mean scatters by 0.2
	if *simulateAll {
		falseAlarms = falseAYear
	}
	list, _ := simulated(12, hardest(), (*cell).simulate)
	table := header
	for _, one := range list {
		one.check(t, falseAlarms)
		table += one.row()
	}
	writeTable(t, "year.md", table)
}

const header = "| pair | build | process | baseline | false alarms a year | series with two | printed | other " +
	"issues a year | pairs a night | step: median | 90 % | last | open | creep: median | last |\n" +
	"| ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"

func (one *cell) row() string {
	baseline := "no"
	if one.baseline {
		baseline = "yes"
	}
	last, open := one.series-1, 100*float64(one.open)/float64(one.series)
	return fmt.Sprintf("| %g %% | %g %% | %g %% | %s | %.2f | %.1f %% | %.2f | %.2f | %.0f ", one.pair, one.build,
		one.process,
		baseline,
		one.alarms, 100*one.twice, one.printed, one.notices, one.pairs) +
		fmt.Sprintf("| %d | %d | %d | %.1f %% | %.2f %% | %.2f %% |\n", one.median(), one.found[last*9/10], one.found[last],
			open,
			one.creep[last/2], one.creep[last])
}
