//go:build !linux

package measure

// freeBytes is unknown on this system.
var freeBytes = func(string) (free uint64, known bool) { return 0, false }
