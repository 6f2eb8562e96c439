//go:build unix && !linux

package group

// Seal keeps the descriptors of this process from 3 on out of the programs that it will start. Go opens its own that
// way. Those that the harness inherited are not, nor need be those that a library opened.
func Seal() { sealEach("/dev/fd") }
