//go:build !linux

package sampling

import (
	"errors"

	"github.com/chiasmus/chiasmus/harness/flame"
)

// A Sampler samples nothing outside of Linux.
type Sampler struct{}

// New says why nothing is sampled.
func New() (*Sampler, error) { return nil, errors.New(Unavailable()) }

// Around runs begin.
func (s *Sampler) Around(begin func() error) error { return begin() }

// While runs do.
func (s *Sampler) While(do func() error) error { return do() }

// Close returns nothing.
func (s *Sampler) Close(*Symbols) (stacks []flame.Stack, lost uint64) { return nil, 0 }

// now is the clock of the samples, of which there are none.
func now() uint64 { return 0 }

// Unavailable says why nothing can be sampled on this host.
func Unavailable() string { return "call stacks are sampled on Linux alone" }
