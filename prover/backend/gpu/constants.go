package gpu

import "github.com/chiasmus/chiasmus/cuda"

// constants are words that the kernels of a stage read and the host knows, those of all instances one behind the other.
// They go up before the first kernel that reads them: while the device works for one instance, the host prepares the
// next one's.
type constants struct {
	span  cuda.Span
	words []uint64
	sent  int // of the words
}

// add puts words behind those that are there, and returns where the device will have them.
func (c *constants) add(words []uint64) (address uint64) {
	address = uint64(c.span.Pointer()) + uint64(len(c.words))*wordBytes
	c.words = append(c.words, words...)
	return address
}

// sendConstants queues the copy of those that were added since the last time. Kernels that read them come behind it.
func (p *proof) sendConstants(c *constants) error {
	words := c.words[c.sent:]
	if len(words) == 0 {
		return nil
	}
	span, err := c.span.Part(uint64(c.sent)*wordBytes, uint64(len(words))*wordBytes)
	if err != nil {
		return err
	}
	c.sent = len(c.words)
	return p.upload(span, words)
}
