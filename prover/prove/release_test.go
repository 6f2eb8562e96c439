package prove

import (
	"context"
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// releasing is an execution whose only table is filled with zeros until it is released.
type releasing struct {
	machine.OnHost
	released int
}

func (*releasing) Public() circuit.Public        { return circuit.Public{} }
func (*releasing) Instances() []circuit.Instance { return []circuit.Instance{{Table: 0, LogHeight: 6}} }
func (*releasing) Records() [][]uint64           { return nil }
func (r *releasing) Release()                    { r.released++ }

// If releasing is requested, an execution is released once, after its tables are filled, and cannot be proven again.
func TestRelease(t *testing.T) {
	b := air.NewTable("zeros")
	b.AssertZero("zero", b.Main("x"))
	declared, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("let go")
	fill := func(_ *parallel.Pool, e machine.Execution, _ int, columns [][]goldilocks.Element) error {
		clear(columns[0])
		if e.(*releasing).released > 0 {
			return gone
		}
		return nil
	}
	m := &circuit.Machine{Name: "zeros", Unit: "row", Tables: []*air.Table{declared}}
	fillers := &machine.Fillers{Machine: m, Tables: []machine.Filler{{Fill: fill}}}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(m, preset.Params)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProver(key, fillers, cpu.New(parallel.New(1)), backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	e := new(releasing)
	for _, c := range []struct {
		release bool
		want    int
		err     error
	}{{false, 0, nil}, {true, 1, nil}, {true, 1, gone}} {
		_, _, err := p.Prove(context.Background(), e, Options{Release: c.release})
		if !errors.Is(err, c.err) || e.released != c.want {
			t.Errorf("with Release %t: error %v, want %v; told %d times, want %d", c.release, err, c.err, e.released, c.want)
		}
	}
}
