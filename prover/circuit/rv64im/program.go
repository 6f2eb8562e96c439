package rv64im

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// MaxRows is the maximum number of rows of table PROGRAM; a branch takes two.
const MaxRows = 1 << maxProgramLogHeight

// Program has the contents of a program's tables, PROGRAM and IMAGE.
type Program struct {
	Rows  []Row            // by address; a branch has two, first the outcome false
	Image []memorymap.Word // words that contain bytes of the file, ascending
}

// Row is a row of the table PROGRAM. Fields that the instruction's table does not use are 0.
type Row struct {
	PC           uint32
	Table        table.Table
	Rd, Rs1, Rs2 uint8
	K            [6]goldilocks.Element
}

// Heights are the log heights of a program's tables.
type Heights struct{ Image, Program int }

// Heights returns the least heights for the program.
func (p *Program) Heights() Heights {
	fit := func(rows int) int { return max(bits.Len(uint(max(rows, 1)-1)), minLogHeight) }
	return Heights{Image: fit(len(p.Image)), Program: fit(len(p.Rows))}
}

// Fill sets the heights and the preprocessed columns of the program's tables, for a machine whose tables were unpacked
// instead of declared for the program.
func (p *Program) Fill(tables []*air.Table) {
	heights := p.Heights()
	for _, t := range tables {
		switch t.Name {
		case table.Image.String():
			t.PreprocessedLogHeight, t.FillPreprocessed = heights.Image, imageColumns(p.Image)
		case table.Program.String():
			t.PreprocessedLogHeight, t.FillPreprocessed = heights.Program, programColumns(p)
		}
	}
}
