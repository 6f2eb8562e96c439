//go:build !linux

package sampling

import (
	"errors"

	"github.com/chiasmus/chiasmus/harness/flame"
)

// A Sampler is not available outside Linux.
type Sampler struct{}

// New returns an error.
func New() (*Sampler, error) { return nil, errors.New(Unavailable()) }

// Around runs begin.
func (s *Sampler) Around(begin func() error) error { return begin() }

// While runs do.
func (s *Sampler) While(do func() error) error { return do() }

// Close returns nothing.
func (s *Sampler) Close(*Symbols) (stacks []flame.Stack, lost uint64) { return nil, 0 }

// now returns 0: there are no samples.
func now() uint64 { return 0 }

// Unavailable says that sampling needs Linux.
func Unavailable() string { return "call stacks are sampled on Linux only" }
