package shard

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// device is one device with its slots: provers, each with the memory for one shard.
type device struct {
	prover  *Prover
	number  int
	backend backend.Backend
	slots   []*prove.Prover
	full    bool // no memory is left for another slot
}

// slot returns the slot with the given number. It opens slots up to it, with memory for a shard with these instances.
func (d *device) slot(number int, instances []circuit.Instance) (*prove.Prover, error) {
	for len(d.slots) <= number {
		budget := backend.Budget{Limit: d.prover.options.MemoryLimit, Reserve: instances}
		opened, err := prove.NewProver(d.prover.key, d.prover.fillers, d.backend, budget)
		if err != nil {
			return nil, err
		}
		d.slots = append(d.slots, opened)
	}
	return d.slots[number], nil
}

// open opens slots for the device's shards while there is memory, but at least one, and returns their number.
func (d *device) open(list [][]circuit.Instance) (slots int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	largest := d.prover.largest(list)
	first, err := d.slot(0, largest)
	if err != nil {
		return 0, fmt.Errorf("device %d: %w", d.number, err)
	}
	peak, err := first.Peak(largest)
	if err != nil {
		return 0, fmt.Errorf("device %d: %w", d.number, err)
	}
	most := int(min(d.prover.options.WaitingBytes/peak, uint64(len(list))))
	for slots = 1; slots < most && (!d.full || slots < len(d.slots)); slots++ {
		_, err := d.slot(slots, largest)
		if full := new(backend.MemoryError); errors.As(err, &full) {
			d.full = true
			break
		}
		if err != nil {
			return 0, fmt.Errorf("device %d: %w", d.number, err)
		}
	}
	return slots, nil
}

// place returns the slot for a shard after waiting shards: another slot if there is room, otherwise the last slot,
// whose shard is dropped.
func (d *device) place(waiting int, instances []circuit.Instance) (slot int, err error) {
	if waiting < len(d.slots) {
		return waiting, nil
	}
	if waiting > 0 {
		peak, err := d.slots[0].Peak(instances)
		if err != nil {
			return 0, fmt.Errorf("device %d: %w", d.number, err)
		}
		if d.full || uint64(waiting) >= d.prover.options.WaitingBytes/peak {
			return waiting - 1, nil
		}
	}
	_, err = d.slot(waiting, instances)
	if full := new(backend.MemoryError); waiting > 0 && errors.As(err, &full) {
		d.full = true
		return waiting - 1, nil
	}
	if err != nil {
		return 0, fmt.Errorf("device %d: %w", d.number, err)
	}
	return waiting, nil
}

// largest returns the instances with the most committed cells.
func (p *Prover) largest(list [][]circuit.Instance) []circuit.Instance {
	return slices.MaxFunc(list, func(a, b []circuit.Instance) int { return cmp.Compare(p.cells(a), p.cells(b)) })
}

func (p *Prover) cells(instances []circuit.Instance) (total uint64) {
	shape := p.key.Shape(instances)
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			total += uint64(matrix.Width) << matrix.LogHeight
		}
	}
	return total
}

func (d *device) close() error {
	var errs []error
	for _, slot := range d.slots {
		errs = append(errs, slot.Close())
	}
	d.slots, d.full = nil, false
	return errors.Join(errs...)
}
