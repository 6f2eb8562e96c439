// Package floor says by how much the prover's clock and the harness's may be apart on one arm more than on the other
// before that means anything, on a host that works. Tests on a host full of other tests raise it.
package floor

// In seconds: in a session the way of a request and a reply, otherwise a process's start and end too, which differ from
// binary to binary.
var Session, Process = 0.001, 0.005

// OnBusyHost is for tests, whose proofs are quick: it lets clocks differ by what a host that does much else adds.
func OnBusyHost() { Session, Process = 0.05, 0.05 }
