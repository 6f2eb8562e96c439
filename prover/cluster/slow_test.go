package cluster

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A task that takes longer than a lease stays with its seat as long as the seat renews the lease. On a busy host a
// renewal can be late: then the test says nothing about that lease, and tries a longer one.
func TestSlowWorkers(t *testing.T) {
	t.Parallel()
	for lease := 4 * quick().Lease; ; lease *= 2 {
		commits, late := besideASlowWorker(t, lease)
		if commits == 1 {
			return
		}
		if late < lease/2 || lease > time.Minute {
			t.Fatalf("the other worker committed to %d shards beside a slow one, want 1; renewals were %v apart at most",
				commits, late)
		}
	}
}

// besideASlowWorker returns the number of shards that a worker commits to in three leases while another worker has one
// of two shards, and the longest time between two renewals of that worker's lease.
func besideASlowWorker(t *testing.T, lease time.Duration) (commits int32, late time.Duration) {
	limits := quick()
	limits.Lease = lease
	a := clusterOf(t, limits)
	slow := a.worker(t, WorkerRole, "slow")
	held, begun := make(chan struct{}), make(chan struct{})
	var once atomic.Bool
	var mutex sync.Mutex
	var last time.Time
	renewed := func() {
		mutex.Lock()
		defer mutex.Unlock()
		if now := time.Now(); !last.IsZero() {
			late, last = max(late, now.Sub(last)), now
		} else {
			last = now
		}
	}
	slow.at = func(step string) bool {
		switch {
		case step == "taken" && !once.Load() || step == "renewed" && once.Load():
			renewed()
		case step == "committed" && once.CompareAndSwap(false, true):
			close(begun)
			<-held
		}
		return false
	}
	running(t, slow)
	o := order(t, 31, 60, 2)
	c := a.submit(t, o, coordination())
	ended := make(chan struct{})
	go func() { defer close(ended); proves(t, c, o) }()
	<-begun
	other := a.worker(t, WorkerRole, "other")
	var committed atomic.Int32
	first := make(chan struct{}, 8)
	other.at = func(step string) bool {
		if step == "committed" {
			committed.Add(1)
			first <- struct{}{}
		}
		return false
	}
	running(t, other)
	<-first
	time.Sleep(3 * lease)
	commits = committed.Load()
	renewed()
	close(held)
	<-ended
	return commits, late
}

// A task whose seat makes no step for its limit goes to another seat.
func TestStalledWorkers(t *testing.T) {
	t.Parallel()
	a := cluster(t)
	stalled := a.worker(t, WorkerRole, "stalled")
	stalled.options.Stall = 50 * time.Millisecond
	let := make(chan struct{}, 1)
	stalled.options.Log = func(line string) {
		if !strings.Contains(line, "no step for") {
			return
		}
		select {
		case let <- struct{}{}:
		default:
		}
	}
	held, begun := make(chan struct{}), make(chan struct{})
	var once atomic.Bool
	stalled.at = func(step string) bool {
		if step == "committed" && once.CompareAndSwap(false, true) {
			close(begun)
			<-held
		}
		return false
	}
	running(t, stalled)
	o := order(t, 31, 60, 2)
	c := a.submit(t, o, coordination())
	ended := make(chan struct{})
	go func() { defer close(ended); proves(t, c, o) }()
	<-begun
	running(t, a.worker(t, WorkerRole, "other"))
	<-ended // although nothing lets the stalled worker continue
	select {
	case <-let:
	case <-time.After(generous):
		t.Error("the stalled seat keeps its lease")
	}
	close(held)
}
