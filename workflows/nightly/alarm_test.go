package nightly

import (
	"context"
	"strings"
	"testing"
)

// Outside CI one date can have several nights. Two alarms of one date and source are separate: accepting the first, or
// its issue, has no effect on the second.
func TestTwoAlarmsOfOneDate(t *testing.T) {
	job := newJob(t)
	for n, seconds := range []float64{1, 1.1, 1.25} {
		job.model.seconds[sha(n)] = seconds
	}
	job.night(0, sha(0), "")
	job.night(1, sha(1), "")
	if issues := job.server.Issues; len(issues) != 1 || issues[0].State != "open" {
		t.Fatalf("the first alarm: %+v", issues)
	}
	first := job.history().alarm("keccak")
	accepted := job.history().Accept("keccak", sha(1), "wanted", "", night(1))
	if err := job.store.Append(context.Background(), []Record{accepted}, "accepted"); err != nil {
		t.Fatal(err)
	}
	job.night(1, sha(2), "")
	second := job.history().alarm("keccak")
	if first == "" || second == "" || first == second || alarmSource(second) != alarmSource(first) {
		t.Fatalf("alarms %q and %q", first, second)
	}
	issues := job.server.Issues
	if len(issues) != 2 || !strings.HasPrefix(issues[1].Body, alarmMarker("keccak", second)) || issues[1].State != "open" {
		t.Fatalf("the second alarm: %+v", issues)
	}
	if job.night(2, sha(2), ""); job.history().alarm("keccak") != second {
		t.Errorf("the next night's alarm is %q", job.history().alarm("keccak"))
	}
}

// A night that shows non-inferiority while the chart suspects head is not healthy: no issue closes, and the last good
// revision stays.
func TestSuspectedNightIsNotHealthy(t *testing.T) {
	for _, baseline := range []bool{false, true} {
		one := newSeries(newHost(0.5, 0, 0, 3), baseline)
		for range 20 {
			one.night(0)
		}
		// Slower by less than the margin, so that a comparison shows non-inferiority every night.
		var good string
		var records []Record
		var conclusions []Conclusion
		suspected := func() bool { chart := one.history.chart("w"); return chart.suspected() }
		for nights := 0; nights < 10 && !suspected(); nights++ {
			good = one.history.Good("w")
			head := sha(one.nights)
			one.nights++
			one.host.commit(head, 0.7)
			plan := Prepare(one.history, Settings{
				Workloads: []string{"w"},
				Night:     night(one.nights),
				Head:      head,
				Baseline:  one.baseline,
			})
			records, conclusions = Conclude(one.history, MeasureNight(context.Background(), plan, one.host.compare), "")
			one.history = append(one.history, records...)
		}
		if !suspected() || !records[0].NonInferior || records[0].Alarm != "" {
			t.Fatalf("with a baseline %v, not what this test is about: %+v", baseline, records[0])
		}
		if len(conclusions) != 1 || conclusions[0].Issue != leave || records[0].Good != good {
			t.Errorf("with a baseline %v: %+v, good %s was %s", baseline, conclusions, records[0].Good, good)
		}
	}
}
