package independent

// From instructions to rows of PROGRAM: section 12, "The program's columns".

// Numbers of tables.
const (
	tableJ = 1 + iota
	tableUJ
	tableMV
	tableADDI
	tableADDIQ
	tableADDIW
	tableADD
	tableSUB
	tableLOGR
	tableLOGI
	tableSHI
	tableSHWI
	tableSHR
	tableSHWR
	tableBEQZ
	tableBEQ
	tableBLTU
	tableBLT
	tableSLTU
	tableSLT
	tableJALR
	tableJR
	tableLD
	tableLW
	tableLBH
	tableSD
	tableSW
	tableSBH
	tableMUL
	tableMULHU
	tableMULH
	tableDIV
	tableECALLS
)

// signed returns an integer as an element.
func signed(v int64) uint64 {
	if v < 0 {
		return p - uint64(-v)
	}
	return uint64(v)
}

func low(v int64) uint64  { return uint64(v) & 0xffffffff }
func high(v int64) uint64 { return uint64(v) >> 32 }

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// word is an instruction's word with its fields.
type word struct {
	pc                                  int64
	major, rd, funct3, rs1, rs2, funct7 uint64
	i, s, b, u, j                       int64 // constants of the five formats
}

func fields(pc uint64, w uint32) word {
	x, top := uint64(w), int64(int32(w))
	return word{int64(pc), x & 127, x >> 7 & 31, x >> 12 & 7, x >> 15 & 31, x >> 20 & 31, x >> 25,
		top >> 20,
		top>>25<<5 | int64(x>>7&31),
		top>>31<<12 | int64(x>>7&1)<<11 | int64(x>>25&63)<<5 | int64(x>>8&15)<<1,
		top >> 12 << 12,
		top>>31<<20 | int64(x>>12&255)<<12 | int64(x>>20&1)<<11 | int64(x>>21&1023)<<1}
}

// row returns a row with constants k and zeros.
func (w *word) row(table, rd, rs1, rs2 uint64, k ...uint64) [][]uint64 {
	row := make([]uint64, 12)
	copy(row, []uint64{uint64(w.pc), table, rd, rs1, rs2})
	copy(row[5:], k)
	row[11] = 1
	return [][]uint64{row}
}

func (w *word) idle() [][]uint64 { return w.row(tableJ, 0, 0, 0, signed(w.pc+4)) }

func (w *word) constant(v int64) [][]uint64 {
	if w.rd == 0 {
		return w.idle()
	}
	return w.row(tableUJ, w.rd, 0, 0, signed(w.pc+4), low(v), high(v))
}

// lower returns the rows of the word at pc, or nil if the word is not an instruction.
func lower(pc uint64, code uint32) [][]uint64 {
	w := fields(pc, code)
	switch w.major {
	case 0x37:
		return w.constant(w.u)
	case 0x17:
		return w.constant(w.pc + w.u)
	case 0x6f:
		if w.rd == 0 {
			return w.row(tableJ, 0, 0, 0, signed(w.pc+w.j))
		}
		return w.row(tableUJ, w.rd, 0, 0, signed(w.pc+w.j), low(w.pc+4), high(w.pc+4))
	case 0x67:
		switch {
		case w.funct3 != 0:
			return nil
		case w.rd == 0:
			return w.row(tableJR, 0, w.rs1, 0, signed(w.i))
		}
		return w.row(tableJALR, w.rd, w.rs1, 0, signed(w.i))
	case 0x63:
		return w.branch()
	case 0x03:
		return w.load()
	case 0x23:
		if w.funct3 > 3 {
			return nil
		}
		table := []uint64{tableSBH, tableSBH, tableSW, tableSD}[w.funct3]
		return w.row(table, 0, w.rs1, w.rs2, signed(w.s), 0, flag(w.funct3 == 0))
	case 0x0f:
		if w.funct3 == 0 {
			return w.idle()
		}
		return nil
	case 0x13, 0x1b, 0x33, 0x3b:
		rows := w.value()
		if rows != nil && w.rd == 0 {
			return w.idle()
		}
		return rows
	}
	if code == 0x73 {
		return w.row(tableECALLS, 0, 0, 0)
	}
	return nil
}

func (w *word) branch() [][]uint64 {
	table := []uint64{tableBEQ, tableBEQ, 0, 0, tableBLT, tableBLT, tableBLTU, tableBLTU}[w.funct3]
	rs1, rs2 := w.rs1, w.rs2
	if table == 0 {
		return nil
	}
	if table == tableBEQ && (rs1 == 0 || rs2 == 0) {
		table, rs1, rs2 = tableBEQZ, rs1+rs2, 0
	}
	taken := 1 - w.funct3&1 // the outcome that branches
	var rows [][]uint64
	for outcome := range uint64(2) {
		to := w.pc + 4
		if outcome == taken {
			to = w.pc + w.b
		}
		rows = append(rows, w.row(table, 0, rs1, rs2, outcome, signed(to))...)
	}
	return rows
}

func (w *word) load() [][]uint64 {
	if w.funct3 == 7 {
		return nil
	}
	table := []uint64{tableLBH, tableLBH, tableLW, tableLD, tableLBH, tableLBH, tableLW}[w.funct3]
	rd := w.rd
	if rd == 0 {
		rd = 32
	}
	return w.row(table, rd, w.rs1, 0, signed(w.i), flag(w.funct3 < 3), flag(w.funct3&3 == 0))
}

