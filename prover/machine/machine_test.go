package machine_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// message is the message type of these tests' buses.
type message struct{ Value air.Expr }

func noFill(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error { return nil }

// table has a boolean column x and whatever declare adds.
func table(t *testing.T, name string, declare func(b *air.Builder, x air.Expr)) *air.Table {
	t.Helper()
	b := air.NewTable(name)
	x := b.Main("x")
	b.AssertBoolean("x is boolean", x)
	if declare != nil {
		declare(b, x)
	}
	declared, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return declared
}

// answers is a lookup table for a bus.
func answers(t *testing.T, bus air.LookupBus[message]) *air.Table {
	return table(t, "answers", func(b *air.Builder, x air.Expr) {
		b.Heights(3, 3)
		bus.Answer(b, b.Main("count"), air.Rows{}, message{x})
	})
}

// The prover chooses the contents of a table without preprocessed columns: two instances could answer differently.
func TestAnswersOfOwnColumnsCountOnce(t *testing.T) {
	var buses air.Buses
	if !circuit.CountsOnce(answers(t, air.NewLookup[message](&buses, "lookup"))) {
		t.Error("a lookup table of main columns counts in every shard")
	}
}

// mistaken is a machine for tests of Validate to modify, with its buses.
type mistaken struct {
	*circuit.Machine
	lookup air.LookupBus[message]
	token  air.TokenBus[message]
}

func good(t *testing.T) *mistaken {
	var buses air.Buses
	m := &mistaken{lookup: air.NewLookup[message](&buses, "lookup"), token: air.NewToken[message](&buses, "token")}
	m.Machine = &circuit.Machine{
		Name: "m",
		Tables: []*air.Table{
			table(t, "t", func(b *air.Builder, x air.Expr) {
				m.token.Produce(b, x, message{b.Public(0)})
				m.lookup.Ask(b, x, message{x})
			}),
			answers(t, m.lookup),
		},
		Buses:       buses.List(),
		PublicNames: []string{"value"},
	}
	return m
}

func TestValidate(t *testing.T) {
	if err := good(t).Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(m *mistaken){
		"its name has 0 bytes, want 1 to 64":           func(m *mistaken) { m.Name = "" },
		"its name has 65 bytes, want 1 to 64":          func(m *mistaken) { m.Name = strings.Repeat("m", 65) },
		"its name has 1 bytes, want 1 to 64, of UTF-8": func(m *mistaken) { m.Name = "\xff" },
		"table first: a multiplicity on bus token is a row selector": func(m *mistaken) {
			m.Tables[0] = table(t, "first", func(b *air.Builder, x air.Expr) { m.token.Produce(b, b.First(), message{x}) })
		},
		"table last: a multiplicity on bus token is a row selector": func(m *mistaken) {
			m.Tables[0] = table(t, "last", func(b *air.Builder, x air.Expr) {
				m.token.Consume(b, x.Add(x.Mul(b.Last())), message{x})
			})
		},
		"table moves: a multiplicity on bus token is a row selector": func(m *mistaken) {
			m.Tables[0] = table(t, "moves", func(b *air.Builder, x air.Expr) {
				m.token.Produce(b, x.Sub(b.Transition()), message{x})
			})
		},
		"machine m: it has no tables":    func(m *mistaken) { m.Tables = nil },
		"bus lookup has index 1, want 2": func(m *mistaken) { slices.Reverse(m.Buses) },
		"two tables are named t": func(m *mistaken) {
			m.Tables = append(m.Tables, m.Tables[0])
		},
		"bus token is not one of the machine's":                func(m *mistaken) { m.Buses = m.Buses[:1] },
		"machine m: table t reads public value 0 of 0":         func(m *mistaken) { m.PublicNames = nil },
		"lookup bus lookup is answered by 0 entries, want exa": func(m *mistaken) { m.Tables = m.Tables[:1] },
		"lookup bus lookup is answered by 2 entries, want exa": func(m *mistaken) {
			m.Tables = append(m.Tables, answers(t, m.lookup))
			m.Tables[2].Name = "more answers"
		},
		"bus token is a token bus, and only lookup buses are answered": func(m *mistaken) {
			m.Tables[1].Lookups[0].Bus, m.Tables[1].Interactions[0].Bus = m.token.Bus, m.token.Bus
		},
		"a send on token bus token has no bound":    func(m *mistaken) { m.Tables[0].Interactions[0].Bound = 0 },
		"it has tables of a program and no Program": func(m *mistaken) { m.Program = &circuit.Image{} },
	} {
		m := good(t)
		change(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Every table has a filler, and record sets that a device reads have lengths.
func TestValidateFillers(t *testing.T) {
	for want, change := range map[string]func(f *machine.Fillers){
		"":                                       func(*machine.Fillers) {},
		"machine m: fillers of 1 tables, want 2": func(f *machine.Fillers) { f.Tables = f.Tables[:1] },
		"machine m: nothing fills table t":       func(f *machine.Fillers) { f.Tables[0].Fill = nil },
		"and RecordWords is not set": func(f *machine.Fillers) {
			f.Tables[1].Device = &machine.DeviceFiller{}
		},
	} {
		f := &machine.Fillers{Machine: good(t).Machine, Tables: []machine.Filler{{Fill: noFill}, {Fill: noFill}}}
		change(f)
		if err := f.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// walk is the test machine with an execution that has several instances of some tables and none of others.
func walk(t *testing.T, size int) (*circuit.Machine, machine.Execution) {
	t.Helper()
	fillers, e := filledWalk(t, size)
	return fillers.Machine, e
}

// filledWalk is walk with the machine's fillers.
func filledWalk(t *testing.T, size int) (*machine.Fillers, machine.Execution) {
	t.Helper()
	p, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	e, err := run.Execute(context.Background(), p, run.Input{Size: size, Seed: 2, MinLogHeight: 5})
	if err != nil {
		t.Fatal(err)
	}
	return p.Fillers(), e
}

func TestCheckInstances(t *testing.T) {
	m, e := walk(t, 300)
	honest, tables := e.Instances(), len(m.Tables)
	if err := m.CheckInstances(honest); err != nil {
		t.Fatal(err)
	}
	of := func(table int) int {
		return slices.IndexFunc(honest, func(i circuit.Instance) bool { return i.Table == table })
	}
	for want, change := range map[string]func(list []circuit.Instance) []circuit.Instance{
		"0 instances, want 1 to 256": func([]circuit.Instance) []circuit.Instance {
			return nil
		},
		"257 instances, want 1 to 256": func([]circuit.Instance) []circuit.Instance {
			return make([]circuit.Instance, 257)
		},
		fmt.Sprintf("belongs to table %d, and there are %[1]d", tables): func(list []circuit.Instance) []circuit.Instance {
			list[0].Table = tables
			return list
		},
		fmt.Sprintf("belongs to table -1, and there are %d", tables): func(list []circuit.Instance) []circuit.Instance {
			list[0].Table = -1
			return list
		},
		"is out of order": func(list []circuit.Instance) []circuit.Instance {
			slices.Reverse(list)
			return list
		},
		"log height is 29, want 1 to 28": func(list []circuit.Instance) []circuit.Instance {
			list[0].LogHeight = 29
			return list
		},
		"has 2^9 rows, want the 2^8 of its p": func(list []circuit.Instance) []circuit.Instance {
			list[of(tour.RoadTable)].LogHeight = 9
			return list
		},
		"0 instances of table dial, want 1 t": func(list []circuit.Instance) []circuit.Instance {
			return slices.Delete(list, of(tour.Dial), of(tour.Dial)+1)
		},
		"2 instances of table dial, want 1 t": func(list []circuit.Instance) []circuit.Instance {
			return slices.Insert(list, of(tour.Dial), list[of(tour.Dial)])
		},
		"3 instances of table cubes, want 1 to 2": func(list []circuit.Instance) []circuit.Instance {
			return append(list, list[len(list)-1])
		},
	} {
		if err := m.CheckInstances(change(slices.Clone(honest))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	shuffled := slices.Clone(honest)
	slices.Reverse(shuffled)
	if circuit.SortInstances(shuffled); !slices.Equal(shuffled, honest) {
		t.Errorf("sorted %v, want %v", shuffled, honest)
	}
}

func TestFirstRow(t *testing.T) {
	instances := []circuit.Instance{{Table: 0, LogHeight: 5}, {Table: 0, LogHeight: 3}, {Table: 2, LogHeight: 4},
		{Table: 2, LogHeight: 4}, {Table: 2, LogHeight: 1}}
	for i, want := range []uint64{0, 32, 0, 16, 32} {
		if got := circuit.FirstRow(instances, i); got != want {
			t.Errorf("instance %d begins at row %d, want %d", i, got, want)
		}
	}
}

func TestCheckStated(t *testing.T) {
	m, e := walk(t, 20)
	if err := m.CheckStated(e.Public()); err != nil {
		t.Fatal(err)
	}
	plain, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		of     *circuit.Machine
		public circuit.Public
	}{
		"1 public values, want 2": {m, circuit.Public{Values: make([]goldilocks.Element, 1)}},
		"public value total is 18446744069414": {m,
			circuit.Public{Values: []goldilocks.Element{0, goldilocks.Element(goldilocks.Modulus-1) + 1}}},
		"1 bytes of public data, and it has no": {plain.Machine(), circuit.Public{
			Values: make([]goldilocks.Element, 3),
			Data:   []byte{1},
		}},
		"1048577 bytes of public data, want at": {m, circuit.Public{
			Values: make([]goldilocks.Element, 2),
			Data:   make([]byte, 1<<20+1),
		}},
		"choice 0 is 9": {m, circuit.Public{Values: make([]goldilocks.Element, 2), Data: []byte{9}}},
	} {
		if err := c.of.CheckStated(c.public); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Different machines have different canonical forms.
func TestCanonical(t *testing.T) {
	forms := map[string]int{}
	bus := func(name string, kind air.BusKind, fields ...string) []*circuit.Bus {
		return []*circuit.Bus{{Name: name, Index: 1, Kind: kind, Fields: fields}}
	}
	one := func() []*air.Table { return []*air.Table{table(t, "t", nil)} }
	for i, m := range []*circuit.Machine{
		{Name: "m", Tables: one()},
		{Name: "n", Tables: one()},
		{Name: "m", Tables: []*air.Table{table(t, "u", nil)}},
		{Name: "m", Tables: []*air.Table{table(t, "t", nil), table(t, "u", nil)}},
		{Name: "m", Tables: []*air.Table{table(t, "t", func(b *air.Builder, _ air.Expr) { b.Instances(0, 2) })}},
		{Name: "m", Tables: []*air.Table{table(t, "t", func(b *air.Builder, _ air.Expr) { b.Instances(0, 3) })}},
		{Name: "m", Tables: one(), PublicNames: []string{"p"}},
		{Name: "m", Tables: one(), HasData: true},
		{Name: "m", Tables: one(), Buses: bus("b", air.Token, "x")},
		{Name: "m", Tables: one(), Buses: bus("b", air.Call, "x")},
		{Name: "m", Tables: one(), Buses: bus("b", air.Token, "y")},
		{Name: "m", Tables: one(), Buses: bus("b", air.Token, "x", "y")},
	} {
		form := string(m.Canonical())
		if other, ok := forms[form]; ok {
			t.Errorf("machines %d and %d have one canonical form", other, i)
		}
		forms[form] = i
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
		e, err := run.Execute(context.Background(), p, run.Input{Size: 256, Seed: 5, MinLogHeight: 5})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.CheckStated(e.Public()); err != nil {
			t.Error(err)
		}
		if size, err := p.Size(e.Public(), e.Instances()); err != nil || size != 256 {
			t.Errorf("%s: size %d, %v", name, size, err)
		}
		if estimated, err := p.Estimate(256, 5, nil); err != nil || !slices.Equal(estimated, e.Instances()) {
			t.Errorf("%s: instances %v are estimated, want %v, %v", name, estimated, e.Instances(), err)
		}
	}
	if _, err := all.Lookup("riscv"); err == nil || !strings.Contains(err.Error(), `there are ["keccak" "fib" "rv64im"]`) {
		t.Errorf("error %v", err)
	}
}

// A mutated execution can change cells, heights, the list of instances and the claim.
func TestMutated(t *testing.T) {
	fillers, e := filledWalk(t, 300)
	m, mutable := fillers.Machine, fillers.Mutable()
	if mutable.Machine != m {
		t.Error("mutable fillers are another machine's")
	}
	if err := mutable.Check(parallel.New(0), e); err != nil {
		t.Errorf("an execution that is not mutated: %v", err)
	}
	columns := func(log int) [][]goldilocks.Element {
		list := make([][]goldilocks.Element, len(m.Tables[tour.Step].Main))
		for i := range list {
			list[i] = slices.Repeat([]goldilocks.Element{9}, 1<<log)
		}
		return list
	}
	log := e.Instances()[0].LogHeight
	honest := columns(log)
	if err := fillers.Tables[tour.Step].Fill(nil, e, 0, honest); err != nil {
		t.Fatal(err)
	}
	claim := circuit.Public{Values: []goldilocks.Element{1, 2}}
	bad := &machine.Mutated{
		Execution: e,
		Claim:     &claim,
		Shape:     []circuit.Instance{{LogHeight: log + 1}, {LogHeight: log - 1}, {LogHeight: 3}},
		True:      []int{0, 0, -1},
		Change:    func(instance int, columns [][]goldilocks.Element) { columns[0][1] += goldilocks.Element(instance) },
	}
	if bad.Public().Values[1] != 2 || len(bad.Instances()) != 3 {
		t.Errorf("claim %v, instances %v", bad.Public(), bad.Instances())
	}
	for instance, rows := range []int{1 << (log + 1), 1 << (log - 1), 8} {
		filled := columns(bad.Shape[instance].LogHeight)
		if err := mutable.Tables[tour.Step].Fill(nil, bad, instance, filled); err != nil {
			t.Fatal(err)
		}
		for c := range filled {
			for row, have := range filled[c] {
				want := goldilocks.Element(0)
				if instance < 2 && row < len(honest[c]) {
					want = honest[c][row]
				}
				if c == 0 && row == 1 {
					want += goldilocks.Element(instance)
				}
				if have != want {
					t.Fatalf("instance %d of %d rows, column %d, row %d: %d, want %d", instance, rows, c, row, have, want)
				}
			}
		}
	}
	plain := &machine.Mutated{Execution: e}
	if !slices.Equal(plain.Instances(), e.Instances()) || !slices.Equal(plain.Public().Data, e.Public().Data) {
		t.Error("without replacements an execution is not the true one")
	}
}

// Column offsets equal the declaration's, in Go and in the header.
func TestColumns(t *testing.T) {
	listed := table(t, "t", func(b *air.Builder, x air.Expr) {
		for i, c := range append(b.MainColumns("many", 3), b.Main("one more")) {
			b.AssertEqual(string(rune('a'+i)), c, x)
		}
	})
	for name, want := range map[string]int{"x": 0, "many": 1, "many[0]": 1, "many[2]": 3, "one more": 4} {
		if got := listed.Column(name); got != want {
			t.Errorf("column %s is %d, want %d", name, got, want)
		}
	}
	const want = "// The main columns of table t. Generated from its declaration.\n#pragma once\n" +
		"#define COLUMN_X 0\n#define COLUMN_MANY 1\n#define COLUMN_ONE_MORE 4\n#define COLUMNS 5\n"
	if got := machine.ColumnHeader(listed); got != want {
		t.Errorf("header:\n%s\nwant\n%s", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a column that is not there has a number")
		}
	}()
	listed.Column("many[3]")
}
