package independent

import (
	"slices"
	"strings"
	"testing"
)

// formWriter is the inverse of parseForm.
type formWriter struct{ bytes []byte }

func (w *formWriter) numbers(values ...uint64) { w.bytes = append(w.bytes, le64(values...)...) }

func (w *formWriter) text(s string) {
	w.numbers(uint64(len(s)))
	w.bytes = append(w.bytes, s...)
}

func (w *formWriter) texts(list []string) {
	w.numbers(uint64(len(list)))
	for _, s := range list {
		w.text(s)
	}
}

func (w *formWriter) list(values []uint64) {
	w.numbers(uint64(len(values)))
	w.numbers(values...)
}

func (f *form) encode() []byte {
	w := &formWriter{}
	w.text("chiasmus.machine/2")
	w.text(f.name)
	w.texts(f.public)
	w.numbers(map[bool]uint64{true: 1}[f.hasData], uint64(len(f.buses)))
	for _, b := range f.buses {
		w.text(b.name)
		w.numbers(b.kind)
		w.texts(b.fields)
	}
	w.numbers(uint64(len(f.tables)))
	for i := range f.tables {
		f.tables[i].encode(w)
	}
	return w.bytes
}

func (t *table) encode(w *formWriter) {
	w.text("chiasmus.air/2")
	w.text(t.name)
	w.numbers(t.minLog, t.maxLog, t.minInstances, t.maxInstances, t.kind)
	w.texts(t.main)
	w.texts(t.preprocessed)
	w.numbers(uint64(len(t.periodic)))
	for _, values := range t.periodic {
		w.text("periodic")
		w.list(values)
	}
	w.numbers(uint64(len(t.nodes)))
	for _, n := range t.nodes {
		w.numbers(n.op, n.next, n.column, n.a, n.b, n.value)
	}
	w.numbers(uint64(len(t.constraints)))
	for _, root := range t.constraints {
		w.text("constraint")
		w.numbers(root)
	}
	w.numbers(uint64(len(t.interactions)))
	for _, m := range t.interactions {
		w.numbers(m.bus, m.direction, m.multiplicity, m.bound)
		w.list(m.values)
	}
	w.numbers(uint64(len(t.batches)))
	for _, batch := range t.batches {
		w.list(batch)
	}
	w.list(t.nextMain)
	w.list(t.nextPreprocessed)
	w.numbers(uint64(len(t.entries)))
	for _, e := range t.entries {
		w.numbers(e.bus, e.interaction, e.count, e.first, e.rows, uint64(len(e.selector)))
		w.numbers(e.selector...)
		w.list(e.weights)
	}
}

// smallForm is a machine of two tables, one of which looks up its numbers in the other.
func smallForm() *form {
	return &form{
		name: "small", public: []string{"start"}, hasData: true,
		buses: []bus{{"numbers", 0, []string{"x"}}, {"marks", 1, []string{"x", "y"}}},
		tables: []table{
			{
				name: "asks", minLog: 3, maxLog: 10, minInstances: 1, maxInstances: 1, main: []string{"x"},
				periodic: [][]uint64{{1, 2, 3, 4}},
				nodes: []node{
					{op: 1}, {op: 1, next: 1}, {op: 3}, {op: 4}, {op: 6}, {op: 10}, // x x' start first transition periodic
					{op: 8, a: 0, b: 2}, {op: 9, a: 3, b: 6}, // first (x - start)
					{op: 8, a: 1, b: 5}, {op: 9, a: 4, b: 8}, // transition (x' - periodic)
					{value: 1},
				},
				constraints: []uint64{7, 9},
				interactions: []interaction{
					{bus: 1, direction: send, multiplicity: 10, bound: 1, values: []uint64{0}},
					{bus: 2, direction: send, multiplicity: 10, bound: 1, values: []uint64{0, 5}},
					{bus: 2, direction: receive, multiplicity: 10, bound: 1, values: []uint64{0, 5}},
				},
				batches: [][]uint64{{0, 1}, {2}}, nextMain: []uint64{0},
			},
			{
				name: "numbers", minLog: 6, maxLog: 6, minInstances: 1, maxInstances: 1, kind: fixedColumns,
				main: []string{"count"}, preprocessed: []string{"x", "here"},
				nodes: []node{{op: 1}, {op: 2}, {op: 2, column: 1}, {op: 9, a: 0, b: 2}},
				interactions: []interaction{
					{bus: 1, direction: receive, multiplicity: 3, values: []uint64{1}},
				},
				batches: [][]uint64{{0}},
				entries: []entry{{bus: 1, first: 8, rows: 40, selector: []uint64{1}, weights: []uint64{1}}},
			},
		},
	}
}

func TestForm(t *testing.T) {
	f := smallForm()
	parsed, err := parseForm(f.encode())
	if err != nil {
		t.Fatal(err)
	}
	if again := parsed.encode(); !slices.Equal(again, f.encode()) {
		t.Error("a canonical form is not what is written again")
	}
	for cut := range f.encode() {
		if _, err := parseForm(f.encode()[:cut]); err == nil {
			t.Fatalf("the first %d bytes are a machine", cut)
		}
	}
	if _, err := parseForm(append(f.encode(), 0)); err == nil {
		t.Error("a byte more is a machine")
	}
}

