package device

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// bulkWords is the size, in words, of one half of the pinned memory for records and host columns. While one half is
// copied to the device, the other is filled. The memory is pinned once, because pinning costs half a second per GiB.
const bulkWords = 2 << 20

// Bulk copies records and columns to the device on the stream of copies, concurrently with computation.
type Bulk struct {
	copies  *cuda.Stream
	staging *cuda.Staging
	Each    uint64 // words of a half that are used, fewer in tests
	halves  [2]Half
	turn    int
	ready   *cuda.Event // after all copies queued so far
	free    *cuda.Event // after all computation queued so far
}

// Half is a half of the staging memory.
type Half struct {
	first uint64      // index of its first word in the staging memory
	sent  *cuda.Event // after its last copy
}

func newBulk(c *cuda.Context, copies *cuda.Stream) (*Bulk, error) {
	b := &Bulk{copies: copies, Each: bulkWords}
	err := b.open(c)
	if err != nil {
		err = errors.Join(err, b.close())
	}
	return b, err
}

func (b *Bulk) open(c *cuda.Context) (err error) {
	if b.staging, err = c.NewStaging("witness staging", 2*bulkWords*WordBytes); err != nil {
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

func (b *Bulk) events() []**cuda.Event {
	return []**cuda.Event{&b.ready, &b.free, &b.halves[0].sent, &b.halves[1].sent}
}

func (b *Bulk) close() error {
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

// Begin makes copies wait for the computation queued so far, which may use the memory that they write.
func (b *Bulk) Begin(stream *cuda.Stream) error {
	return errors.Join(b.free.Record(stream), b.copies.Wait(b.free))
}

// Join makes later computation on stream wait for all copies queued so far.
func (b *Bulk) Join(stream *cuda.Stream) error {
	return errors.Join(b.ready.Record(b.copies), stream.Wait(b.ready))
}

// Next waits for the copies of the half whose copies were queued first, and returns that half.
func (b *Bulk) Next() (*Half, error) {
	half := &b.halves[b.turn]
	b.turn = 1 - b.turn
	return half, half.sent.Synchronize()
}

// Staged returns a half of the staging memory as words of the given type.
func Staged[Word ~uint64](b *Bulk, half *Half) []Word {
	return cuda.View[Word](b.staging)[half.first:][:b.Each]
}

// Upload queues the copy of count words of a half, from index first.
func (b *Bulk) Upload(to cuda.Span, half *Half, first, count uint64) error {
	from, err := b.staging.Span((half.first+first)*WordBytes, count*WordBytes)
	if err != nil {
		return err
	}
	return b.copies.Upload(to, from)
}

// Done records that the copies of a half are queued, so that [Bulk.Next] waits for them.
func (b *Bulk) Done(half *Half) error { return half.sent.Record(b.copies) }

// CopyGrain is the least number of words that a worker copies.
const CopyGrain = 1 << 15

// Send copies words to the device, a half of the staging memory at a time. The words may change after it returns.
func Send[Word ~uint64](b *Bulk, pool *parallel.Pool, to cuda.Span, from []Word) error {
	for sent := uint64(0); sent < uint64(len(from)); {
		half, err := b.Next()
		if err != nil {
			return err
		}
		staged := Staged[Word](b, half)
		count := min(uint64(len(from))-sent, b.Each)
		pool.For(int(count), CopyGrain, func(lo, hi int) { copy(staged[lo:hi], from[sent+uint64(lo):]) })
		into, err := to.Part(sent*WordBytes, count*WordBytes)
		if err != nil {
			return err
		}
		if err := errors.Join(b.Upload(into, half, 0, count), b.Done(half)); err != nil {
			return err
		}
		sent += count
	}
	return nil
}
