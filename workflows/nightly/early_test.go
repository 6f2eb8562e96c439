package nightly

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Requirements for a step that begins in the first weeks of a workload.
const (
	earlyNights = 10   // nights in which it must be found
	earlyShare  = 0.95 // of the series
)

// healthyStarts are the numbers of healthy nights before an early step.
var healthyStarts = []int{2, 3, 4, 6, 8, 12}

// early counts the outcomes of steps after a few healthy nights.
type early struct {
	alarm, issue int   // series with an alarm, and with an alarm or another issue, within earlyNights
	nights       []int // nights until the alarm, sorted; earlyNights + 1 for more
}

// earlySteps simulates n series with a step after a few healthy nights.
func (one *cell) earlySteps(count int) {
	one.series = count
	for k, healthy := range healthyStarts {
		var seen early
		for i := range count {
			nights := one.start(i, uint64(10+k))
			for range healthy {
				nights.night(0)
			}
			n, issue := 1, false
			for ; n <= earlyNights && !nights.night(stepSize); n++ {
				issue = issue || nights.unsettled
			}
			if n <= earlyNights {
				seen.alarm++
			}
			if n <= earlyNights || issue {
				seen.issue++
			}
			seen.nights = append(seen.nights, n)
		}
		slices.Sort(seen.nights)
		one.early = append(one.early, seen)
	}
}

// TestEarlySteps simulates steps of 2 % in the first weeks of a workload, through the real code. Ten nights find them
// in 95 % of series. An earlier version, whose reference was the first points, mistook them for the level.
func TestEarlySteps(t *testing.T) {
	list, series := simulated(10, hardest(), (*cell).earlySteps)
	table, found, steps := earlyHeader(), 0, 0
	for _, one := range list {
		table += one.earlyRow()
		for k, seen := range one.early {
			found, steps = found+seen.alarm, steps+series
			if least := earlyShare * float64(series); *simulateAll && float64(seen.alarm) < least {
				t.Errorf("%s: %d of %d steps after %d nights are found in %d", one, seen.alarm, series, healthyStarts[k],
					earlyNights)
			}
		}
	}
	if float64(found) < earlyShare*float64(steps) {
		t.Errorf("%d of %d early steps are found in %d nights", found, steps, earlyNights)
	}
	writeTable(t, "early.md", table)
}

func earlyHeader() string {
	head, rule := "| pair | build | process | baseline |", "| ---: | ---: | ---: | --- |"
	for _, healthy := range healthyStarts {
		head += fmt.Sprintf(" after %d |", healthy)
		rule += " ---: |"
	}
	return head + "\n" + rule + "\n"
}

// earlyRow has the shares of early steps that are found in earlyNights: by an alarm, and by any issue.
func (one *cell) earlyRow() string {
	baseline := "no"
	if one.baseline {
		baseline = "yes"
	}
	row := fmt.Sprintf("| %g %% | %g %% | %g %% | %s |", one.pair, one.build, one.process, baseline)
	for _, seen := range one.early {
		share := 100 / float64(one.series)
		row += fmt.Sprintf(" %.1f (%.1f) %%, %d |", share*float64(seen.alarm), share*float64(seen.issue),
			seen.nights[(one.series-1)/2])
	}
	return row + "\n"
}

// A single night's figure counts one standard deviation at most towards the end of an alarm. Two would end more false
// alarms of a workload that is slower by the margin and whose builds scatter, and save one night of nine after a
// repair.
func TestOneNightCountsOneDeviation(t *testing.T) {
	const series, nights = 4000, 60
	const deviation, margin = 0.75, 1.0 // of builds of 0.5 %, processes and pairs
	ends := func(most, level float64) (ended, mean float64) {
		random := rand.New(rand.NewPCG(28, 1))
		for range series {
			sum, n := 0.0, 0
			for ; n < nights && sum < recoveredAt; n++ {
				above := level + deviation*random.NormFloat64()
				sum = max(0, sum+relief(above, deviation*deviation, margin, most))
			}
			if sum >= recoveredAt {
				ended++
			}
			mean += float64(n) / series
		}
		return ended / series, mean
	}
	falseAtOne, _ := ends(1, -margin)
	falseAtTwo, _ := ends(2, -margin)
	falseNow, _ := ends(largestRelax, -margin)
	_, repairedAtOne := ends(1, 0)
	_, repairedAtTwo := ends(2, 0)
	t.Logf("false ends in %d nights: %.4f at 1, %.4f at 2; a repair takes %.2f nights at 1, %.2f at 2", nights, falseAtOne,
		falseAtTwo, repairedAtOne, repairedAtTwo)
	if falseNow != falseAtOne || falseAtOne > 0.6*falseAtTwo || repairedAtOne > repairedAtTwo+1.5 {
		t.Errorf("false ends %.4f (1: %.4f, 2: %.4f), nights %.2f and %.2f", falseNow, falseAtOne, falseAtTwo, repairedAtOne,
			repairedAtTwo)
	}
}
