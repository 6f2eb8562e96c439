package gpu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// deriverUnits are the kernel files with which a device makes a machine's record sets.
func deriverUnits(m *machine.Machine) []compile.Unit {
	if m.Deriver == nil {
		return nil
	}
	var units []compile.Unit
	for _, name := range slices.Sorted(maps.Keys(m.Deriver.Sources)) {
		unit := kernels.Generated(generate.SafeName("derive", m.Name, name)+".cu", m.Deriver.Sources[name])
		maps.Copy(unit.Headers, m.Deriver.Headers)
		units = append(units, unit)
	}
	return units
}

// derive makes record sets on the device, and waits for what it found.
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
		span, err := device.First(buffer, words)
		if err != nil {
			return err
		}
		sets.Address[number], sets.Words[number] = uint64(span.Pointer()), words
		if sent := d.Sent[number]; len(sent) > 0 {
			if err := device.Send(p.device.Bulk, p.device.Pool, span, sent); err != nil {
				return err
			}
		}
	}
	status, err := device.First(memory.sets[d.Status], 1)
	if err != nil {
		return err
	}
	if err := p.device.Stream.Fill(status, 0xff); err != nil {
		return err
	}
	if err := p.device.Bulk.Join(p.device.Stream); err != nil {
		return err
	}
	memory.words, memory.parts = d.Words, d.Parts
	for _, step := range d.Steps {
		shape := cuda.Shape{Grid: cuda.Dim{X: step.Launch.BlocksX, Y: step.Launch.BlocksY}}
		shape.Block.X = uint64(step.Launch.Threads)
		if err := p.launch(step.Kernel, shape, cuda.Value(sets), cuda.U64(step.A), cuda.U64(step.B)); err != nil {
			return err
		}
	}
	found, err := p.download(status)
	if err != nil {
		return err
	}
	return d.Check(found[0])
}
