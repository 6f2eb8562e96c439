package rv64im

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// MaxRows is the most rows of table PROGRAM; a branch takes two.
const MaxRows = 1 << maxProgramLogHeight

// Program is what a program brings to the machine: the contents of the tables PROGRAM and IMAGE.
type Program struct {
	Rows  []Row            // by address; of a branch first the outcome false
	Image []memorymap.Word // words that the file's bytes touch, ascending
}

// Row is a row of the table PROGRAM. Fields that its table does not use are 0.
type Row struct {
	PC           uint32
	Table        table.Table
	Rd, Rs1, Rs2 uint8
	K            [6]goldilocks.Element
}

// Heights are the log heights of a program's tables.
type Heights struct{ Image, Program int }

// Heights are the least that the program fits.
func (p *Program) Heights() Heights {
	fit := func(rows int) int { return max(bits.Len(uint(max(rows, 1)-1)), minLogHeight) }
	return Heights{Image: fit(len(p.Image)), Program: fit(len(p.Rows))}
}
