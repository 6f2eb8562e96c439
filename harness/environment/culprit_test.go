package environment

import (
	"slices"
	"strings"
	"testing"
)

// The processes that used the most time are named, but not the kernel's, the harness's and small ones. A process that
// ended counts for the process that waited for it, with its time since the first reading.
func TestCulprits(t *testing.T) {
	tree := func(pids ...int) tree {
		out := tree{pids: map[int]bool{}}
		for _, pid := range pids {
			out.pids[pid] = true
		}
		return out
	}
	a := moment{ours: tree(10), all: map[int]process{
		2: {name: "kswapd", kernel: true, own: 1}, 10: {name: "harness", own: 1}, 40: {name: "firefox", own: 100},
		41: {name: "quiet", own: 50}, 50: {name: "make"}, 51: {name: "cc1", parent: 50, own: 7},
	}}
	b := moment{ours: tree(10, 11), all: map[int]process{
		2: {name: "kswapd", kernel: true, own: 9}, 10: {name: "harness", own: 9}, 11: {name: "prover", own: 9},
		40: {name: "firefox", own: 102}, 41: {name: "quiet", own: 50.05}, 50: {name: "make", reaped: 10},
		60: {name: "new", own: 0.5}, 61: {name: "newer", own: 0.4},
	}}
	got := culprits(a, b, 10)
	want := []Culprit{{50, "make", 0.3}, {40, "firefox", 0.2}, {60, "new", 0.05}}
	if !slices.EqualFunc(got, want, func(x, y Culprit) bool {
		return x.PID == y.PID && x.Name == y.Name && x.Share-y.Share < 1e-9 && y.Share-x.Share < 1e-9
	}) {
		t.Errorf("culprits %v, want %v", got, want)
	}
	if text := namesOf(got); text != ": make (PID 50) 30.0 %, firefox (PID 40) 20.0 %, new (PID 60) 5.0 %" {
		t.Errorf("named as %q", text)
	}
	if text := namesOf(nil); !strings.Contains(text, "none of which can be identified") {
		t.Errorf("without a culprit: %q", text)
	}
}

// A cause names the processes that used the time.
func TestAnObservationNamesCulprits(t *testing.T) {
	w := newWorld(t)
	o := newObserver(w.host, DefaultThresholds(), []int{20, 30}, 10)
	defer o.Close()
	o.Start(20)
	w.processes[40].own += 8
	w.user, w.idle = w.user+8, w.idle+8
	w.save()
	seen := o.Stop()
	if len(seen.Causes) != 1 || len(seen.Culprits) != 1 || seen.Culprits[0].PID != 40 ||
		!strings.HasSuffix(seen.Causes[0].Detail, "(PID 40) 50.0 %") {
		t.Errorf("causes %v, culprits %v", seen.Causes, seen.Culprits)
	}
}
