//go:build !linux

package instructions

// A Counter counts nothing: only Linux has perf events.
type Counter struct{}

// A Reading is empty.
type Reading struct{}

// Start runs begin, which starts one child, and returns its error.
func Start(begin func() error) (*Counter, error) { return nil, begin() }

// Read returns an empty reading.
func (c *Counter) Read() Reading { return Reading{} }

// End does nothing.
func (c *Counter) End() {}

// Since returns 0.
func (r Reading) Since(Reading) float64 { return 0 }

// Unavailable says that counting needs Linux.
func Unavailable() string { return "instructions are counted on Linux only" }
