//go:build !linux

package harness

// freeBytes is not known here.
var freeBytes = func(string) (free uint64, known bool) { return 0, false }
