package fri

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/hashing"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// ahead is FRI's commit phase with challenges that the device draws: a kernel absorbs the cap of a layer and draws the
// challenge for the fold that is queued after it. So all layers are queued at once, and the host waits once.
type ahead struct {
	state      [32]byte               // of the transcript, before the first layer
	caps       [][]merkle.Digest      // of all layers, once they are queued
	challenges []goldilocks.Extension // by which they were folded
	committed  int                    // layers that Commit has returned
	folded     int                    // folds that Fold has checked
}

// DrawAhead has the device draw the challenges of all layers from a state of protocol 3's transcript. The schedule must
// be the shape's. Fold fails if the caller's challenge differs.
func (f *Folding) DrawAhead(state [32]byte) {
	if f.records != nil {
		f.ahead = &ahead{state: state}
	}
}

// Queued reports whether all layers are hashed and folded, so that Commit and Fold have no work left.
func (f *Folding) Queued() bool { return f.ahead != nil && f.ahead.caps != nil }

// commitAhead returns the cap of the next layer.
func (f *Folding) commitAhead(logArity int) ([]merkle.Digest, error) {
	a := f.ahead
	if a.committed == len(f.shape.Schedule) || f.shape.Schedule[a.committed] != logArity {
		return nil, fmt.Errorf("commit to FRI layer %d in rows of 2^%d entries: the schedule is %d", a.committed, logArity,
			f.shape.Schedule)
	}
	if a.caps == nil {
		if err := f.queue(); err != nil {
			return nil, err
		}
	}
	a.committed++
	return a.caps[a.committed-1], nil
}

// foldedAhead checks that the device folded the next layer by beta.
func (f *Folding) foldedAhead(beta goldilocks.Extension) error {
	a := f.ahead
	if a.folded == a.committed {
		return errors.New("fold an FRI layer: it is not committed")
	}
	if drawn := a.challenges[a.folded]; drawn != beta {
		return fmt.Errorf("fold FRI layer %d: the device drew the challenge %d, the host %d", a.folded, drawn, beta)
	}
	a.folded++
	return nil
}

// queue queues all layers, and then copies their records to the host.
func (f *Folding) queue() error {
	var last *kernels.LayerRecord
	offset, counts := uint64(0), recordCaps(f.shape)
	for i, logArity := range f.shape.Schedule {
		l, err := f.hash(logArity)
		if err != nil {
			return err
		}
		memory, err := f.records.Span(offset, kernels.LayerRecordBytes(counts[i]))
		if err != nil {
			return err
		}
		offset += memory.Size()
		record := kernels.NewLayerRecord(memory)
		stream := f.trees.Device.Stream
		if err := f.trees.Set.DrawLayer(stream, record, last, f.ahead.state, l.tree, protocol.TagLayerCap); err != nil {
			return err
		}
		err = f.fold(func(out, in, joining kernels.Columns, logArity int) error {
			return f.transforms.FoldDrawn(stream, out, in, joining, f.logSize, logArity, record)
		})
		if err != nil {
			return err
		}
		last = &record
	}
	return f.read(counts)
}

// read copies the records of all layers, whose caps have the given numbers of digests.
func (f *Folding) read(counts []int) error {
	words, err := f.trees.Device.Transfer.Download(f.records.All())
	if err != nil {
		return err
	}
	for _, count := range counts {
		size := kernels.LayerRecordBytes(count) / 8
		challenge, digests := kernels.ReadLayerRecord(words[:size])
		f.ahead.caps = append(f.ahead.caps, tree.Digests(digests))
		f.ahead.challenges = append(f.ahead.challenges, goldilocks.Extension{goldilocks.Element(challenge[0]),
			goldilocks.Element(challenge[1]), goldilocks.Element(challenge[2])})
		words = words[size:]
	}
	return nil
}

// recordCaps returns the number of digests in the cap of each layer.
func recordCaps(shape *protocol.Shape) (counts []int) {
	logSize := shape.MaxLogSize()
	for _, logArity := range shape.Schedule {
		logSize -= logArity
		counts = append(counts, 1<<min(logSize, shape.Params.CapHeight))
	}
	return counts
}

// TakeRecords takes memory for the records of all layers. Keccak-256 has none: its sponge is not drawn from ahead.
func TakeRecords(scope *cuda.Scope, shape *protocol.Shape) (*cuda.Buffer, error) {
	if !hashing.Of(shape.Params.Hash).DrawsAhead() || len(shape.Schedule) == 0 {
		return nil, nil
	}
	size := uint64(0)
	for _, count := range recordCaps(shape) {
		size += kernels.LayerRecordBytes(count)
	}
	return scope.Take("challenges of the layers", size)
}
