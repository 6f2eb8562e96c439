package shard

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Observer takes part in runs, so that work on finished shards can begin while others are still being proven.
type Observer interface {
	// Begin is called before the first phase. From now on the prover needs all devices.
	Begin()

	// Challenges is called between the phases, with the commitments of all shards (see [protocol.Key.Outline]).
	Challenges(set *protocol.Set, common protocol.Common) error

	// Known returns a proof of a shard from an earlier run, valid under the challenges, or nil. Such a shard is not
	// proven. Devices call it concurrently, as they do the following methods.
	Known(number int) *protocol.Proof

	// Proven is called with the proof of each shard that was not known.
	Proven(number int, proof *protocol.Proof) error

	// Free is called when a device has no shards left in this run. The prover has freed its memory on the device.
	Free(device int)
}

// Observe sets the observer of the following runs. Devices do not write encoded shards for it (see [Options.Encode]),
// because their memory is freed.
func (p *Prover) Observe(o Observer) { p.observer = o }

// challenges passes the common challenges to the observer.
func (r *proving) challenges() error {
	o := r.prover.observer
	if o == nil {
		return nil
	}
	public := r.shards[0].Public()
	return o.Challenges(r.prover.key.Outline(public, r.commitments, r.common.Salt), r.common)
}

// known takes the proofs that the observer has, and returns the shards that are left.
func (r *proving) known(d *device, list []int) (left []int) {
	o := r.prover.observer
	if o == nil {
		return list
	}
	for _, number := range list {
		proof := o.Known(number)
		if proof == nil {
			left = append(left, number)
			continue
		}
		if waiting := r.waiting[number]; waiting != nil {
			waiting.Close()
			r.waiting[number] = nil
		}
		r.proofs[number], r.metrics[number].Device = proof, d.number
	}
	return left
}

// proven passes a shard's proof to the observer.
func (r *proving) proven(number int) error {
	if o := r.prover.observer; o != nil {
		if err := o.Proven(number, r.proofs[number]); err != nil {
			return fmt.Errorf("shard %d: %w", number, err)
		}
	}
	return nil
}

// leave gives a device without shards to the observer.
func (r *proving) leave(d *device) error {
	o := r.prover.observer
	if o == nil {
		return nil
	}
	if err := d.close(); err != nil {
		return fmt.Errorf("device %d: %w", d.number, err)
	}
	o.Free(d.number)
	return nil
}
