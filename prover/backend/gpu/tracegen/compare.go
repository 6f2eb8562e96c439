package tracegen

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Mismatch is a cell that the device and the host filled differently.
type Mismatch struct {
	Column       string
	Row          uint64
	Padding      bool // the row has no record
	Device, Host goldilocks.Element
}

// MismatchError lists where two generators of one table differ.
type MismatchError struct {
	Table   string
	Cells   uint64     // that differ
	Records uint64     // of them in rows with a record; the others are padding
	Columns []string   // that have such cells, in order
	First   []Mismatch // the first cell of each column, for the first columns
}

// shownColumns is how many columns an error lists.
const shownColumns = 8

func (e *MismatchError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "table %s: %d cells differ between device and host, %d in rows with a record and %d in padding, in %d columns", e.Table, e.Cells,
		e.Records, e.Cells-e.Records, len(e.Columns))
	for _, m := range e.First {
		kind := "a record's"
		if m.Padding {
			kind = "padding"
		}
		fmt.Fprintf(&text, "; %s, row %d (%s): device %d, host %d", m.Column, m.Row, kind, uint64(m.Device), uint64(m.Host))
	}
	if more := len(e.Columns) - len(e.First); more > 0 {
		fmt.Fprintf(&text, "; and %d further columns", more)
	}
	return text.String()
}

// Compare compares the columns of a table cell by cell. The first recordRows rows have a record. The error is a
// [*MismatchError].
func Compare(table string, names []string, device, host [][]goldilocks.Element, recordRows uint64) error {
	if len(device) != len(names) || len(host) != len(names) {
		return fmt.Errorf("table %s: %d columns on the device and %d on the host, want %d", table, len(device), len(host), len(names))
	}
	found := &MismatchError{Table: table}
	for i, name := range names {
		if len(device[i]) != len(host[i]) {
			return fmt.Errorf("table %s: column %s has %d rows on the device and %d on the host", table, name, len(device[i]), len(host[i]))
		}
		found.compareColumn(name, device[i], host[i], recordRows)
	}
	if found.Cells > 0 {
		return found
	}
	return nil
}

func (e *MismatchError) compareColumn(name string, device, host []goldilocks.Element, recordRows uint64) {
	first := true
	for row := range device {
		if device[row] == host[row] {
			continue
		}
		padding := uint64(row) >= recordRows
		e.Cells++
		if !padding {
			e.Records++
		}
		if first && len(e.First) < shownColumns {
			e.First = append(e.First, Mismatch{Column: name, Row: uint64(row), Padding: padding, Device: device[row], Host: host[row]})
		}
		if first {
			e.Columns = append(e.Columns, name)
		}
		first = false
	}
}
