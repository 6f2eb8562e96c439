package measure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// Only causes decide which pairs are dropped. Whatever the times are, and however extreme one of them is, the same
// script of causes drops the same pairs.
func TestDropsNeverDependOnValues(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, worldConfig)
	models := []string{"noise=0", "noise=0.3", "noise=0.01 spike=2", "noise=0.01 spike=9", "noise=0.01 stall=300",
		"noise=0.01 understate=1"}
	for i, model := range models {
		w.commit(fmt.Sprint("model", i), "seconds=0.002 "+model)
	}
	for _, at := range []int{0, 3} { // no cause, or one during that proof
		var want []string
		for i := range models {
			if at > 0 && i%2 == 1 {
				continue // every other model suffices if there is something to drop
			}
			spec := fmt.Sprintf("model%d..model0", i)
			if i%4 < 2 { // the values differ between the arms in either direction
				spec = fmt.Sprintf("model0..model%d", i)
			}
			w.observe = func() measure.Observer {
				return &scripted{causes: func(n int) []environment.Cause {
					if n == at {
						return []environment.Cause{{Kind: environment.Steal, Detail: "scripted"}}
					}
					return nil
				}}
			}
			o := w.options(spec)
			r, err := harness.Compare(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			var dropped []string
			for _, d := range r.Workloads[0].Drops {
				dropped = append(dropped, fmt.Sprint(d.Pair, d.Attempt, d.Causes))
			}
			if want == nil {
				want = append([]string{}, dropped...)
			}
			if !slices.Equal(dropped, want) || len(dropped) != min(at, 1) || len(r.Workloads[0].Pairs) != 8 {
				t.Errorf("%s, a cause at proof %d: dropped %q, want %q; %d pairs count", models[i], at, dropped, want,
					len(r.Workloads[0].Pairs))
			}
		}
	}
}

// Expectations are asserted for every proof of both arms, for counters and metrics.
func TestExpectationsHoldForBothArms(t *testing.T) {
	longtest.Only(t)
	for name, expect := range map[string]string{
		"a counter": "expect: {counters: {fallbacks: 0}}",
		"a metric":  `expect: {metrics: {prove_seconds: "< 0.01"}}`,
	} {
		w := newWorld(t, withKey(strings.Replace(worldConfig, "pairs: 8", "pairs: 6", 1), expect))
		w.commit("good", quick)
		places := []int{1, 2, 4, 7} // the first is a warm-up, the last of the last pair
		if name == "a metric" {
			places = []int{1, 7}
		}
		for _, at := range places {
			fault := fmt.Sprintf("fault=fallback at=%d", at)
			if name == "a metric" {
				fault = fmt.Sprintf("spike=%d", at)
			}
			w.commit(fmt.Sprint("bad", at), quick+fault)
			for spec, arm := range map[string]schedule.Arm{
				fmt.Sprintf("good..bad%d", at): schedule.Head,
				fmt.Sprintf("bad%d..good", at): schedule.Base,
			} {
				r := w.compare(w.options(spec), failure.ExitFailed)
				made := 0
				for _, s := range r.Workloads[0].Samples {
					if s.Arm == arm {
						made++
					}
				}
				if f := r.Failure; f.Step != failure.StepExpect || f.Arm != arm || made != at || r.Workloads[0].Stats != nil {
					t.Errorf("%s, %s: %+v after %d proofs of %s", name, spec, f, made, arm)
				}
			}
		}
	}
}

// Orders within a run follow from the seed, randomized for every block, and the counted pairs are the scheduled ones.
func TestARunFollowsItsSchedule(t *testing.T) {
	w := newWorld(t, strings.Replace(worldConfig, "pairs: 8, seed: 7", "pairs: 20, seed: 42", 1))
	w.commit("base", quick)
	w.commit("head", quick)
	r := w.compare(w.options("base..head"), failure.ExitOK)
	const opens = "ABBABBBBAA" // for seed 42, by an independent computation: see the schedule's test
	for _, p := range r.Workloads[0].Pairs {
		first := opens[p.Block-1]
		if p.Number%2 == 0 {
			first = 'A' + 'B' - first
		}
		if p.Order[0] != first {
			t.Errorf("pair %d of block %d is %s", p.Number, p.Block, p.Order)
		}
	}
}
