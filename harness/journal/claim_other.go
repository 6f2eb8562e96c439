//go:build !linux

package journal

import "io"

const machineName = ""

// claim claims nothing on this system: the file excludes other measurements of the same user only.
func claim(string, Holder) (io.Closer, Holder, error) { return nothing{}, Holder{}, nil }

type nothing struct{}

func (nothing) Close() error { return nil }
