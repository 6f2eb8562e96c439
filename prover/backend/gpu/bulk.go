package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// bulkWords is a half of the pinned memory for records and host columns. While one half is on its way to the device the
// other is filled. It is pinned once, as pinning costs half a second per GiB.
const bulkWords = 2 << 20

// bulk carries records and columns to the device on the stream of copies, beside what is computed there.
type bulk struct {
	copies  *cuda.Stream
	staging *cuda.Staging
	each    uint64 // words of a half that are used: bulkWords, fewer in tests
	halves  [2]bulkHalf
	turn    int
	ready   *cuda.Event // behind all copies queued so far
	free    *cuda.Event // behind all computation queued so far
}

// bulkHalf is a half of the staging memory.
type bulkHalf struct {
	first uint64      // of its words in the staging memory
	sent  *cuda.Event // behind its last copy
}

func newBulk(c *cuda.Context, copies *cuda.Stream) (*bulk, error) {
	b := &bulk{copies: copies, each: bulkWords}
	err := b.open(c)
	if err != nil {
		err = errors.Join(err, b.close())
	}
	return b, err
}

func (b *bulk) open(c *cuda.Context) (err error) {
	if b.staging, err = c.NewStaging("witness staging", 2*bulkWords*wordBytes); err != nil {
		return err
	}
	for i := range b.halves {
		b.halves[i].first = uint64(i) * bulkWords
	}
	for _, event := range b.events() {
		if *event, err = c.NewEvent(); err != nil {
			return err
		}
	}
	return nil
}

func (b *bulk) events() []**cuda.Event {
	return []**cuda.Event{&b.ready, &b.free, &b.halves[0].sent, &b.halves[1].sent}
}

func (b *bulk) close() error {
	var err error
	for _, event := range b.events() {
		if *event != nil {
			err = errors.Join(err, (*event).Close())
		}
	}
	if b.staging != nil {
		err = errors.Join(err, b.staging.Close())
	}
	return err
}

// begin makes the copies wait for what is computed now: the memory they go to may be in use until then.
func (b *bulk) begin(stream *cuda.Stream) error {
	return errors.Join(b.free.Record(stream), b.copies.Wait(b.free))
}

// join makes the computation wait for all copies queued so far.
func (b *bulk) join(stream *cuda.Stream) error {
	return errors.Join(b.ready.Record(b.copies), stream.Wait(b.ready))
}

// next is the half whose copies were queued first, once they are done.
func (b *bulk) next() (*bulkHalf, error) {
	half := &b.halves[b.turn]
	b.turn = 1 - b.turn
	return half, half.sent.Synchronize()
}

// stagedWords is a half of the staging memory as words of some type.
func stagedWords[Word ~uint64](b *bulk, half *bulkHalf) []Word {
	return cuda.View[Word](b.staging)[half.first:][:b.each]
}

// upload queues the copy of some words of a half.
func (b *bulk) upload(to cuda.Span, half *bulkHalf, first, count uint64) error {
	from, err := b.staging.Span((half.first+first)*wordBytes, count*wordBytes)
	if err != nil {
		return err
	}
	return b.copies.Upload(to, from)
}

// copyGrain is how many words a worker copies at least.
const copyGrain = 1 << 15

// send copies words to the device, a half of the staging memory at a time. The words may change after it returns.
func send[Word ~uint64](b *bulk, pool *parallel.Pool, to cuda.Span, from []Word) error {
	for sent := uint64(0); sent < uint64(len(from)); {
		half, err := b.next()
		if err != nil {
			return err
		}
		staged := stagedWords[Word](b, half)
		count := min(uint64(len(from))-sent, b.each)
		pool.For(int(count), copyGrain, func(lo, hi int) { copy(staged[lo:hi], from[sent+uint64(lo):]) })
		into, err := to.Part(sent*wordBytes, count*wordBytes)
		if err != nil {
			return err
		}
		if err := errors.Join(b.upload(into, half, 0, count), half.sent.Record(b.copies)); err != nil {
			return err
		}
		sent += count
	}
	return nil
}
