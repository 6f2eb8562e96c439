//go:build !linux

package cli

import "os"

// mapped is never a mapping: files are written.
type mapped []byte

func mapFile(*os.File, int) mapped { return nil }

func (mapped) fill([]byte) error { return nil }

func (mapped) unmap() {}
