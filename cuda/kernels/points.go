package kernels

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Points writes the points of the extension domain of 2^logSize, the shift times w^rev(i). A smaller domain's points
// are a prefix.
func (t *Transforms) Points(s *cuda.Stream, out cuda.Span, logSize int) error {
	if logSize < 0 || logSize > MaxLogSize || out.Size()/8 < 1<<logSize {
		return fmt.Errorf("2^%d points of a domain in %d bytes: at most 2^%d are made", logSize, out.Size(), MaxLogSize)
	}
	return t.set.launch(s, "points", cuda.Linear(1<<logSize, 256), cuda.Address(out), t.root.argument(), cuda.U64(t.shift),
		cuda.U32(uint32(logSize)))
}
