package instances

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// mix is how many rows each table has in a thousand cycles of an ordinary program.
func mix() (rows [table.Count]int) {
	for t := range rows {
		rows[t] = table.Table(t).Family().PerMille
	}
	return rows
}

// Mixed are the rows of each table in so many cycles of the mix.
func Mixed(cycles uint64) [table.Count]int { return Scaled(mix(), 1000, cycles) }

// Scaled are the rows of a run of `to` cycles that does the same as one of `from` cycles with these rows, for longer.
// Tables whose rows are a program's, or the end's, stay as they are.
func Scaled(rows [table.Count]int, from, to uint64) [table.Count]int {
	for t := range rows {
		if t := table.Table(t); !single(t) || t == table.Boundary || t == table.Private {
			rows[t] = int((uint64(rows[t])*to + from - 1) / from)
		}
	}
	return rows
}
