package kernels

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Draw writes the extension elements that a transcript draws first from a state, three words each, to their places:
// word places[i] of the result and the two behind it are of element i. The places are 32 bits each, and the caller
// answers for them. Words are as the stream has them: where one is no element, which a transcript passes over, the
// caller has to see to it that what was drawn is not used.
func (s *Set) Draw(stream *cuda.Stream, to, places cuda.Span, state [32]byte, elements uint64) error {
	if elements == 0 || places.Size() < 4*elements {
		return fmt.Errorf("drawing %d extension elements to %d bytes of places: want at least one, and 4 bytes for each",
			elements, places.Size())
	}
	blocks := (3*elements + 3) / 4
	return s.launch(stream, "draw_extensions", cuda.Linear(blocks, 32), cuda.Address(to), cuda.Address(places),
		cuda.Value(state), cuda.U64(elements))
}
