// Package table names, numbers and describes ([Family]) the tables of the RISC-V machine.
//
// Program rows contain the numbers up to ECALLS, so these are part of a program's identity and never change. The other
// numbers may change.
package table

import "github.com/chiasmus/chiasmus/prover/air"

// Table is a table of the machine: an instruction family, or bookkeeping.
type Table uint8

// The instruction families, by the number in a program row.
const (
	J     Table = 1 + iota // jumps without a link, and what changes no register
	UJ                     // constants: LUI, AUIPC, JAL, ADDI from x0
	MV                     // moves
	ADDI                   // additions of a constant
	ADDIQ                  // the same in place, rd = rs1
	ADDIW
	ADD
	SUB // SUB, ADDW, SUBW
	LOGR
	LOGI
	SHI
	SHWI
	SHR
	SHWR
	BEQZ
	BEQ
	BLTU
	BLT
	SLTU
	SLT
	JALR
	JR
	LD
	LW
	LBH
	SD
	SW
	SBH
	MUL
	MULHU
	MULH
	DIV
	// ECALLS is the number in the program row of an ECALL. a7 determines whether table Halt or Call proves it.
	ECALLS
)

// The tables that no program row names.
const (
	Halt       Table = ECALLS + 1 + iota // ECALL that ends the program
	Call                                 // ECALL of an accelerator, or a note
	Unal                                 // loads and stores that are not naturally aligned
	FirstCalls                           // calls of accelerators, a table each: see [Add]
	FirstWork  = FirstCalls + MaxAccelerators
	Refresh    = FirstWork + MaxAccelerators // repeats a register's token where accesses are too far apart
	Boundary   = Refresh + 1                 // first and last token of every touched word
	Private    = Boundary + 1                // words of the private input
	Register   = Private + 1                 // first and last token of every register
	Image      = Register + 1                // words of the image
	Program    = Image + 1                   // program rows
	Count      = int(Program) + 1
)

// RowsOfRecord returns the number of rows of a table that one record takes.
func RowsOfRecord(t Table) int {
	if w, ok := WorkOf(t); ok {
		return w.Rows
	}
	return 1
}

// MaxInstances returns the maximum number of instances of a table that may have several.
func MaxInstances(t Table) int {
	if w, ok := WorkOf(t); ok {
		return w.Instances
	}
	return air.MaxInstances
}

// Branch reports whether the table's program rows come in pairs, one for each outcome.
func (t Table) Branch() bool { return BEQZ <= t && t <= BLT }

// families are the tables, by their numbers.
var families = [Count]Family{
	J:        {Name: "J", Shape: ShapePlain, Row: "jump", Cells: 10, PerMille: 10},
	UJ:       {Name: "UJ", Shape: ShapeConstant, Row: "constant", Cells: 19, PerMille: 20},
	MV:       {Name: "MV", Shape: ShapeUnary, Row: "move", Cells: 26, PerMille: 30},
	ADDI:     {Name: "ADDI", Shape: ShapeUnary, Row: "addConstant", Cells: 34, PerMille: 100},
	ADDIQ:    {Name: "ADDIQ", Shape: ShapeUnary, Row: "addInPlace", Cells: 24, PerMille: 70},
	ADDIW:    {Name: "ADDIW", Shape: ShapeUnary, Row: "addConstant32", Cells: 33, PerMille: 30},
	ADD:      {Name: "ADD", Shape: ShapeBinary, Row: "add", Cells: 43, PerMille: 80},
	SUB:      {Name: "SUB", Shape: ShapeBinary, Row: "subtract", Cells: 48, PerMille: 20},
	LOGR:     {Name: "LOGR", Shape: ShapeBinary, Row: "logic", Cells: 66, PerMille: 40},
	LOGI:     {Name: "LOGI", Shape: ShapeUnary, Row: "logicConstant", Cells: 40, PerMille: 30},
	SHI:      {Name: "SHI", Shape: ShapeUnary, Row: "shiftConstant", Cells: 51, PerMille: 60},
	SHWI:     {Name: "SHWI", Shape: ShapeUnary, Row: "shiftConstant32", Cells: 44, PerMille: 20},
	SHR:      {Name: "SHR", Shape: ShapeBinary, Row: "shiftRegister", Cells: 66, PerMille: 10},
	SHWR:     {Name: "SHWR", Shape: ShapeBinary, Row: "shiftRegister32", Cells: 60, PerMille: 10},
	BEQZ:     {Name: "BEQZ", Shape: ShapeBranch, Row: "ifZero", Cells: 19, PerMille: 40},
	BEQ:      {Name: "BEQ", Shape: ShapeBranch, Row: "ifEqual", Cells: 29, PerMille: 50},
	BLTU:     {Name: "BLTU", Shape: ShapeBranch, Row: "ifLess", Cells: 34, PerMille: 40},
	BLT:      {Name: "BLT", Shape: ShapeBranch, Row: "ifLessSigned", Cells: 44, PerMille: 20},
	SLTU:     {Name: "SLTU", Shape: ShapeBinary, Row: "setLess", Cells: 42, PerMille: 15},
	SLT:      {Name: "SLT", Shape: ShapeBinary, Row: "setLessSigned", Cells: 52, PerMille: 5},
	JALR:     {Name: "JALR", Shape: ShapeUnary, Row: "jumpRegisterLink", Cells: 27, PerMille: 10},
	JR:       {Name: "JR", Shape: ShapeBranch, Row: "jumpRegister", Cells: 17, PerMille: 10},
	LD:       {Name: "LD", Shape: ShapeLoad, Row: "loadDouble", Cells: 36, PerMille: 100},
	LW:       {Name: "LW", Shape: ShapeLoad, Row: "loadWord", Cells: 44, PerMille: 40},
	LBH:      {Name: "LBH", Shape: ShapeLoad, Row: "loadSmall", Cells: 50, PerMille: 30},
	SD:       {Name: "SD", Shape: ShapeStore, Row: "storeDouble", Cells: 36, PerMille: 50},
	SW:       {Name: "SW", Shape: ShapeStore, Row: "storeWord", Cells: 39, PerMille: 19},
	SBH:      {Name: "SBH", Shape: ShapeStore, Row: "storeSmall", Cells: 54, PerMille: 10},
	MUL:      {Name: "MUL", Shape: ShapeBinary, Row: "multiply", Cells: 67, PerMille: 24},
	MULHU:    {Name: "MULHU", Shape: ShapeBinary, Row: "multiplyHigh", Cells: 81, PerMille: 4},
	MULH:     {Name: "MULH", Shape: ShapeBinary, Row: "multiplyHighSigned", Cells: 100, PerMille: 1},
	DIV:      {Name: "DIV", Shape: ShapeBinary, Row: "divide", Cells: 108, PerMille: 1},
	ECALLS:   {Name: "ECALL"},
	Halt:     {Name: "HALT", Shape: ShapeHalt, Row: "halt", Cells: 22},
	Call:     {Name: "CALL", Shape: ShapeCall, Row: "call", Cells: 36},
	Unal:     {Name: "UNAL", Shape: ShapeLoad, Row: "unaligned", Cells: 104, PerMille: 1},
	Refresh:  {Name: "REFRESH", Cells: 8, PerMille: 1},
	Boundary: {Name: "MB", Cells: 11, PerMille: 120},
	Private:  {Name: "PRIV", Cells: 15, PerMille: 1},
	Register: {Name: "REG", Cells: 6},
	Image:    {Name: "IMAGE", Cells: 3},
	Program:  {Name: "PROGRAM", Cells: 4},
}
