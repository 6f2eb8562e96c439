package independent

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// validate checks section 2's requirements for a machine, and the degrees of section 5. A verifier that trusts the
// machine's digest need not do so. This verifier checks that the document covers all requirements of the machines.
func (f *form) validate() error {
	if len(f.public) > maxPublic {
		return fmt.Errorf("%d public values", len(f.public))
	}
	answered := make([]int, len(f.buses)) // number of tables, by bus
	programs := 0
	for i := range f.tables {
		t := &f.tables[i]
		if err := errors.Join(t.validate(f), t.validateMessages(f, answered)); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		if t.kind == programColumns {
			programs++
		}
	}
	if programs > maxHeaders {
		return fmt.Errorf("%d tables of kind 2", programs)
	}
	for i, b := range f.buses {
		if want := map[uint64]int{0: 1}[b.kind]; b.kind > 2 || len(b.fields) == 0 || answered[i] != want {
			return fmt.Errorf("bus %s has kind %d and %d fields, and %d tables have its entries", b.name, b.kind, len(b.fields),
				answered[i])
		}
	}
	return nil
}

// validate checks heights, instances, columns and the degrees of constraints.
func (t *table) validate(f *form) error {
	switch {
	case t.minLog > t.maxLog || t.maxLog > 31 || t.minInstances > t.maxInstances || t.maxInstances < 1 ||
		t.maxInstances > 16:
		return errors.New("limits of heights or instances")
	case t.kind > 2 || (t.kind == 0) != (len(t.preprocessed) == 0) || t.kind == fixedColumns && t.minLog != t.maxLog:
		return errors.New("preprocessed columns of another kind")
	case t.kind != 0 && (t.minInstances != 1 || t.maxInstances != 1):
		return errors.New("several instances of preprocessed columns, or none")
	case len(t.constraints)+len(t.batches) == 0:
		return errors.New("nothing to prove")
	}
	for _, values := range t.periodic {
		if n := len(values); bits.OnesCount(uint(n)) != 1 || n > 1<<10 || n > 1<<t.minLog {
			return fmt.Errorf("a periodic column of %d values", n)
		}
		if slices.Max(values) >= p {
			return errors.New("a periodic value that is not an element")
		}
	}
	degrees, transitions := t.degrees(f)
	for _, root := range t.constraints {
		if degrees[root] > 3 || transitions[root] > 2 {
			return fmt.Errorf("a constraint of degree %d with %d transitions", degrees[root], transitions[root])
		}
	}
	return nil
}

// degrees returns, by node, the degree and the number of transition factors. It panics if a node refers to something
// that does not exist.
func (t *table) degrees(f *form) (degrees, transitions []int) {
	columns := map[uint64]int{1: len(t.main), 2: len(t.preprocessed), 3: len(f.public), 10: len(t.periodic)}
	degrees, transitions = make([]int, len(t.nodes)), make([]int, len(t.nodes))
	for i, n := range t.nodes {
		count, named := columns[n.op]
		nexts := map[uint64][]uint64{1: t.nextMain, 2: t.nextPreprocessed}[n.op]
		switch {
		case n.op > 10 || named && n.column >= uint64(count) || n.value >= p:
			panic(fmt.Sprintf("node %d of table %s", i, t.name))
		case n.next > 1 || n.next == 1 && !slices.Contains(nexts, n.column):
			panic(fmt.Sprintf("node %d of table %s reads a next row that is not opened", i, t.name))
		case n.op == 3 && t.maxInstances > 1:
			panic(fmt.Sprintf("table %s has several instances and reads a public value", t.name))
		case n.op >= 7 && n.op <= 9 && (n.a >= uint64(i) || n.b >= uint64(i)):
			panic(fmt.Sprintf("node %d of table %s comes before its operands", i, t.name))
		}
		switch n.op {
		case 1, 2, 4, 5, 10:
			degrees[i] = 1
		case 6:
			transitions[i] = 1
		case 7, 8:
			degrees[i], transitions[i] = max(degrees[n.a], degrees[n.b]), max(transitions[n.a], transitions[n.b])
		case 9:
			degrees[i], transitions[i] = degrees[n.a]+degrees[n.b], transitions[n.a]+transitions[n.b]
		}
	}
	return degrees, transitions
}

