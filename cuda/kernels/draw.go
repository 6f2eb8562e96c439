package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Draw writes the first extension elements that a transcript draws from a state. Element i goes to the three words of
// the result that start at indices[i]; the caller must keep the 32-bit numbers in indices valid. Draw uses every word:
// if one of them is not a field element, which a transcript would skip, the caller must discard the result.
func (s *Set) Draw(stream *cuda.Stream, to, indices cuda.Span, state [32]byte, elements uint64) error {
	const wordsPerBlock = 4
	return s.draw(stream, "draw_extensions", (3*elements+wordsPerBlock-1)/wordsPerBlock, to, indices, state, elements)
}

// DrawBlake3 is Draw for the transcript of protocol 3, which draws an element with one compression. If a coordinate
// is not a field element, the transcript refuses the challenge, and the caller must discard the result, too.
func (s *Set) DrawBlake3(stream *cuda.Stream, to, indices cuda.Span, state [32]byte, elements uint64) error {
	return s.draw(stream, "draw_extensions_blake3", elements, to, indices, state, elements)
}

func (s *Set) draw(stream *cuda.Stream, kernel string, threads uint64, to, indices cuda.Span, state [32]byte,
	elements uint64) error {
	if elements == 0 || indices.Size() < 4*elements {
		return fmt.Errorf("drawing %d extension elements to %d bytes of places: want at least one, and 4 bytes for each",
			elements, indices.Size())
	}
	return s.launch(stream, kernel, cuda.Linear(threads, 32), cuda.Address(to), cuda.Address(indices),
		cuda.Value(state), cuda.U64(elements))
}

// LayerRecord is the device's record of an FRI layer: the transcript's state after the layer's cap, the challenge drawn
// from it, and the cap.
type LayerRecord struct{ words cuda.Span }

// Words of a layer's record: the transcript's state, the challenge, a zero, and the cap.
const (
	recordChallenge = 4
	recordCap       = 8
	recordWordBytes = 8
)

// LayerRecordBytes returns the memory of the record of a layer whose cap has the given number of digests.
func LayerRecordBytes(digests int) uint64 { return (recordCap + 4*uint64(digests)) * recordWordBytes }

// NewLayerRecord returns a record in memory of [LayerRecordBytes] bytes.
func NewLayerRecord(memory cuda.Span) LayerRecord { return LayerRecord{memory} }

// challenge returns the memory of the challenge.
func (r LayerRecord) challenge() (cuda.Span, error) {
	return r.words.Part(recordChallenge*recordWordBytes, 3*recordWordBytes)
}

// ReadLayerRecord returns the challenge and the cap in the words of a record that was copied to the host.
func ReadLayerRecord(words []uint64) (challenge Extension, digests []uint64) {
	return Extension(words[recordChallenge : recordChallenge+3]), words[recordCap:]
}

// DrawLayer writes a record: it absorbs a cap under the tag into the transcript of protocol 3, and draws an extension
// element. The transcript starts from the state that the last layer's record will hold, or, for the first layer, from
// state. If a coordinate is not a field element, the transcript refuses the challenge, and the caller must discard the
// result.
func (s *Set) DrawLayer(stream *cuda.Stream, record LayerRecord, last *LayerRecord, state [32]byte, tree Tree,
	tag byte) error {
	digests, err := tree.Layer(tree.LogCap)
	before := cuda.Null()
	if last != nil {
		span, errSpan := last.words.Part(0, recordChallenge*recordWordBytes)
		before, err = cuda.Address(span), errors.Join(err, errSpan)
	}
	if err == nil && record.words.Size() != LayerRecordBytes(1<<tree.LogCap) {
		err = fmt.Errorf("a layer's record of %d bytes for a cap of 2^%d digests: want %d", record.words.Size(), tree.LogCap,
			LayerRecordBytes(1<<tree.LogCap))
	}
	if err != nil {
		return err
	}
	return s.launch(stream, "draw_layer", cuda.Linear(1, 32), cuda.Address(record.words), before,
		cuda.Value(state), cuda.Address(digests), cuda.U32(1<<tree.LogCap), cuda.U32(uint32(tag)))
}
