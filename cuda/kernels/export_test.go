package kernels

import "github.com/chiasmus/chiasmus/cuda"

// CombineSmallRows is for tests to lower.
var CombineSmallRows = &combineSmallRows

// Launch is for tests to launch kernels in other shapes.
func (s *Set) Launch(stream *cuda.Stream, name string, shape cuda.Shape) error {
	return s.launch(stream, name, shape)
}