// validateMessages checks interactions, entries and batches, and counts the table for each bus that it answers.
func (t *table) validateMessages(f *form, answered []int) error {
	degrees, transitions := t.degrees(f)
	entries, buses := map[uint64]*entry{}, map[uint64]int{}
	for i := range t.entries {
		e := &t.entries[i]
		if e.bus < 1 || e.bus > uint64(len(f.buses)) || e.interaction >= uint64(len(t.interactions)) ||
			t.interactions[e.interaction].bus != e.bus || f.buses[e.bus-1].kind != 0 || e.count >= uint64(len(t.main)) ||
			len(e.weights) > 0 && len(e.weights) != len(f.buses[e.bus-1].fields) ||
			e.selector == nil && (e.first > 0 || e.rows > 0) {
			return fmt.Errorf("entry %d", i)
		}
		if entries[e.interaction] != nil || buses[e.bus] > 0 && e.selector != nil {
			return fmt.Errorf("entry %d shares rows or a receive with an earlier entry", i)
		}
		if buses[e.bus]++; buses[e.bus] == 1 {
			answered[e.bus-1]++
		}
		entries[e.interaction] = e
	}
	for i, m := range t.interactions {
		if m.bus < 1 || m.bus > uint64(len(f.buses)) || m.direction > receive ||
			len(m.values) != len(f.buses[m.bus-1].fields) {
			return fmt.Errorf("interaction %d", i)
		}
		isEntry := entries[uint64(i)] != nil
		if isEntry != (m.bound == 0) || isEntry && m.direction != receive ||
			!isEntry && m.direction == receive && f.buses[m.bus-1].kind == 0 {
			return fmt.Errorf("interaction %d has a bound of %d", i, m.bound)
		}
		if t.readsSelector(m.multiplicity) {
			return fmt.Errorf("interaction %d is counted with a selector", i)
		}
		for _, v := range m.values {
			if transitions[v] > 0 {
				return fmt.Errorf("interaction %d sends a transition selector", i)
			}
		}
	}
	if batches := t.firstFit(degrees); !slices.EqualFunc(batches, t.batches, slices.Equal) {
		return fmt.Errorf("batches %v, want %v", t.batches, batches)
	}
	return nil
}

// firstFit divides the interactions into batches: section 5.
func (t *table) firstFit(degrees []int) (batches [][]uint64) {
	degree := func(batch []uint64) int {
		sum := 0
		for _, i := range batch {
			sum += t.valueDegree(i, degrees)
		}
		most := 1 + sum
		for _, i := range batch {
			most = max(most, sum-t.valueDegree(i, degrees)+degrees[t.interactions[i].multiplicity])
		}
		return most
	}
next:
	for i := range t.interactions {
		for b := range batches {
			if joined := append(slices.Clone(batches[b]), uint64(i)); degree(joined) <= 3 {
				batches[b] = joined
				continue next
			}
		}
		batches = append(batches, []uint64{uint64(i)})
	}
	return batches
}

func (t *table) valueDegree(i uint64, degrees []int) (most int) {
	for _, v := range t.interactions[i].values {
		most = max(most, degrees[v])
	}
	return most
}

// readsSelector reports whether a node depends on first, last or transition.
func (t *table) readsSelector(root uint64) bool {
	reads := make([]bool, root+1)
	for i, n := range t.nodes[:root+1] {
		switch {
		case n.op >= 4 && n.op <= 6:
			reads[i] = true
		case n.op >= 7 && n.op <= 9:
			reads[i] = reads[n.a] || reads[n.b]
		}
	}
	return reads[root]
}
