package gpu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// fillerUnits are the kernel files that fill a machine's tables.
func fillerUnits(m *machine.Machine) ([]compile.Unit, error) {
	var units []compile.Unit
	for _, table := range m.Tables {
		if table.Device == nil || len(table.Device.Kernels) == 0 {
			continue
		}
		unit := kernels.Generated(fillerName(m, table), table.Device.Source)
		if slices.ContainsFunc(units, func(u compile.Unit) bool { return u.Name == unit.Name }) {
			continue // tables share it
		}
		for name, text := range table.Device.Headers {
			if _, taken := unit.Headers[name]; taken {
				return nil, fmt.Errorf("table %s: its device filler brings a header %s, which the kernels have already",
					table.Name, name)
			}
			unit.Headers[name] = text
		}
		if table.Device.Unit == "" {
			unit.Headers["columns.cuh"] = table.ColumnHeader()
		} else {
			unit.Headers["instances.cuh"] = machine.InstancesHeader()
		}
		units = append(units, unit)
	}
	return units, nil
}

// fillerName is the name of the unit with a table's filler.
func fillerName(m *machine.Machine, table *machine.Table) string {
	return generate.SafeName("trace", m.Name, cmp.Or(table.Device.Unit, table.Name)) + ".cu"
}

// instanceArguments are what the kernels of a filler get of one instance.
func (p *proof) instanceArguments(memory *traceMemory, i int) []cuda.Argument {
	columns := p.phases[backend.Main].list[i]
	arguments := []cuda.Argument{cuda.Address(columns.Span), cuda.U64(columns.Stride), cuda.U64(p.rows(i)),
		cuda.U64(machine.FirstRow(p.shape.Instances, i)), cuda.Null()}
	if p.shape.Table(i).Device.Work != nil {
		arguments[4] = cuda.Address(memory.work.All())
	}
	return arguments
}

// joined are all instances of a table.
func (p *proof) joined(table int) *machine.Instances {
	list := new(machine.Instances)
	for i, instance := range p.shape.Instances {
		if instance.Table == table {
			own := p.phases[backend.Main].list[i]
			list.Add(uint64(own.Span.Pointer()), own.Stride, p.rows(i))
		}
	}
	return list
}

// fillOnDevice queues the kernels that fill an instance, or with a unit that tables share all instances of its table.
func (p *proof) fillOnDevice(memory *traceMemory, execution machine.Execution, i int) error {
	table := p.shape.Table(i)
	filler, rows := table.Device, p.rows(i)
	var arguments []cuda.Argument
	if filler.Unit == "" {
		arguments = p.instanceArguments(memory, i)
	} else {
		list := p.joined(p.shape.Instances[i].Table)
		rows, arguments = list.Rows(), []cuda.Argument{cuda.Value(list)}
	}
	var words []uint64
	for _, set := range filler.Records {
		span, count, err := memory.part(set)
		if err != nil {
			return err
		}
		if count > 0 {
			arguments = append(arguments, cuda.Address(span))
		} else {
			arguments = append(arguments, cuda.Null())
		}
		words = append(words, count)
		arguments = append(arguments, cuda.U64(count))
	}
	for _, kernel := range filler.Kernels {
		launch := kernel.Launch(rows, words)
		shape := cuda.Shape{Grid: cuda.Dim{X: launch.BlocksX, Y: launch.BlocksY}, Block: cuda.Dim{X: uint64(launch.Threads)}}
		f, err := p.set.FunctionOf(fillerName(p.machine, table), kernel.Name)
		if err != nil {
			return err
		}
		if err := f.Launch(p.device.Stream, shape, arguments...); err != nil {
			return err
		}
	}
	return nil
}
