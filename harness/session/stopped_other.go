//go:build !linux

package session

// interrupted knows nothing here.
func interrupted(int) bool { return false }

// watchStops watches nothing here.
func watchStops(int, func()) {}
