//go:build !linux

package measure

// freeBytes is not known here.
var freeBytes = func(string) (free uint64, known bool) { return 0, false }
