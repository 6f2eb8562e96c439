package shard

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// device is one device with its slots: provers, each with the memory for one shard.
type device struct {
	prover  *Prover
	number  int
	backend backend.Backend
	slots   []*stark.Prover
}

// slot opens slots up to one of a number, for shards with these instances.
func (d *device) slot(number int, instances []machine.Instance) (*stark.Prover, error) {
	for len(d.slots) <= number {
		budget := backend.Budget{Limit: d.prover.options.MemoryLimit, Reserve: instances}
		opened, err := stark.NewProver(d.prover.key, d.backend, budget)
		if err != nil {
			return nil, err
		}
		d.slots = append(d.slots, opened)
	}
	return d.slots[number], nil
}

// open opens as many slots as have room for its shards, at least one, and says how many.
func (d *device) open(list [][]machine.Instance) (slots int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	if slots, err = d.room(list); err == nil {
		_, err = d.slot(slots-1, list[0])
	}
	if err != nil {
		return 0, fmt.Errorf("device %d: %w", d.number, err)
	}
	return slots, nil
}

// room is how many slots have room for shards with these instances.
func (d *device) room(list [][]machine.Instance) (int, error) {
	first, err := d.slot(0, list[0])
	if err != nil {
		return 0, err
	}
	largest := uint64(0)
	for _, instances := range list {
		peak, err := first.Peak(instances)
		if err != nil {
			return 0, err
		}
		largest = max(largest, peak)
	}
	return int(min(max(d.prover.options.WaitingBytes/largest, 1), uint64(len(list)))), nil
}

func (d *device) close() error {
	var errs []error
	for _, slot := range d.slots {
		errs = append(errs, slot.Close())
	}
	d.slots = nil
	return errors.Join(errs...)
}
