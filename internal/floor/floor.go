// Package floor holds the differences between two honest provers that the harness must tolerate, whatever the margin of
// a plan. Tests raise them on a host that runs many other tests.
package floor

// Seconds is the tolerated difference between the prover's clock and the harness's in any proof, however short. It is 0
// except in tests.
var Seconds float64

// Deferred is the CPU time in seconds that an honest session may use between a reply and its next request: the
// language's runtime works, and clocks are read a moment after the reply.
var Deferred = 0.0001

// OnBusyHost raises the tolerances for tests on busy hosts, whose fake provers report times longer than they take.
func OnBusyHost() { Seconds, Deferred = 600, 0.003 }

// OnAnyHost undoes OnBusyHost, and returns a function that applies it again.
func OnAnyHost() (restore func()) {
	seconds, deferred := Seconds, Deferred
	Seconds, Deferred = 0, 0.0001
	return func() { Seconds, Deferred = seconds, deferred }
}
