package device

import "github.com/chiasmus/chiasmus/cuda"

// WordBytes is the size of a word in bytes.
const WordBytes = 8

// Taker takes buffers one after another and stores the first error.
type Taker struct{ Err error }

// Buffer takes a buffer, which is empty after an error.
func (t *Taker) Buffer(scope *cuda.Scope, name string, size uint64) *cuda.Buffer {
	if t.Err != nil {
		return &cuda.Buffer{}
	}
	buffer, err := scope.Take(name, size)
	if err != nil {
		t.Err = err
		return &cuda.Buffer{}
	}
	return buffer
}

// Take takes a buffer, and returns all of it as a span.
func (t *Taker) Take(scope *cuda.Scope, name string, size uint64) cuda.Span {
	return t.Buffer(scope, name, size).All()
}

// First returns the first words of a buffer.
func First(buffer *cuda.Buffer, words uint64) (cuda.Span, error) {
	return buffer.Span(0, words*WordBytes)
}
