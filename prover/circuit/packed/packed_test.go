package packed_test

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/circuit/packed"
	"github.com/chiasmus/chiasmus/prover/circuit/packed/packing"
)

// machine has every feature of a table: preprocessed and periodic columns, far operands, entries with and without
// weights.
func machine(t *testing.T) *circuit.Machine {
	t.Helper()
	type message struct{ X, Y air.Expr }
	var buses air.Buses
	numbers, squares := air.NewLookup[message](&buses, "numbers"), air.NewLookup[message](&buses, "squares")
	table := air.NewTable("asks")
	table.Heights(2, 9)
	x, far := table.MainColumns("x", 200), table.Periodic("turn", 1, 0, 5, 1<<40)
	for i, column := range x {
		table.AssertBoolean("x is boolean "+string(rune('0'+i)), column)
	}
	table.WhenTransition().AssertEqual("x moves", x[199].Next(), x[0].Mul(far))
	numbers.Ask(table, x[1], message{x[2], table.Public(0)})
	squares.Ask(table, x[3], message{x[150], x[4]})
	lookup := air.NewTable("answers")
	p, only, counts := lookup.Preprocessed("p"), lookup.Preprocessed("only"), lookup.MainColumns("count", 2)
	lookup.FillProgram(6, nil)
	numbers.Answer(lookup, counts[0], air.Rows{Weights: []uint64{1, 0}}, message{p, p.Square()})
	squares.Answer(lookup, counts[1], air.Rows{First: 1, Count: 3, Only: only}, message{p, p.Double()})
	lookup.Heights(6, 6)
	m := &circuit.Machine{Name: "all", Unit: "row", PublicNames: []string{"first"}, Buses: buses.List(),
		Program: new(circuit.Image)}
	for _, b := range []*air.Builder{table, lookup} {
		built, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Tables = append(m.Tables, built)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// unpacked is a machine with the tables and buses that were packed.
func unpacked(m *circuit.Machine, p *packed.Packed) *circuit.Machine {
	other := *m
	other.Tables, other.Buses = p.Tables, p.Buses
	return &other
}

func TestPack(t *testing.T) {
	fibonacci, err := fib.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*circuit.Machine{machine(t), fibonacci.Machine()} {
		data, err := packing.Pack(m, [32]byte{1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		p, err := packed.Unpack(data)
		if err != nil {
			t.Fatalf("machine %s: %v", m.Name, err)
		}
		same := unpacked(m, p)
		if !bytes.Equal(same.Canonical(), m.Canonical()) || p.CanonicalDigest != [32]byte{1, 2, 3} {
			t.Errorf("machine %s: another canonical form, or digest %x", m.Name, p.CanonicalDigest)
		}
		if err := same.Validate(); err != nil {
			t.Error(err)
		}
		for i, table := range p.Tables {
			want := m.Tables[i]
			for k, node := range table.Graph {
				if node != want.Graph[k] {
					t.Errorf("table %s: node %d is %v, want %v", table.Name, k, node, want.Graph[k])
				}
			}
			for k, c := range table.Constraints {
				if c != want.Constraints[k] {
					t.Errorf("table %s: constraint %v, want %v", table.Name, c, want.Constraints[k])
				}
			}
		}
	}
}

// Every changed byte and every truncation is an error.
func TestDamagedPack(t *testing.T) {
	m := machine(t)
	data, err := packing.Pack(m, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		changed := bytes.Clone(data)
		changed[at] ^= 1 << (at % 8)
		for _, damaged := range [][]byte{data[:at], changed} {
			if _, err := packed.Unpack(damaged); err == nil {
				t.Errorf("%d bytes of %d, byte %d changed: accepted", len(damaged), len(data), at)
			}
		}
	}
	zero := &circuit.Machine{Name: "m", Tables: []*air.Table{{Name: "a\x00b"}}}
	if _, err := packing.Pack(zero, [32]byte{}); err == nil {
		t.Error("a name with a zero byte is packed")
	}
}
