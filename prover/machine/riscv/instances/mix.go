package instances

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// mix returns the number of rows of each table in a thousand cycles of an ordinary program.
func mix() (rows [table.Count]int) {
	for t := range rows {
		rows[t] = table.Table(t).Family().PerMille
	}
	return rows
}

// Mixed returns the rows of each table in this number of cycles of an ordinary program.
func Mixed(cycles uint64) [table.Count]int { return Scaled(mix(), 1000, cycles) }

// Scaled returns the rows of a run of `to` cycles with the same mix as a run of `from` cycles with these rows. Tables
// of the program and the end are unchanged.
func Scaled(rows [table.Count]int, from, to uint64) [table.Count]int {
	for t := range rows {
		if t := table.Table(t); !single(t) || t == table.Boundary || t == table.Private {
			rows[t] = int((uint64(rows[t])*to + from - 1) / from)
		}
	}
	return rows
}
