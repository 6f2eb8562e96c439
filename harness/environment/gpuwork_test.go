package environment

import (
	"math"
	"testing"
	"time"
)

// GPU work of a session counts from its first request on, wherever in a sample the session worked.
func TestGPUWork(t *testing.T) {
	f := fake(t)
	watch, note := watchGPUs(host{nvml: []string{f.Path}}, DefaultThresholds())
	if watch == nil {
		t.Fatal(note)
	}
	defer watch.close()
	g := newGPUWork(watch)
	members := map[int]map[int]bool{20: {20: true, 21: true}, 30: {30: true}}
	begun := time.Now()
	at := func(seconds float64) time.Time { return begun.Add(time.Duration(seconds * float64(time.Second))) }
	step := func(what, utilization string, session int, from, to, busy float64) {
		t.Helper()
		f.Set(map[string]string{"0.utilization": ""})
		g.begin(session, members, at(from))
		f.Set(map[string]string{"0.utilization": utilization})
		got := g.end(session, members, at(to))
		if got == nil || math.Abs(got.Busy-busy) > 1e-4 {
			t.Errorf("%s: %+v, want %g s", what, got, busy)
		}
	}
	// Samples end the reported number of seconds after the previous sample.
	step("a request of 3 s, in which 2 s are worked", "20:50:4 30:25:4 99:90:4", 20, 0, 3, 2)
	step("a request of 1 s, in a sample of 4 s with 2 s of work", "21:50:4", 20, 6, 7, 2)
	step("set-up before the first request is not charged", "30:100:1", 30, 8, 9, 1)
	step("both processes work", "20:50:2 21:25:2", 20, 9, 11, 1.5)
	f.Unset("0.utilization")
	if got := g.end(20, members, at(20)); got != nil {
		t.Errorf("the driver does not tell, and GPUs did %+v", got)
	}
}
