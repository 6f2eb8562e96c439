package instances

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// mix is how many rows each table has in a thousand cycles of an ordinary program: of its instructions 30 % add, 25 %
// load and store, 15 % branch, 10 % shift, 3 % multiply or divide, and 17 % are logic, comparisons, constants, moves
// and jumps. Beside them stand 0.12 words of memory a cycle that are touched at all, which just fit at 2^27 cycles, a
// few repeated registers and words of private input.
var mix = [table.Count]int{
	table.ADD:      80,
	table.ADDI:     100,
	table.ADDIQ:    70,
	table.ADDIW:    30,
	table.SUB:      20,
	table.LD:       100,
	table.LW:       40,
	table.LBH:      30,
	table.SD:       50,
	table.SW:       19,
	table.SBH:      10,
	table.Unal:     1,
	table.BEQZ:     40,
	table.BEQ:      50,
	table.BLTU:     40,
	table.BLT:      20,
	table.SHI:      60,
	table.SHWI:     20,
	table.SHR:      10,
	table.SHWR:     10,
	table.MUL:      24,
	table.MULHU:    4,
	table.MULH:     1,
	table.DIV:      1,
	table.LOGR:     40,
	table.LOGI:     30,
	table.SLTU:     15,
	table.SLT:      5,
	table.MV:       30,
	table.UJ:       20,
	table.J:        10,
	table.JALR:     10,
	table.JR:       10,
	table.Boundary: 120,
	table.Refresh:  1,
	table.Private:  1,
}

// Mixed are the rows of each table in so many cycles of the mix.
func Mixed(cycles uint64) [table.Count]int { return Scaled(mix, 1000, cycles) }

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
