package gpu

import "github.com/chiasmus/chiasmus/cuda"

// constants are words from the host that the kernels of a stage read, instance after instance. They are sent before the
// first kernel that reads them: while the device works on one instance, the host prepares the words of the next.
type constants struct {
	span  cuda.Span
	words []uint64
	sent  int // number of words sent
}

// add appends words, and returns their address on the device.
func (c *constants) add(words []uint64) (address uint64) {
	address = uint64(c.span.Pointer()) + uint64(len(c.words))*wordBytes
	c.words = append(c.words, words...)
	return address
}

// sendConstants queues the copy of the words added since the last call. Kernels that read them must be queued after it.
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
