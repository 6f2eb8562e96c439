//go:build !linux

package journal

import "io"

const machineName = ""

// claim claims nothing here: one user's measurements keep away from each other by their file, and from no other's.
func claim(string, Holder) (io.Closer, Holder, error) { return nothing{}, Holder{}, nil }

type nothing struct{}

func (nothing) Close() error { return nil }
