package gpu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// fillerUnits returns the kernel files that fill a machine's tables.
func fillerUnits(fillers *machine.Fillers) ([]compile.Unit, error) {
	var units []compile.Unit
	for i, table := range fillers.Machine.Tables {
		filler := fillers.Tables[i].Device
		if filler == nil || len(filler.Kernels) == 0 {
			continue
		}
		unit := kernels.Generated(fillerName(fillers, i), filler.Source)
		if slices.ContainsFunc(units, func(u compile.Unit) bool { return u.Name == unit.Name }) {
			continue // tables share it
		}
		for name, text := range filler.Headers {
			if _, taken := unit.Headers[name]; taken {
				return nil, fmt.Errorf("table %s: its device filler brings a header %s, which the kernels have already",
					table.Name, name)
			}
			unit.Headers[name] = text
		}
		if filler.Unit == "" {
			unit.Headers["columns.cuh"] = machine.ColumnHeader(table)
		} else {
			unit.Headers["instances.cuh"] = machine.InstancesHeader()
		}
		units = append(units, unit)
	}
	return units, nil
}

// fillerName returns the name of the unit with a table's filler.
func fillerName(fillers *machine.Fillers, table int) string {
	m := fillers.Machine
	return generate.SafeName("trace", m.Name, cmp.Or(fillers.Tables[table].Device.Unit, m.Tables[table].Name)) + ".cu"
}

// filler returns the filler of an instance's table.
func (p *proof) filler(instance int) *machine.Filler {
	return p.fillers.Of(p.shape.Instances[instance])
}

// rowArguments returns the arguments of a filler's kernels for rows of an instance, from row first on. before is the
// number of rows or records of the table before the instance.
func (p *proof) rowArguments(memory *traceMemory, i int, first, rows, before uint64) ([]cuda.Argument, error) {
	columns := p.phases[protocol.Main].list[i]
	span, err := columns.Span.Part(first*wordBytes, columns.Span.Size()-first*wordBytes)
	if err != nil {
		return nil, err
	}
	arguments := []cuda.Argument{cuda.Address(span), cuda.U64(columns.Stride), cuda.U64(rows), cuda.U64(before),
		cuda.Null()}
	if p.filler(i).Device.Work != nil {
		arguments[4] = cuda.Address(memory.work.All())
	}
	return arguments, nil
}

// joined returns all instances of a table.
func (p *proof) joined(table int) *machine.Instances {
	list := new(machine.Instances)
	for i, instance := range p.shape.Instances {
		if instance.Table == table {
			own := p.phases[protocol.Main].list[i]
			list.Add(uint64(own.Span.Pointer()), own.Stride, p.rows(i))
		}
	}
	return list
}

// records is a range of words of a record set on the device.
type records struct {
	span  cuda.Span
	words uint64
}

// fillOnDevice queues the kernels that fill an instance. If tables share the filler's unit, they fill all instances of
// the table.
func (p *proof) fillOnDevice(stream *cuda.Stream, memory *traceMemory, i int) (err error) {
	filler, rows := p.filler(i).Device, p.rows(i)
	var arguments []cuda.Argument
	if filler.Unit == "" {
		before := circuit.FirstRecord(p.shape.Instances, i, max(filler.RowsOfRecord, 1))
		arguments, err = p.rowArguments(memory, i, 0, rows, before)
	} else {
		list := p.joined(p.shape.Instances[i].Table)
		rows, arguments = list.Rows(), []cuda.Argument{cuda.Value(list)}
	}
	if err != nil {
		return err
	}
	read := make([]records, len(filler.Records))
	for k, set := range filler.Records {
		if read[k].span, read[k].words, err = memory.part(set); err != nil {
			return err
		}
	}
	return p.launchFiller(stream, i, rows, arguments, read)
}

// fillWithout queues the kernels that fill the rows of a growing instance for which there will be no records. words is
// the final length of the instance's record set.
func (p *proof) fillWithout(memory *traceMemory, i int, words uint64) error {
	filler := p.filler(i).Device
	first, rows := words/filler.GrowsBy*uint64(filler.RowsOfRecord), p.rows(i)
	if first >= rows {
		return nil
	}
	arguments, err := p.rowArguments(memory, i, first, rows-first, 0)
	if err != nil {
		return err
	}
	return p.launchFiller(p.device.Stream, i, rows-first, arguments, []records{{}})
}

// fillGrown queues the kernels that fill the rows of the records that have arrived since the last call.
func (p *proof) fillGrown(memory *traceMemory, i int) error {
	filler, used := p.filler(i).Device, memory.grown[i]
	set, rows := filler.Records[0], uint64(filler.RowsOfRecord)
	count := memory.words[set]/filler.GrowsBy - used
	if count == 0 {
		return nil
	}
	memory.grown[i] += count
	arguments, err := p.rowArguments(memory, i, used*rows, count*rows, 0)
	if err != nil {
		return err
	}
	read := records{words: count * filler.GrowsBy}
	if read.span, err = memory.sets[set].Span(used*filler.GrowsBy*wordBytes, read.words*wordBytes); err != nil {
		return err
	}
	return p.launchFiller(p.device.Stream, i, count*rows, arguments, []records{read})
}

// launchFiller queues a filler's kernels for the given number of rows, with the record sets that they read.
func (p *proof) launchFiller(stream *cuda.Stream, i int, rows uint64, arguments []cuda.Argument,
	read []records) error {
	var words []uint64
	for _, set := range read {
		start := cuda.Null()
		if set.words > 0 {
			start = cuda.Address(set.span)
		}
		words = append(words, set.words)
		arguments = append(arguments, start, cuda.U64(set.words))
	}
	for _, kernel := range p.filler(i).Device.Kernels {
		launch := kernel.Launch(rows, words)
		shape := cuda.Shape{Grid: cuda.Dim{X: launch.BlocksX, Y: launch.BlocksY}, Block: cuda.Dim{X: uint64(launch.Threads)}}
		f, err := p.set.FunctionOf(fillerName(p.fillers, p.shape.Instances[i].Table), kernel.Name)
		if err != nil {
			return err
		}
		if err := f.Launch(stream, shape, arguments...); err != nil {
			return err
		}
	}
	return nil
}
