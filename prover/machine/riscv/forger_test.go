package riscv_test

import (
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// forger changes cells of an honest row until only one constraint or lookup is left to refuse it. It starts with
// another value of a cell and repairs violations one by one, each by a cell in which the violated expression is linear.
// Values that the row receives stay: the instruction, the state, and the values that it reads. So do other lookups. The
// time of a token's producer is the row's own claim.
type forger struct {
	c       *collection
	s       *subject
	in      *air.Instance
	at      int
	honest  []goldilocks.Element // the nodes of the honest row
	values  []goldilocks.Element // the nodes of the forged one
	target  int                  // a constraint, or, after the constraints, a lookup
	another bool                 // another word may be accessed; decides whether an address column is boolean
	tries   int
}

// defect is a node that must take a given value.
type defect struct {
	node air.NodeID
	want goldilocks.Element
}

func (f *forger) evaluate() {
	f.c.table.EvaluateRow(f.in.Trace, f.at, f.s.execution.Public().Values, f.values)
}

// defect returns something besides the target that does not hold; ok is false if there is nothing.
func (f *forger) defect() (d defect, ok bool) {
	for i, c := range f.c.table.Constraints {
		if i != f.target && f.values[c.Root] != 0 {
			return defect{c.Root, 0}, true
		}
	}
	for i := range f.c.table.Interactions {
		x := &f.c.table.Interactions[i]
		token := x.Bus.Kind != air.Lookup
		if x.Bus.Name == "M" && f.another {
			continue
		}
		if token && x.Kind == air.Send || len(f.c.table.Constraints)+i == f.target {
			continue
		}
		changed := defect{-1, 0}
		for k, v := range x.Values {
			isTime := token && k == 1 && (x.Bus.Name == "R" || x.Bus.Name == "M")
			if !isTime && f.values[v] != f.honest[v] {
				changed = defect{v, f.honest[v]}
				break
			}
		}
		if token && !f.twice() && f.values[x.Multiplicity] != f.honest[x.Multiplicity] {
			changed = defect{x.Multiplicity, f.honest[x.Multiplicity]}
		}
		if changed.node < 0 || f.values[x.Multiplicity] == 0 {
			continue
		}
		if token || x.Bus.Name == "P" || !f.c.answered(f.s, nil, i, f.values) {
			return changed, true
		}
	}
	return d, false
}

func (f *forger) refused() bool {
	if f.target < len(f.c.table.Constraints) {
		return f.values[f.c.table.Constraints[f.target].Root] != 0
	}
	return !f.c.answered(f.s, nil, f.target-len(f.c.table.Constraints), f.values)
}

// twice reports whether the target is what keeps rows from counting twice.
func (f *forger) twice() bool {
	return f.target < len(f.c.table.Constraints) && f.c.table.Constraints[f.target].Name == "m is boolean"
}

// leaves reports whether the forger leaves a column unchanged.
func (f *forger) leaves(c int) bool {
	name := f.c.table.Main[c]
	return name == "ts" || name == "pc" || name == "m" && !f.twice()
}

// roots are the nodes that the target reads.
func (f *forger) roots() []air.NodeID {
	if n := len(f.c.table.Constraints); f.target >= n {
		return f.c.table.Interactions[f.target-n].Values
	}
	return []air.NodeID{f.c.table.Constraints[f.target].Root}
}

// forge searches for rows that only the target refuses, and calls found with the nodes of each until it returns true.
func (f *forger) forge(found func(values []goldilocks.Element) (enough bool)) bool {
	var columns []int
	for _, root := range f.roots() {
		columns = append(columns, f.c.reads[root]...)
	}
	own := len(columns)
	for c := range f.c.table.Main {
		if !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	for k, c := range columns {
		if k == own && f.recut(columns[:own], found) {
			return true
		}
		if f.leaves(c) {
			continue
		}
		cell := &f.in.Trace.Main[c][f.at]
		before := *cell
		for _, v := range f.starts(c, before) {
			*cell = v
			f.evaluate()
			f.tries = 20
			if v != before && f.mend(4, found, cell) {
				*cell = before
				return true
			}
		}
		*cell = before
	}
	return false
}

// recut moves value between halves or bytes, columns name0, name1 and so on, so that one of them is out of range and
// their number stays the same.
func (f *forger) recut(columns []int, found func(values []goldilocks.Element) bool) bool {
	for _, c := range columns {
		for _, next := range []int{c - 1, c + 1} {
			if next < 0 || next >= len(f.c.table.Main) {
				continue
			}
			if names := f.c.table.Main; !areDigits(names[min(c, next)], names[max(c, next)]) {
				continue
			}
			low, high := &f.in.Trace.Main[min(c, next)][f.at], &f.in.Trace.Main[max(c, next)][f.at]
			was, above := *low, *high
			for _, base := range []goldilocks.Element{1 << 16, 1 << 8} {
				for _, change := range [][2]goldilocks.Element{
					{base, goldilocks.Element(1).Neg()}, {goldilocks.Element(1).Neg(), base.Inverse()}, {1, base.Inverse().Neg()},
				} {
					*low, *high = was.Add(change[0]), above.Add(change[1])
					f.evaluate()
					f.tries = 10
					if f.mend(3, found, low, high) {
						*low, *high = was, above
						return true
					}
				}
			}
			*low, *high = was, above
		}
	}
	return false
}

// areDigits reports whether columns are two consecutive digits of a number.
func areDigits(low, high string) bool {
	n, m := len(low)-1, len(high)-1
	return n > 0 && m > 0 && strings.TrimRight(low, "0123456789") == strings.TrimRight(high, "0123456789") &&
		!strings.HasPrefix(low, "p")
}

// starts are other values of a column's cell: values that put the target's argument out of range, near ones, other
// digits.
func (f *forger) starts(c int, before goldilocks.Element) (list []goldilocks.Element) {
	cell, one := &f.in.Trace.Main[c][f.at], goldilocks.Element(1)
	if before <= 1 {
		list = append(list, one.Sub(before))
	}
	for _, root := range f.roots() {
		for _, bad := range []goldilocks.Element{one.Neg(), one.Neg().Double(), 1 << 16, 1 << 20} {
			if f.target < len(f.c.table.Constraints) || !slices.Contains(f.c.reads[root], c) {
				break
			}
			if v, ok := f.solve(cell, defect{root, bad}); ok {
				list = append(list, v)
			}
		}
	}
	*cell = before
	return append(list, before.Add(1), before.Sub(1), before.Add(256), before.Add(1<<16), 2, 0)
}

// solve finds the value of a cell for which a node, linear in it, has a given value, and sets the cell.
func (f *forger) solve(cell *goldilocks.Element, d defect) (v goldilocks.Element, ok bool) {
	*cell = 0
	f.evaluate()
	first := f.values[d.node]
	*cell = 1
	f.evaluate()
	slope := f.values[d.node].Sub(first)
	if slope == 0 {
		return 0, false
	}
	*cell = d.want.Sub(first).Mul(slope.Inverse())
	f.evaluate()
	return *cell, f.values[d.node] == d.want
}

func (f *forger) mend(depth int, found func(values []goldilocks.Element) bool, taken ...*goldilocks.Element) bool {
	d, ok := f.defect()
	if !ok {
		return f.refused() && found(f.values)
	}
	if f.tries--; depth == 0 || f.tries < 0 {
		return false
	}
	for _, c := range f.c.reads[d.node] {
		cell := &f.in.Trace.Main[c][f.at]
		if slices.Contains(taken, cell) || f.leaves(c) {
			continue
		}
		before := *cell
		_, ok := f.solve(cell, d)
		if ok && f.mend(depth-1, found, append(slices.Clone(taken), cell)...) {
			*cell = before
			return true
		}
		*cell = before
		if f.mendLimb(d, depth, c, found, taken...) {
			return true
		}
		f.evaluate()
	}
	return false
}

// mendLimb is mend by a limb, name0 and name1.
func (f *forger) mendLimb(d defect, depth, c int, found func(values []goldilocks.Element) bool,
	taken ...*goldilocks.Element) bool {
	name, isLow := strings.CutSuffix(f.c.table.Main[c], "0")
	k := column(f.c.table, name+"1")
	if !isLow || k < 0 || strings.HasPrefix(name, "p") {
		return false
	}
	low, high := &f.in.Trace.Main[c][f.at], &f.in.Trace.Main[k][f.at]
	was, above := *low, *high
	defer func() { *low, *high = was, above }()
	*high = 0
	v, ok := f.solve(low, d)
	if !ok || v >= w || slices.Contains(taken, high) {
		return false
	}
	*low, *high = v&0xffff, v>>16
	f.evaluate()
	return f.mend(depth-1, found, append(slices.Clone(taken), low, high)...)
}