// Machines that sections 2 and 5 forbid are rejected.
func TestMachinesThatAreNone(t *testing.T) {
	for name, change := range map[string]func(f *form, asks, numbers *table){
		"a lookup bus that no table answers": func(_ *form, _, numbers *table) { numbers.entries = nil },
		"a bus without a kind":               func(f *form, _, _ *table) { f.buses[1].kind = 3 },
		"a token bus with an entry":          func(f *form, _, _ *table) { f.buses[0].kind = 1 },
		"a bus without fields":               func(f *form, _, _ *table) { f.buses[1].fields = nil },
		"a free receiver of tokens":          func(_ *form, asks, _ *table) { asks.interactions[2].bound = 0 },
		"a sender without a bound":           func(_ *form, asks, _ *table) { asks.interactions[0].bound = 0 },
		"a bound on an entry":                func(_ *form, _, numbers *table) { numbers.interactions[0].bound = 1 },
		"an entry that sends":                func(_ *form, _, numbers *table) { numbers.interactions[0].direction = send },
		"a second receiver of lookups": func(_ *form, asks, _ *table) {
			asks.interactions[0].direction = receive
		},
		"an interaction of another arity": func(_ *form, asks, _ *table) { asks.interactions[1].values = []uint64{0} },
		"an interaction on no bus":        func(_ *form, asks, _ *table) { asks.interactions[1].bus = 3 },
		"a second entry of some rows": func(_ *form, _, numbers *table) {
			numbers.interactions = append(numbers.interactions, numbers.interactions[0])
			numbers.entries = append(numbers.entries, numbers.entries[0])
			numbers.entries[1].interaction, numbers.batches = 1, [][]uint64{{0, 1}}
		},
		"two entries of one receive": func(_ *form, _, numbers *table) {
			numbers.nodes[3] = node{op: 1}
			numbers.entries[0].selector, numbers.entries[0].first, numbers.entries[0].rows = nil, 0, 0
			numbers.entries = append(numbers.entries, numbers.entries[0])
		},
		"two tables that answer a bus": func(f *form, _, numbers *table) { f.tables = append(f.tables, *numbers) },
		"rows that nothing selects":    func(_ *form, _, numbers *table) { numbers.entries[0].selector = nil },
		"a count by a selector":        func(_ *form, asks, _ *table) { asks.interactions[0].multiplicity = 3 },
		"transition in a message":      func(_ *form, asks, _ *table) { asks.interactions[0].values[0] = 4 },
		"other batches":                func(_ *form, asks, _ *table) { asks.batches = [][]uint64{{0}, {1, 2}} },
		"an interaction in no batch":   func(_ *form, asks, _ *table) { asks.batches = [][]uint64{{0, 1}} },
		"a constraint of degree 4": func(_ *form, asks, _ *table) {
			asks.nodes = append(asks.nodes, node{op: 9, a: 7, b: 7})
			asks.constraints = append(asks.constraints, 11)
		},
		"transition three times": func(_ *form, asks, _ *table) {
			asks.nodes = append(asks.nodes, node{op: 9, a: 4, b: 4}, node{op: 9, a: 11, b: 4})
			asks.constraints = append(asks.constraints, 12)
		},
		"several instances of a public value": func(_ *form, asks, _ *table) { asks.maxInstances = 2 },
		"too many instances":                  func(_ *form, asks, _ *table) { asks.maxInstances = 17 },
		"fewer instances than one at most":    func(_ *form, asks, _ *table) { asks.minInstances, asks.maxInstances = 0, 0 },
		"several instances of fixed columns":  func(_ *form, _, numbers *table) { numbers.maxInstances = 2 },
		"no instance of fixed columns":        func(_ *form, _, numbers *table) { numbers.minInstances = 0 },
		"fixed columns of any height":         func(_ *form, _, numbers *table) { numbers.maxLog = 7 },
		"fixed columns without columns":       func(_ *form, asks, _ *table) { asks.kind = fixedColumns },
		"columns without a kind":              func(_ *form, _, numbers *table) { numbers.kind = 0 },
		"a period of three":                   func(_ *form, asks, _ *table) { asks.periodic[0] = []uint64{1, 2, 3} },
		"a period longer than the table":      func(_ *form, asks, _ *table) { asks.periodic[0] = make([]uint64, 16) },
		"a periodic value of p":               func(_ *form, asks, _ *table) { asks.periodic[0][0] = p },
		"a constant of p":                     func(_ *form, asks, _ *table) { asks.nodes[10].value = p },
		"a column that is not there":          func(_ *form, asks, _ *table) { asks.nodes[0].column = 1 },
		"a public value that is not there":    func(f *form, _, _ *table) { f.public = nil },
		"a next row that is not opened":       func(_ *form, asks, _ *table) { asks.nextMain = nil },
		"a node before its operands":          func(_ *form, asks, _ *table) { asks.nodes[6].a = 6 },
		"an unknown operation":                func(_ *form, asks, _ *table) { asks.nodes[6].op = 11 },
		"a root that is not there":            func(_ *form, asks, _ *table) { asks.constraints[0] = 11 },
		"a table that proves nothing": func(_ *form, asks, _ *table) {
			asks.constraints, asks.interactions, asks.batches = nil, nil, nil
		},
		"more public values than proofs state": func(f *form, _, _ *table) { f.public = make([]string, 1025) },
	} {
		f := smallForm()
		change(f, &f.tables[0], &f.tables[1])
		if _, err := parseForm(f.encode()); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, version := range []string{"chiasmus.machine/2", "chiasmus.air/2"} {
		old := []byte(strings.ReplaceAll(string(smallForm().encode()), version, strings.ReplaceAll(version, "/2", "/1")))
		if _, err := parseForm(old); err == nil {
			t.Errorf("version 1 in place of %s: accepted", version)
		}
	}
}
