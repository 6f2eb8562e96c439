package gpu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// deriverUnits returns the kernel files that derive a machine's record sets on a device.
func deriverUnits(fillers *machine.Fillers) []compile.Unit {
	m, deriver := fillers.Machine, fillers.Deriver
	if deriver == nil {
		return nil
	}
	var units []compile.Unit
	for _, name := range slices.Sorted(maps.Keys(deriver.Sources)) {
		unit := kernels.Generated(generate.SafeName("derive", m.Name, name)+".cu", deriver.Sources[name])
		maps.Copy(unit.Headers, deriver.Headers)
		units = append(units, unit)
	}
	return units
}

// derive derives record sets on the device, waits for the status, and checks it.
func (p *proof) derive(memory *traceMemory, d *machine.Derivation) error {
	sets := new(machine.Sets)
	for number, words := range d.Words {
		if words == 0 {
			continue
		}
		buffer := memory.sets[number]
		if buffer == nil || buffer.Size()/wordBytes < words {
			return fmt.Errorf("record set %d has %d words, more than instances of these heights have", number, words)
		}
		sets.Address[number], sets.Words[number] = uint64(buffer.All().Pointer()), words
		if err := p.sendRest(buffer, d.Sent[number], 0); err != nil {
			return err
		}
	}
	status, err := device.First(memory.sets[d.Status], 1)
	if err != nil {
		return err
	}
	if err := p.device.Stream.Fill(status, 0xff); err != nil {
		return err
	}
	memory.words, memory.parts = d.Words, d.Parts
	if err := p.deriveGrown(memory, d, sets); err != nil {
		return err
	}
	steps := d.Steps
	if d.Ended != nil {
		ended := d.Ended()
		if err := p.setLengths(memory, ended, sets); err != nil {
			return err
		}
		steps = ended.Steps
	}
	if err := p.takeSteps(sets, steps); err != nil {
		return err
	}
	found, err := p.download(status)
	if err != nil {
		return err
	}
	return d.Check(found[0])
}

// deriveGrown sends the sets of a running execution as they grow, and launches the steps that become possible.
func (p *proof) deriveGrown(memory *traceMemory, d *machine.Derivation, sets *machine.Sets) error {
	if d.Grow == nil {
		return nil
	}
	sent := map[int]int{}
	return d.Grow(func(known map[int][]uint64, steps []machine.Step) error {
		for _, number := range slices.Sorted(maps.Keys(known)) {
			if n := uint64(len(known[number])); n > d.Words[number] {
				return fmt.Errorf("record set %d has %d words, more than the %d that were predicted", number, n, d.Words[number])
			}
			if err := p.sendRest(memory.sets[number], known[number], sent[number]); err != nil {
				return err
			}
			sent[number] = len(known[number])
		}
		return p.takeSteps(sets, steps)
	})
}

// setLengths sets the final lengths of the sets, and sends the sets that are known only at the end.
func (p *proof) setLengths(memory *traceMemory, ended *machine.Derivation, sets *machine.Sets) error {
	for number, words := range ended.Words {
		if words > sets.Words[number] {
			return fmt.Errorf("record set %d has %d words, more than the %d that were predicted", number, words,
				sets.Words[number])
		}
		sets.Words[number] = words
	}
	memory.words = ended.Words
	for _, number := range slices.Sorted(maps.Keys(ended.Sent)) {
		if err := p.sendRest(memory.sets[number], ended.Sent[number], 0); err != nil {
			return err
		}
	}
	return nil
}

// sendRest queues the copy of a set's words from index sent on.
func (p *proof) sendRest(to *cuda.Buffer, words []uint64, sent int) error {
	if len(words) == sent {
		return nil
	}
	span, err := to.Span(uint64(sent)*wordBytes, uint64(len(words)-sent)*wordBytes)
	if err != nil {
		return err
	}
	return device.Send(p.device.Bulk, p.device.Pool, span, words[sent:])
}

// takeSteps launches steps, after the copies queued so far.
func (p *proof) takeSteps(sets *machine.Sets, steps []machine.Step) error {
	if err := p.device.Bulk.Join(p.device.Stream); err != nil {
		return err
	}
	for _, step := range steps {
		shape := cuda.Shape{Grid: cuda.Dim{X: step.Launch.BlocksX, Y: step.Launch.BlocksY}}
		shape.Block.X = uint64(step.Launch.Threads)
		if err := p.launch(step.Kernel, shape, cuda.Value(sets), cuda.U64(step.A), cuda.U64(step.B)); err != nil {
			return err
		}
	}
	return nil
}
