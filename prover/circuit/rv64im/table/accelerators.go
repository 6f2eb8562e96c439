package table

import "fmt"

// MaxAccelerators is the largest number of accelerators of a machine.
const MaxAccelerators = 24

// Accelerator describes an accelerator's tables.
type Accelerator struct {
	Calls string // the name of the table of calls, which has a row for each call
	Cells int    // of a row
	Work  *Work  // the table in which a call takes several rows; nil if its row of Calls proves everything
}

// Work is a table in which a call of an accelerator takes several rows, all in one instance.
type Work struct {
	Name      string
	Cells     int // of a row
	Rows      int // that a call takes
	Instances int // at most: each opens all its columns at every query

	Table, Calls Table // given by [Add]
}

// listed are the accelerators in the order of their numbers.
var listed []Accelerator

// Add assigns numbers to the tables of an accelerator; work is 0 without a table Work. Package all calls Add during
// initialization.
func Add(a Accelerator) (calls, work Table) {
	if len(listed) == MaxAccelerators {
		panic(fmt.Sprintf("table: accelerator %s exceeds the maximum of %d accelerators", a.Calls, MaxAccelerators))
	}
	calls = FirstCalls + Table(len(listed))
	name(calls, a.Calls)
	families[calls].Cells, families[calls].Shape = a.Cells, ShapeCall
	if a.Work != nil {
		own := *a.Work
		own.Table, own.Calls = FirstWork+Table(len(listed)), calls
		a.Work, work = &own, own.Table
		name(work, own.Name)
		families[work].Cells = own.Cells
	}
	listed = append(listed, a)
	return calls, work
}

// name names a table. It panics if the name is empty or taken.
func name(t Table, s string) {
	for other := range families {
		if taken := families[other].Name; s == "" || s == taken {
			panic(fmt.Sprintf("table: name %[2]q of table %[1]d is empty or belongs to table %[3]d", t, s, other))
		}
	}
	families[t].Name = s
}

// EndOfCalls returns the number after the last table of calls.
func EndOfCalls() Table { return FirstCalls + Table(len(listed)) }

// WorkOf returns the description of a table in which calls take several rows, or false for other tables.
func WorkOf(t Table) (Work, bool) {
	if t < FirstWork || t >= FirstWork+Table(len(listed)) || listed[t-FirstWork].Work == nil {
		return Work{}, false
	}
	return *listed[t-FirstWork].Work, true
}
