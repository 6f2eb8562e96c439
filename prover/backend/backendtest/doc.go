// Package backendtest has the tests that every backend has to pass, and [Hooks] for tests that change what a backend
// computes.
//
// A backend's own tests call [Run] with a [Case]: the backend, a reference that computes the same values, and
// executions of a machine. Each [Check] returns an error that names the first stage and value that differ:
//
//	backendtest.Run(t, backendtest.Case{Backend: mine, Reference: cpu.New(parallel.New(1)),
//		Fillers: program.Fillers(), Execute: execute, Sizes: [2]int{40, 150}, Params: params})
//
// This package's own tests run every check against wrong backends, to show that each check can fail.
package backendtest
