// Package backendtest tests backends. [Hooks] change what a backend computes, for tests of whoever uses one.
package backendtest
