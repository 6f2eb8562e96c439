package table

// Cells is what a row of a table takes, in committed elements of the field, main and auxiliary.
//
// A test holds them to the tables' declarations.
func Cells(t Table) int { return cells[t] }

var cells = [Count]int{
	J:        10,
	UJ:       19,
	MV:       26,
	ADDI:     34,
	ADDIQ:    24,
	ADDIW:    33,
	ADD:      43,
	SUB:      48,
	LOGR:     66,
	LOGI:     40,
	SHI:      51,
	SHWI:     44,
	SHR:      66,
	SHWR:     60,
	BEQZ:     19,
	BEQ:      29,
	BLTU:     34,
	BLT:      44,
	SLTU:     42,
	SLT:      52,
	JALR:     27,
	JR:       17,
	LD:       36,
	LW:       44,
	LBH:      50,
	SD:       36,
	SW:       39,
	SBH:      54,
	MUL:      67,
	MULHU:    81,
	MULH:     100,
	DIV:      108,
	Halt:     22,
	Call:     36,
	Unal:     104,
	Refresh:  8,
	Boundary: 11,
	Private:  15,
	Register: 6,
	Image:    3,
	Program:  4,
}

// Fixed are the lookup tables that every proof has, R20, R16, SGN, B8 and SH: their log heights, and the cells of a
// row.
var Fixed = []struct{ Log, Cells int }{{16, 40}, {16, 4}, {16, 5}, {16, 10}, {8, 4}}

// QuotientCells is what a row of a height takes, whatever instances have the height.
const QuotientCells = 6
