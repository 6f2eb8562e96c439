//go:build !linux

package session

// interrupted always returns false on this system.
func interrupted(int) bool { return false }

// watchStops does nothing on this system.
func watchStops(int, func()) {}
