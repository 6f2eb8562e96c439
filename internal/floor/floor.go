// Package floor says what differs between two honest provers whatever the margin of a plan is. Tests on a host full of
// other tests raise it.
package floor

// Seconds is by how much the prover's clock and the harness's may differ in any proof, however short: by nothing.
var Seconds float64

// Deferred is the CPU time in seconds that a session takes between a reply and its next request unnoticed by its
// prover: the language's runtime, and reading its clocks a moment after the reply.
var Deferred = 0.0001

// OnBusyHost is for tests, whose provers say what time they took and hardly take it, on hosts that do much else: it
// lets clocks differ by whatever they do.
func OnBusyHost() { Seconds, Deferred = 600, 0.003 }

// OnAnyHost undoes OnBusyHost, and returns what does it again.
func OnAnyHost() (restore func()) {
	seconds, deferred := Seconds, Deferred
	Seconds, Deferred = 0, 0.0001
	return func() { Seconds, Deferred = seconds, deferred }
}
