// Package table names and numbers the tables of the RISC-V machine.
//
// The first numbers are those that program rows carry, so they are part of a program's identity
// and never change. The others are this project's own order.
package table

import "github.com/chiasmus/chiasmus/prover/air"

// Table is a table of the machine: an instruction family, or bookkeeping.
type Table uint8

// The instruction families, by the number that a program row carries.
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
	// ECALLS is what the program row of an ECALL says: which of the tables Halt and Call proves it is decided by a7.
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

// RowsOfRecord is how many rows of a table one record takes.
func RowsOfRecord(t Table) int {
	if w, ok := WorkOf(t); ok {
		return w.Rows
	}
	return 1
}

// MaxInstances is the most instances of a table that may have several.
func MaxInstances(t Table) int {
	if w, ok := WorkOf(t); ok {
		return w.Instances
	}
	return air.MaxInstances
}

var names = [Count]string{
	J:        "J",
	UJ:       "UJ",
	MV:       "MV",
	ADDI:     "ADDI",
	ADDIQ:    "ADDIQ",
	ADDIW:    "ADDIW",
	ADD:      "ADD",
	SUB:      "SUB",
	LOGR:     "LOGR",
	LOGI:     "LOGI",
	SHI:      "SHI",
	SHWI:     "SHWI",
	SHR:      "SHR",
	SHWR:     "SHWR",
	BEQZ:     "BEQZ",
	BEQ:      "BEQ",
	BLTU:     "BLTU",
	BLT:      "BLT",
	SLTU:     "SLTU",
	SLT:      "SLT",
	JALR:     "JALR",
	JR:       "JR",
	LD:       "LD",
	LW:       "LW",
	LBH:      "LBH",
	SD:       "SD",
	SW:       "SW",
	SBH:      "SBH",
	MUL:      "MUL",
	MULHU:    "MULHU",
	MULH:     "MULH",
	DIV:      "DIV",
	ECALLS:   "ECALL",
	Halt:     "HALT",
	Call:     "CALL",
	Unal:     "UNAL",
	Refresh:  "REFRESH",
	Boundary: "MB",
	Private:  "PRIV",
	Register: "REG",
	Image:    "IMAGE",
	Program:  "PROGRAM",
}

func (t Table) String() string { return names[t] }

// Branch reports whether the table's program rows come in pairs, one for each outcome.
func (t Table) Branch() bool { return BEQZ <= t && t <= BLT }
