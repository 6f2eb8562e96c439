//go:build unix && !linux

package group

// Seal sets close-on-exec on all descriptors of this process from 3 on. Go does so for the files that it opens, but
// descriptors may have been inherited or opened by a library.
func Seal() { sealEach("/dev/fd") }
