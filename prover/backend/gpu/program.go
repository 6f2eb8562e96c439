package gpu

import (
	"context"
	"fmt"
	"maps"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// program is the generated code of a machine: its kernel files, and the quotients of its tables.
type program struct {
	fillers   *machine.Fillers
	units     []compile.Unit
	tables    [][]string           // by table: names of the units that only its instances need
	quotients []*generate.Quotient // by table

	readsPublic bool // whether a table reads public values; cached, because finding out visits every node of every table
}

// newProgram generates the code of a machine. Kernels depend only on tables, not on heights or guest programs. It stops
// early, with the context's error, once the context is canceled.
func newProgram(ctx context.Context, fillers *machine.Fillers) (*program, error) {
	m := fillers.Machine
	p := &program{fillers: fillers, quotients: make([]*generate.Quotient, len(m.Tables)), readsPublic: m.ReadsPublic()}
	p.units = append(p.units, unit(generate.Shared()))
	// A cold process waits for this: the quotients and the buses of rv64im take 0.15 s.
	var buses []generate.Unit
	parallel.New(0).Each(len(m.Tables)+1, func(i int) {
		switch {
		case ctx.Err() != nil:
		case i == 0:
			buses = generate.Buses(m)
		default:
			p.quotients[i-1] = generate.NewQuotient(m.Name, m.Tables[i-1])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("generate the kernels of %s: %w", m.Name, err)
	}
	for _, quotient := range p.quotients {
		for _, u := range quotient.Units {
			p.units = append(p.units, unit(u))
		}
	}
	for _, u := range buses {
		p.units = append(p.units, unit(u))
	}
	trace, err := fillerUnits(fillers)
	p.units = append(append(p.units, trace...), deriverUnits(fillers)...)
	p.assignUnits()
	return p, err
}

// assignUnits finds the units of each table.
func (p *program) assignUnits() {
	m := p.fillers.Machine
	p.tables = make([][]string, len(m.Tables))
	for i, quotient := range p.quotients {
		own := &p.tables[i]
		for _, u := range quotient.Units {
			*own = append(*own, u.Name)
		}
		*own = append(*own, generate.BusUnits(m, m.Tables[i])...)
		if filler := p.fillers.Tables[i].Device; filler != nil && len(filler.Kernels) > 0 {
			*own = append(*own, fillerName(p.fillers, i))
		}
	}
}

// allUnits returns the fixed units, more units, and the program's.
func (p *program) allUnits(more []compile.Unit) []compile.Unit {
	return append(append(kernels.Units(), more...), p.units...)
}

// shared returns the names of the units that every proof needs: all that are not specific to a table.
func (p *program) shared(more []compile.Unit) (names []string) {
	own := map[string]bool{}
	for _, list := range p.tables {
		for _, name := range list {
			own[name] = true
		}
	}
	for _, unit := range p.allUnits(more) {
		if !own[unit.Name] {
			names = append(names, unit.Name)
		}
	}
	return names
}

// unitsOf returns the names of the units that proofs of a shape need in addition to the shared ones.
func (p *program) unitsOf(shape *protocol.Shape) (names []string) {
	seen := make([]bool, len(p.tables))
	for _, instance := range shape.Instances {
		if !seen[instance.Table] {
			names = append(names, p.tables[instance.Table]...)
		}
		seen[instance.Table] = true
	}
	return names
}

func unit(u generate.Unit) compile.Unit {
	own := kernels.Generated(u.Name, u.Text)
	maps.Copy(own.Headers, u.Headers)
	return own
}
