package machine_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

func table(t *testing.T, name string, declare func(b *air.Builder, x air.Expr)) *air.Table {
	t.Helper()
	b := air.NewTable(name)
	x := b.Main("x")
	b.AssertBoolean("x is boolean", x)
	if declare != nil {
		declare(b, x)
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestValidate(t *testing.T) {
	bus := machine.Bus{Name: "bus", Index: 1, Arity: 1}
	good := func() *machine.Machine {
		return &machine.Machine{
			Name:        "m",
			Tables:      []*air.Table{table(t, "t", func(b *air.Builder, x air.Expr) { b.Send(bus, x, 1, b.Public(0)) })},
			Buses:       []machine.Bus{bus},
			PublicNames: []string{"value"},
			UnitRows:    []int{1},
		}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(m *machine.Machine){
		"its name has 0 bytes, want 1 to 64":           func(m *machine.Machine) { m.Name = "" },
		"its name has 65 bytes, want 1 to 64":          func(m *machine.Machine) { m.Name = strings.Repeat("m", 65) },
		"its name has 1 bytes, want 1 to 64, of UTF-8": func(m *machine.Machine) { m.Name = "\xff" },
		"table first counts messages on bus bus with a row selector": func(m *machine.Machine) {
			m.Tables[0] = table(t, "first", func(b *air.Builder, x air.Expr) { b.Send(bus, b.First(), 1, x) })
		},
		"table last counts messages on bus bus with a row selector": func(m *machine.Machine) {
			m.Tables[0] = table(t, "last", func(b *air.Builder, x air.Expr) { b.Receive(bus, x.Add(x.Mul(b.Last())), 1, x) })
		},
		"table moves counts messages on bus bus with a row selector": func(m *machine.Machine) {
			m.Tables[0] = table(t, "moves", func(b *air.Builder, x air.Expr) { b.Send(bus, x.Sub(b.Transition()), 1, x) })
		},
		"machine m: it has no tables":                    func(m *machine.Machine) { m.Tables = nil },
		"machine m: 2 entries of UnitRows for 1 tables":  func(m *machine.Machine) { m.UnitRows = []int{1, 2} },
		"bus bus has index 2, want 1":                    func(m *machine.Machine) { m.Buses = []machine.Bus{{Name: "bus", Index: 2, Arity: 1}} },
		"two tables are named t":                         func(m *machine.Machine) { m.Tables = append(m.Tables, m.Tables[0]) },
		"which is not one of the machine's":              func(m *machine.Machine) { m.Buses[0].Arity = 2 },
		"machine m: table t reads public value 0 of 0":   func(m *machine.Machine) { m.PublicNames = nil },
		"table t uses bus {Name:bus Index:1 Arity:1}, w": func(m *machine.Machine) { m.Buses = nil },
	} {
		m := good()
		change(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestCheckLogHeights(t *testing.T) {
	m := &machine.Machine{Name: "m", Tables: []*air.Table{table(t, "t", func(b *air.Builder, _ air.Expr) { b.Heights(2, 5) })}}
	for want, heights := range map[string][]int{
		"":                                   {3},
		"2 table heights, want 1":            {3, 3},
		"table t: log height is 6, want 2 t": {6},
		"table t: log height is 1, want 2 t": {1},
	} {
		err := m.CheckLogHeights(heights)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("heights %v: %v, want %q", heights, err, want)
		}
	}
}

// Canonical forms differ where machines do.
func TestCanonical(t *testing.T) {
	forms := map[string]string{}
	for _, m := range []*machine.Machine{
		{Name: "m", Tables: []*air.Table{table(t, "t", nil)}},
		{Name: "n", Tables: []*air.Table{table(t, "t", nil)}},
		{Name: "m", Tables: []*air.Table{table(t, "u", nil)}},
		{Name: "m", Tables: []*air.Table{table(t, "t", nil), table(t, "u", nil)}},
		{Name: "m", Tables: []*air.Table{table(t, "t", nil)}, PublicNames: []string{"p"}},
		{Name: "m", Tables: []*air.Table{table(t, "t", nil)}, Buses: []machine.Bus{{Name: "b", Index: 1, Arity: 1}}},
	} {
		form := string(m.Canonical())
		if forms[form] != "" {
			t.Errorf("%+v has the canonical form of another machine", m)
		}
		forms[form] = m.Name
	}
}

func TestAllMachines(t *testing.T) {
	programs, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range all.Names() {
		p, err := all.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		m := p.Machine()
		if m.Name != name || programs[i].Machine() != m {
			t.Errorf("%s is listed as %s, or built twice", m.Name, name)
		}
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(m.Canonical(), m.Canonical()) || m.Description == "" || m.Unit == "" {
			t.Errorf("%s: description %q, unit %q", name, m.Description, m.Unit)
		}
		w, err := p.Synthetic(256, 5, 5)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.CheckPublicValues(w.Public()); err != nil {
			t.Error(err)
		}
		if size, err := p.Size(w.Public(), w.LogHeights()); err != nil || size != 256 {
			t.Errorf("%s: size %d, %v", name, size, err)
		}
	}
	if _, err := all.Lookup("riscv"); err == nil || !strings.Contains(err.Error(), `there are ["keccak" "fib"]`) {
		t.Errorf("error %v", err)
	}
}

// A mutated witness can change heights and public values too.
func TestMutated(t *testing.T) {
	p, err := all.Lookup("fib")
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.Synthetic(8, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, height := range []int{2, 3, 4} {
		bad := &machine.Mutated{Witness: w, Heights: []int{height}, PublicValues: []goldilocks.Element{1, 2, 3}}
		columns := [][]goldilocks.Element{make([]goldilocks.Element, 1<<height), make([]goldilocks.Element, 1<<height)}
		if err := bad.Fill(nil, 0, columns); err != nil {
			t.Fatal(err)
		}
		if columns[0][0] != w.Public()[0] || height == 4 && columns[0][8] != 0 || bad.Public()[2] != 3 || bad.LogHeights()[0] != height || bad.Records(0) != nil {
			t.Errorf("height %d: %v", height, columns[0])
		}
	}
}
