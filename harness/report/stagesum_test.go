package report_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// onDevice is a proof of 120 ms on a device. deep waits for the device, quotient returns before the device is done, and
// fold waits for both. Head's host takes longer within deep, by an amount that the device's events do not show.
func onDevice(longer float64) proof {
	random := rand.New(rand.NewPCG(8, 28))
	noise := func(sd float64) float64 { return sd * random.NormFloat64() }
	return func(_ int, arm schedule.Arm) (map[string]float64, map[string]float64) {
		quotient, deep, fold := 0.05+noise(1e-5), 0.03+noise(6e-6), 0.02+noise(4e-6)
		called := 0.002 + noise(1e-4) // quotient's call returns after that
		host := 0.0003 + noise(2e-5)
		if arm == schedule.Head {
			host += longer
		}
		m := map[string]float64{
			"device_quotient_seconds": quotient, "stage_quotient_seconds": called,
			"device_deep_seconds": deep, "stage_deep_seconds": deep + host,
			"device_fold_seconds": fold, "stage_fold_seconds": fold + quotient - called,
			"stage_other_seconds": 0.0197 + noise(3e-5),
		}
		for name, seconds := range m {
			if strings.HasPrefix(name, "stage_") {
				m["prove_seconds"] += seconds
			}
		}
		m["wall_seconds"] = m["prove_seconds"] + 0.0001
		return m, nil
	}
}

// rows adds up the rows of stages: of base, of head, and of the difference.
func rows(w *report.Workload) (base, head, difference float64) {
	for _, s := range w.Secondary {
		if s.Kind == report.KindStage && s.Contribution != nil {
			base += s.MeanA.Float()
			head += s.MeanB.Float()
			difference += s.Contribution.Mean.Float()
		}
	}
	return base, head, difference
}

// meansOf are the means of a metric.
func meansOf(w *report.Workload, metric string) (base, head float64) {
	for _, p := range w.Pairs {
		base += w.Samples[p.Base].Metrics[metric] / float64(len(w.Pairs))
		head += w.Samples[p.Head].Metrics[metric] / float64(len(w.Pairs))
	}
	return base, head
}

// The host's time within a device's stage appears in the row of the host's part, and in no other.
func TestHostTimeWithinADevicesStage(t *testing.T) {
	w := judge(t, judged(t, stageRule), pairsOf(14, onDevice(0.00048)))
	for _, s := range w.Secondary {
		c := s.Contribution
		if s.Kind != report.KindStage || c == nil {
			continue
		}
		if planted := s.Metric == "host_deep_seconds"; c.Changed != planted || planted &&
			(math.Abs(c.Mean.Float()-0.00048) > 5e-5 || !c.Regression) {
			t.Errorf("%s: %+v", s.Metric, c)
		}
	}
	if w.Verdict() != stats.Regression {
		t.Errorf("%s: 0.4 %% within a stage, and 0.3 %% are allowed", w.Verdict())
	}
	if rest := secondary(t, w, metrics.Unstaged); rest.MeanA != 0 || rest.MeanB != 0 || rest.Contribution.Changed {
		t.Errorf("in no stage: %+v", rest)
	}
}

// The rows of stages add up to the total time in every case: with device times, without them, with stages that omit
// something or that one side lacks, and by the harness's clock.
func TestRowsAddUp(t *testing.T) {
	defer floor.OnAnyHost()()
	for name, change := range map[string]func(arm schedule.Arm, m map[string]float64){
		"whole":          func(schedule.Arm, map[string]float64) {},
		"no device":      func(_ schedule.Arm, m map[string]float64) { delete(m, "device_deep_seconds") },
		"a stage untold": func(_ schedule.Arm, m map[string]float64) { delete(m, "stage_other_seconds") },
		"a side lacks one": func(arm schedule.Arm, m map[string]float64) {
			if arm == schedule.Head {
				delete(m, "stage_fold_seconds")
				delete(m, "device_fold_seconds")
			}
		},
		"by the wall": func(_ schedule.Arm, m map[string]float64) { m["wall_seconds"] += 0.003 },
	} {
		tell := onDevice(0.0002)
		w := pairsOf(14, func(pair int, arm schedule.Arm) (map[string]float64, map[string]float64) {
			m, counters := tell(pair, arm)
			change(arm, m)
			return m, counters
		})
		total := "prove_seconds"
		if name == "by the wall" {
			total, w.Metric.Name = "wall_seconds", "wall_seconds"
			for i := range w.Pairs {
				p := &w.Pairs[i]
				p.A, p.B = w.Samples[p.Base].Metrics[total], w.Samples[p.Head].Metrics[total]
			}
		}
		judge(t, judged(t, stageRule), w)
		base, head := meansOf(w, total)
		a, b, difference := rows(w)
		if math.Abs(a-base) > 1e-8 || math.Abs(b-head) > 1e-8 || math.Abs(difference-(head-base)) > 1e-8 {
			t.Errorf("%s: rows add up to %v and %v, their changes to %v; the whole is %v and %v", name, a, b, difference, base,
				head)
		}
		rest := secondary(t, w, metrics.Unstaged).MeanA.Float()
		if none := name != "a stage untold" && name != "a side lacks one"; none != (rest == 0) {
			t.Errorf("%s: %v s in no stage", name, rest)
		}
	}
}

// Stages that do not add up to their proof are reported.
func TestStagesThatDoNotAddUp(t *testing.T) {
	for want, change := range map[string]func(m map[string]float64){
		"": func(map[string]float64) {},
		"but its stages deep, fold, other, quotient add up to": func(m map[string]float64) {
			m["stage_deep_seconds"] -= 0.01
		},
		"but its stages deep, fold, quotient add up to": func(m map[string]float64) {
			delete(m, "stage_other_seconds")
			m["stage_deep_seconds"] += 0.03
		},
	} {
		tell := onDevice(0)
		w := judge(t, judged(t, ""), pairsOf(14, func(pair int, arm schedule.Arm) (map[string]float64, map[string]float64) {
			m, counters := tell(pair, arm)
			if arm == schedule.Head {
				change(m)
			}
			return m, counters
		}))
		var got []string
		for _, warning := range w.Warnings {
			if warning.Kind == "stages" {
				got = append(got, warning.Text)
			}
		}
		if text := strings.Join(got, "\n"); (text == "") != (want == "") || !strings.Contains(text, want) ||
			len(got) > 1 || want != "" && !strings.HasPrefix(text, "head: ") {
			t.Errorf("%q, want %q", got, want)
		}
	}
	partly := onDevice(0)
	w := judge(t, judged(t, ""), pairsOf(14, func(pair int, arm schedule.Arm) (map[string]float64, map[string]float64) {
		m, counters := partly(pair, arm)
		delete(m, "stage_other_seconds") // the contract does not require all stages
		return m, counters
	}))
	for _, warning := range w.Warnings {
		t.Errorf("stages that claim not to be all: %s", warning.Text)
	}
}
