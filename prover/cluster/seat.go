package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// Device is the device of a seat.
type Device struct {
	Name    string // see [CheckName]
	Backend backend.Backend

	// WaitingBytes bounds the memory of shards that wait between their phases, including the current shard.
	WaitingBytes uint64
}

// desk is a device and the shards that wait on it. It belongs to one goroutine.
type desk struct {
	device Device
	key    *protocol.Key
	peak   uint64 // of the largest shard the slots can hold
	slots  []*slot
	turn   int // counts the started shards
	full   bool

	node    *prove.Prover // for whole runs; nil unless the last task was a whole run
	nodeKey *protocol.Key
}

// slot is memory for one shard.
type slot struct {
	prover *prove.Prover
	shard  *prove.Shard // waits in the slot, or nil
	job    string
	number int
	turn   int // when it was started
}

// waiting returns the slot in which a shard waits, or nil.
func (d *desk) waiting(job string, number int) *slot {
	i := slices.IndexFunc(d.slots, func(s *slot) bool { return s.shard != nil && s.job == job && s.number == number })
	if i < 0 {
		return nil
	}
	return d.slots[i]
}

// begin commits to a shard, which then waits in a slot.
func (d *desk) begin(ctx context.Context, job string, w *work, number int, stage func(prove.Stage)) (*slot, error) {
	shard, err := w.shards.shard(ctx, number)
	if err != nil {
		return nil, err
	}
	s, err := d.free(w)
	if err != nil {
		return nil, err
	}
	d.turn++
	s.job, s.number, s.turn = job, number, d.turn
	s.shard, err = s.prover.BeginShard(ctx, shard, number, prove.Options{Progress: stage})
	return s, err
}

// free returns a slot for a shard of a run: an empty slot, a new slot, or the slot whose shard has waited longest.
func (d *desk) free(w *work) (*slot, error) {
	if err := d.fit(w); err != nil {
		return nil, err
	}
	for _, s := range d.slots {
		if s.shard == nil {
			return s, nil
		}
	}
	if !d.full && uint64(len(d.slots)+1)*d.peak <= d.device.WaitingBytes {
		s, err := d.open(w)
		if lack := new(backend.MemoryError); !errors.As(err, &lack) {
			return s, err
		}
		d.full = true
	}
	oldest := slices.MinFunc(d.slots, func(a, b *slot) int { return a.turn - b.turn })
	oldest.drop()
	return oldest, nil
}

// fit ensures that there is a slot, and that slots can hold the largest known shard of a run.
func (d *desk) fit(w *work) error {
	if err := d.closeNode(); err != nil {
		return err
	}
	if d.key == w.key && len(d.slots) > 0 {
		peak, err := d.slots[0].prover.Peak(largest(w))
		if err == nil && peak <= d.peak {
			return nil
		}
	}
	if err := d.closeSlots(); err != nil {
		return err
	}
	d.key = w.key
	first, err := d.open(w)
	if err != nil {
		return err
	}
	d.peak, err = first.prover.Peak(largest(w))
	return err
}

func (d *desk) open(w *work) (*slot, error) {
	prover, err := prove.NewProver(d.key, w.program.Fillers(), d.device.Backend, backend.Budget{Reserve: largest(w)})
	if err != nil {
		return nil, err
	}
	s := &slot{prover: prover}
	d.slots = append(d.slots, s)
	return s, nil
}

// largest returns the instances of the known shard with the most committed cells.
func largest(w *work) []circuit.Instance {
	cells := func(list []circuit.Instance) (total uint64) {
		shape := w.key.Shape(list)
		for phase := range protocol.Phase(protocol.PhaseCount) {
			for _, matrix := range shape.Matrices(phase) {
				total += uint64(matrix.Width) << matrix.LogHeight
			}
		}
		return total
	}
	return slices.MaxFunc(w.instances(), func(a, b []circuit.Instance) int { return cmp.Compare(cells(a), cells(b)) })
}

// forget frees the waiting shards of a job.
func (d *desk) forget(job string) {
	for _, s := range d.slots {
		if s.job == job {
			s.drop()
		}
	}
}

// drop frees the shard that waits in a slot.
func (s *slot) drop() {
	if s.shard != nil {
		s.shard.Close()
		s.shard = nil
	}
}

// prove completes the shard that waits in a slot.
func (s *slot) prove(common protocol.Common) (*protocol.Proof, *prove.Metrics, error) {
	shard := s.shard
	s.shard = nil
	return shard.Prove(common)
}

// close releases the device's memory.
func (d *desk) close() error { return errors.Join(d.closeNode(), d.closeSlots()) }

// closeSlots releases the memory of shards.
func (d *desk) closeSlots() error {
	var errs []error
	for _, s := range d.slots {
		s.drop()
		errs = append(errs, s.prover.Close())
	}
	d.slots, d.full, d.peak = nil, false, 0
	return errors.Join(errs...)
}

// deviceError adds the name of the device to an error.
func (d *desk) deviceError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("device %s: %w", d.device.Name, err)
}
