package kernels

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Draw writes the first extension elements that a transcript draws from a state. Element i goes to the three words of
// the result that start at places[i]; the caller must keep the 32-bit numbers in places valid. Draw uses every word:
// if one of them is not a field element, which a transcript would skip, the caller must discard the result.
func (s *Set) Draw(stream *cuda.Stream, to, places cuda.Span, state [32]byte, elements uint64) error {
	const wordsPerBlock = 4
	return s.draw(stream, "draw_extensions", (3*elements+wordsPerBlock-1)/wordsPerBlock, to, places, state, elements)
}

// DrawBlake3 is Draw for the transcript of protocol 3, which draws an element with one compression. If a coordinate
// is not a field element, the transcript refuses the challenge, and the caller must discard the result, too.
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
