package gpu

import "github.com/chiasmus/chiasmus/cuda"

// constants are words that the kernels of a stage read and the host knows, those of all instances one behind the other:
// they go up at once.
type constants struct {
	span  cuda.Span
	words []uint64
}

// add puts words behind those that are there, and returns where the device will have them.
func (c *constants) add(words []uint64) (address uint64) {
	address = uint64(c.span.Pointer()) + uint64(len(c.words))*wordBytes
	c.words = append(c.words, words...)
	return address
}

// sendConstants queues their copy. Kernels that read them come behind it.
func (p *proof) sendConstants(c *constants) error {
	if len(c.words) == 0 {
		return nil
	}
	span, err := c.span.Part(0, uint64(len(c.words))*wordBytes)
	if err != nil {
		return err
	}
	return p.upload(span, c.words)
}