// value returns the rows of an instruction that computes a value. With rd = x0 it is idle.
func (w *word) value() [][]uint64 {
	switch w.major {
	case 0x13:
		return w.constantOperand()
	case 0x1b:
		return w.constantOperand32()
	case 0x33:
		return w.registers()
	}
	return w.registers32()
}

func (w *word) constantOperand() [][]uint64 {
	one := func(table uint64, k ...uint64) [][]uint64 { return w.row(table, w.rd, w.rs1, 0, k...) }
	s := flag(w.i < 0)
	logic := func(op, ka, kb uint64) [][]uint64 {
		return one(tableLOGI, op, uint64(w.i)&255, uint64(w.i)>>8&255, ka, kb)
	}
	switch w.funct3 {
	case 0:
		switch {
		case w.rs1 == 0:
			return w.constant(w.i)
		case w.rd == w.rs1 && w.i == 0:
			return w.idle()
		case w.i == 0:
			return one(tableMV)
		case w.rd == w.rs1:
			return w.row(tableADDIQ, w.rd, 0, 0, signed(w.i))
		}
		return one(tableADDI, signed(w.i))
	case 2:
		return one(tableSLT, low(w.i), high(w.i))
	case 3:
		return one(tableSLTU, low(w.i), high(w.i))
	case 4:
		if s == 1 {
			return logic(2, p-1, 1)
		}
		return logic(2, 1, 0)
	case 6:
		return logic(1, 1-s, s)
	case 7:
		return logic(0, s, 0)
	}
	amount, above := uint64(w.i)&63, uint64(w.i)>>6&63
	switch {
	case w.funct3 == 1 && above == 0:
		return one(tableSHI, append(shiftOf(0, amount)[:4], 0, 0)...)
	case w.funct3 == 5 && (above == 0 || above == 16):
		return one(tableSHI, append(shiftOf(2, amount)[:4], 1, flag(above == 16))...)
	}
	return nil
}

func (w *word) constantOperand32() [][]uint64 {
	one := func(table uint64, k ...uint64) [][]uint64 { return w.row(table, w.rd, w.rs1, 0, k...) }
	switch {
	case w.funct3 == 0 && w.rs1 == 0:
		return w.constant(w.i)
	case w.funct3 == 0:
		return one(tableADDIW, signed(w.i))
	case w.funct3 == 1 && w.funct7 == 0:
		return one(tableSHWI, shiftOf(4, w.rs2)...)
	case w.funct3 == 5 && w.funct7 == 0:
		return one(tableSHWI, shiftOf(5, w.rs2)...)
	case w.funct3 == 5 && w.funct7 == 32:
		return one(tableSHWI, shiftOf(6, w.rs2)...)
	}
	return nil
}

// shiftOf returns SH's factor and flags for a kind and an amount.
func shiftOf(kind, amount uint64) []uint64 {
	a, r := amount/16, amount%16
	factor := uint64(1) << (16 - r)
	if kind == 0 || kind == 4 {
		factor = 1 << r
	}
	if kind < 4 {
		return []uint64{factor, flag(a == 1), flag(a == 2), flag(a == 3), 0, 0}
	}
	return []uint64{factor, flag(kind == 4 && a == 0), flag(kind == 4 && a == 1), flag(kind == 5 && a == 0),
		flag(kind == 6 && a == 0), flag(kind == 6 && a == 1)}
}

func (w *word) registers() [][]uint64 {
	two := func(table uint64, k ...uint64) [][]uint64 { return w.row(table, w.rd, w.rs1, w.rs2, k...) }
	switch w.funct7<<3 | w.funct3 {
	case 0:
		if w.rs1 == 0 || w.rs2 == 0 {
			return w.row(tableMV, w.rd, w.rs1+w.rs2, 0)
		}
		return two(tableADD)
	case 32 << 3:
		return two(tableSUB, 1, 0)
	case 1:
		return two(tableSHR, 0, 0)
	case 2:
		return two(tableSLT)
	case 3:
		return two(tableSLTU)
	case 4:
		return two(tableLOGR, 2)
	case 5:
		return two(tableSHR, 1, 0)
	case 32<<3 | 5:
		return two(tableSHR, 1, 1)
	case 6:
		return two(tableLOGR, 1)
	case 7:
		return two(tableLOGR, 0)
	}
	if w.funct7 != 1 {
		return nil
	}
	switch w.funct3 {
	case 0:
		return two(tableMUL, 0)
	case 1, 2:
		return two(tableMULH, 2-w.funct3)
	case 3:
		return two(tableMULHU)
	}
	return two(tableDIV, 1-w.funct3&1, 0, w.funct3>>1&1)
}

func (w *word) registers32() [][]uint64 {
	two := func(table uint64, k ...uint64) [][]uint64 { return w.row(table, w.rd, w.rs1, w.rs2, k...) }
	switch w.funct7<<3 | w.funct3 {
	case 0:
		return two(tableSUB, 0, 1)
	case 32 << 3:
		return two(tableSUB, 1, 1)
	case 1:
		return two(tableSHWR, 4)
	case 5:
		return two(tableSHWR, 5)
	case 32<<3 | 5:
		return two(tableSHWR, 6)
	case 1 << 3:
		return two(tableMUL, 1)
	case 1<<3 | 4, 1<<3 | 5, 1<<3 | 6, 1<<3 | 7:
		return two(tableDIV, 1-w.funct3&1, 1, w.funct3>>1&1)
	}
	return nil
}
