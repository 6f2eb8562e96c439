package riscv_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

var forge = flag.Bool("forge", false, "search the cheats of testdata/forged.json anew: takes many minutes")

// forged is a cheat that a forger found: an honest row with some cells changed.
type forged struct {
	Table, Run    string
	Instance, Row int
	Cells         map[string]goldilocks.Element
	RefusedBy     string

	needed bool // to detect a bug
}

const forgedFile = "testdata/forged.json"

func readForged(t *testing.T) (list []forged) {
	t.Helper()
	data, err := os.ReadFile(forgedFile)
	if err != nil && !*forge {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil && !*forge {
		t.Fatalf("%s: %v", forgedFile, err)
	}
	return list
}

func writeForged(t *testing.T, list []forged) {
	t.Helper()
	var b strings.Builder
	for i, x := range list {
		line, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString([]string{",\n", "[\n"}[map[bool]int{true: 1}[i == 0]])
		b.Write(line)
	}
	b.WriteString("\n]\n")
	if err := os.WriteFile(forgedFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exhibit is the forged row of a run.
func (x *forged) exhibit(t *testing.T, c *collection, s *subject) exhibit {
	t.Helper()
	if x.Instance >= len(s.instances) || s.instances[x.Instance].Table.Name != x.Table {
		t.Fatalf("instance %d of run %s is not of table %s: -forge", x.Instance, x.Run, x.Table)
	}
	in := &s.instances[x.Instance]
	r := row{in, x.Row}
	before := map[string]goldilocks.Element{}
	for name, v := range x.Cells {
		if column(in.Table, name) < 0 {
			t.Fatalf("table %s has no column %s any more: -forge", x.Table, name)
		}
		before[name] = *r.cell(name)
		*r.cell(name) = v
	}
	e := s.exhibit(in, x.Row)
	for name, v := range before {
		*r.cell(name) = v
	}
	e.refused, e.forged = c.refusals(nil, &e, e.values), x
	return e
}

// kept are the forged rows that are needed to detect bugs.
func (c *collection) kept() (list []forged) {
	for i := range c.cheats {
		if f := c.cheats[i].forged; f != nil && f.needed {
			list = append(list, *f)
		}
	}
	return list
}

// found reports whether cheats that are forged for a bug detect it.
func (c *collection) found(b *bug) bool {
	n := len(c.table.Constraints)
	targets := []int{n + b.interaction}
	if b.interaction < 0 {
		targets = slices.Clone(c.constraints[b.node])
		for _, i := range c.interactions[b.node] {
			targets = append(targets, n+i)
		}
	}
	for _, target := range targets {
		if c.tried[target] || target >= n && c.table.Interactions[target-n].Bus.Kind != air.Lookup {
			continue
		}
		c.tried[target] = true
		if c.forge(target, 80) > 0 && c.noticed(b) {
			return true
		}
	}
	return false
}

// forge collects about most rows that only the target constraint or lookup rejects, at most eight from one honest row.
func (c *collection) forge(target, most int) (count int) {
	for _, r := range c.rows {
		f := &forger{c: c, s: r.s, in: r.row.in, at: r.row.at, target: target}
		f.another = target < len(c.table.Constraints) && strings.HasSuffix(c.table.Constraints[target].Name, "is boolean")
		f.values = make([]goldilocks.Element, len(c.table.Graph))
		f.evaluate()
		f.honest = slices.Clone(f.values)
		cells := f.cells()
		own := 0
		f.forge(func(values []goldilocks.Element) bool {
			x := &forged{Table: c.table.Name, Run: r.run, Instance: r.instance, Row: r.row.at,
				Cells: map[string]goldilocks.Element{}, RefusedBy: c.reasons([]int{target})[0]}
			for i, v := range f.cells() {
				if v != cells[i] {
					x.Cells[c.table.Main[i]] = v
				}
			}
			c.cheats = append(c.cheats, exhibit{s: f.s, values: slices.Clone(values), refused: []int{target}, forged: x})
			own++
			return own == 8
		})
		if count += own; count >= most {
			break
		}
	}
	return count
}

func (f *forger) cells() (list []goldilocks.Element) {
	for _, column := range f.in.Trace.Main {
		list = append(list, column[f.at])
	}
	return list
}
