package kernels

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Draw writes the first extension elements that a transcript draws from a state. Element i goes to the three words of
// the result that start at places[i]; places has 32-bit numbers, for which the caller is responsible. Draw takes words
// as they come: if one of them is not a field element, which a transcript skips, the caller must discard the result.
func (s *Set) Draw(stream *cuda.Stream, to, places cuda.Span, state [32]byte, elements uint64) error {
	const wordsPerBlock = 4
	return s.draw(stream, "draw_extensions", (3*elements+wordsPerBlock-1)/wordsPerBlock, to, places, state, elements)
}

// DrawBlake3 is Draw for the transcript of protocol 3, which draws an element by one compression. It refuses a proof
// with a coordinate that is not a field element: then the caller must discard the result, too.
func (s *Set) DrawBlake3(stream *cuda.Stream, to, places cuda.Span, state [32]byte, elements uint64) error {
	return s.draw(stream, "draw_extensions_blake3", elements, to, places, state, elements)
}

func (s *Set) draw(stream *cuda.Stream, kernel string, threads uint64, to, places cuda.Span, state [32]byte,
	elements uint64) error {
	if elements == 0 || places.Size() < 4*elements {
		return fmt.Errorf("drawing %d extension elements to %d bytes of places: want at least one, and 4 bytes for each",
			elements, places.Size())
	}
	return s.launch(stream, kernel, cuda.Linear(threads, 32), cuda.Address(to), cuda.Address(places),
		cuda.Value(state), cuda.U64(elements))
}
