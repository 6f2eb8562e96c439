package all

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
)

var update = flag.Bool("all.update", false, "write the machines' descriptions anew")

// pinned is a machine in the tests' form: its canonical form and its contents.
type pinned struct {
	name      string
	canonical []byte
	tables    []*air.Table
	buses     []*air.Bus
}

func pinnedMachines(t *testing.T) []pinned {
	t.Helper()
	programs, err := List()
	if err != nil {
		t.Fatal(err)
	}
	walk, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	var list []pinned
	for _, program := range append(programs, walk) {
		list = append(list, ofMachine(program.Machine()))
	}
	declared, err := rv64im.Declare(nil, rv64im.Heights{Image: 10, Program: 12})
	if err != nil {
		t.Fatal(err)
	}
	riscv := pinned{name: "riscv-tables", tables: declared.Tables, buses: declared.Buses}
	for _, bus := range declared.Buses {
		riscv.canonical = bus.AppendCanonical(riscv.canonical)
	}
	for _, table := range declared.Tables {
		riscv.canonical = table.AppendCanonical(riscv.canonical)
	}
	return append(list, riscv)
}

func ofMachine(m *circuit.Machine) pinned {
	p := pinned{name: m.Name, canonical: m.Canonical(), buses: m.Buses}
	p.tables = append(p.tables, m.Tables...)
	return p
}

// describe lists all requirements of a machine, a line for each: a change of the machine shows as changed lines.
// Members of a family, which differ only in numbers, are one line with their count.
func (p pinned) describe() string {
	var text strings.Builder
	fmt.Fprintf(&text, "machine %s: %x\n", p.name, keccak.Sum256(p.canonical))
	for _, bus := range p.buses {
		fmt.Fprintf(&text, "%s bus %s of %s\n", bus.Kind, bus.Name, strings.Join(bus.Fields, " "))
	}
	for _, table := range p.tables {
		fmt.Fprintf(&text, "\ntable %s: 2^%d to 2^%d rows, %d to %d instances, %d main, %d preprocessed and %d periodic "+
			"columns, %d nodes: %x\n", table.Name,
			table.MinLogHeight, table.MaxLogHeight, table.MinInstances, table.MaxInstances, len(table.Main),
			len(table.Preprocessed),
			len(table.Periodic), len(table.Graph), keccak.Sum256(table.AppendCanonical(nil)))
		var names []string
		for _, c := range table.Constraints {
			names = append(names, fmt.Sprintf("degree %d, %d transitions: %s", c.Degree, c.Transitions, c.Name))
		}
		for _, i := range table.Interactions {
			names = append(names, fmt.Sprintf("%s on bus %s, at most %d times", i.Kind, i.Bus.Name, i.Bound))
		}
		writeFamilies(&text, names)
	}
	return text.String()
}

// writeFamilies writes names in the order of each family's first member.
func writeFamilies(text *strings.Builder, names []string) {
	var order []string
	count := map[string]int{}
	for _, name := range names {
		family := numberless(name)
		if count[family]++; count[family] == 1 {
			order = append(order, family)
		}
	}
	for _, family := range order {
		fmt.Fprintf(text, "\t%4d  %s\n", count[family], family)
	}
}

// numberless replaces the numbers after a name's colon by #.
func numberless(name string) string {
	at := strings.Index(name, ": ") + 1
	var b strings.Builder
	b.WriteString(name[:at])
	digits := false
	for _, r := range name[at:] {
		is := r >= '0' && r <= '9'
		if is && at > 0 {
			if !digits {
				b.WriteByte('#')
			}
		} else {
			b.WriteRune(r)
		}
		digits = is
	}
	return b.String()
}

// Each machine is pinned: its digest, and the constraints and messages of every table. After an intended change of a
// machine, rewrite the file with -all.update; its diff shows the change.
func TestMachinesMatchTheirPins(t *testing.T) {
	pin.Test(t)
	for _, p := range pinnedMachines(t) {
		path := filepath.Join("testdata", p.name+".txt")
		have := p.describe()
		if *update {
			if err := os.WriteFile(path, []byte(have), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compareLines(t, p.name, have, string(data))
	}
}

// compareLines names the first lines that differ.
func compareLines(t *testing.T, name, have, want string) {
	t.Helper()
	if have == want {
		return
	}
	was := map[string]bool{}
	for _, line := range strings.Split(want, "\n") {
		was[line] = true
	}
	is := map[string]bool{}
	for _, line := range strings.Split(have, "\n") {
		if is[line] = true; !was[line] {
			t.Errorf("machine %s has %q, which is not written down", name, line)
		}
	}
	for line := range was {
		if !is[line] {
			t.Errorf("machine %s lacks %q", name, line)
		}
	}
	t.Errorf("machine %s is not the one of testdata: -all.update writes it anew, where that is meant", name)
}
