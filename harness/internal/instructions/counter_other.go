//go:build !linux

package instructions

// A Counter counts nothing: only Linux has perf events.
type Counter struct{}

// A Reading is a counter at one moment.
type Reading struct{}

// Start runs begin, which starts one child. The error is that of begin.
func Start(begin func() error) (*Counter, error) { return nil, begin() }

// Read says nothing.
func (c *Counter) Read() Reading { return Reading{} }

// End does nothing.
func (c *Counter) End() {}

// Since is 0.
func (r Reading) Since(Reading) float64 { return 0 }

// Unavailable says why nothing is counted on this host.
func Unavailable() string { return "only Linux counts them" }
