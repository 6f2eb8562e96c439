//go:build !linux

package session

// killStrays finds nothing: here nobody becomes the parent of orphans.
func killStrays(string) []string { return nil }
