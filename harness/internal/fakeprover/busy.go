package fakeprover

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// wait keeps CPUs busy while there is no request.
func (m *model) wait() {
	for range int(m.number("spin")) {
		go func() {
			for {
				if m.busy.Load() {
					time.Sleep(50 * time.Microsecond)
				}
			}
		}()
	}
}

// linger takes CPU time after a reply.
func (m *model) linger() {
	d, _ := time.ParseDuration(m.values["linger"])
	spend(d)
}

// onSignal takes CPU time at each signal, so that a test decides when.
func (m *model) onSignal() {
	d, err := time.ParseDuration(m.values["onsignal"])
	if err != nil {
		return
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
			spend(d)
		}
	}()
}

// spend takes CPU time.
func spend(d time.Duration) {
	for begun := cpuTime(); cpuTime()-begun < d; {
	}
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // cannot fail for the process itself
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// hold waits while a test has its file in place.
func (m *model) hold() {
	file := expanded(m.values["hold"])
	for file != "" && m.proofs >= int(m.number("holdat")) {
		if _, err := os.Stat(file); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
