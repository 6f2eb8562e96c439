package record

// Plain is an instruction that accesses no register.
type Plain struct {
	Cycle, Row uint32
}

// Constant is an instruction that only writes rd.
type Constant struct {
	Cycle, Row uint32
	PreviousD  uint32 // time of the previous access to rd
	_          uint32
	Old        uint64 // what rd held
}

// Unary is an instruction that reads rs1 and writes rd. In ADDIQ they are one access: A is Old, and Previous1
// is 0. In JALR Result is the link.
type Unary struct {
	Cycle, Row           uint32
	Previous1, PreviousD uint32
	A, Old, Result       uint64
}

// Binary is an instruction that reads rs1 and rs2 and writes rd. Compared with a constant, B is x0's 0.
type Binary struct {
	Cycle, Row                      uint32
	Previous1, Previous2, PreviousD uint32
	_                               uint32
	A, B, Old, Result               uint64
}

// Branch is an instruction that reads rs1 and rs2 and jumps or continues. BEQZ and JR have no rs2: B and Previous2 are
// 0.
type Branch struct {
	Cycle, Row           uint32
	Previous1, Previous2 uint32
	A, B                 uint64
}

// Load is an instruction that reads memory at rs1 + constant into rd. In UNAL it is a load or a store: PreviousD, Old
// and Result belong to the second register that it accesses, rd or rs2; a store does not change it, so Old is Result.
type Load struct {
	Cycle, Row           uint32
	Previous1, PreviousD uint32
	Base                 uint32 // the value of rs1, whose high half is 0
	Access               uint32 // of the word; if two words are accessed, the next access is the second
	Old, Result          uint64
}

// Store is an instruction that writes rs2 to memory at rs1 + constant.
type Store struct {
	Cycle, Row           uint32
	Previous1, Previous2 uint32
	Base                 uint32
	Access               uint32
	B                    uint64
}

// Halt is the ECALL that ends the program.
type Halt struct {
	Cycle, Row           uint32
	Previous1, Previous2 uint32 // of a7, of a0
	Exit                 uint64
}

// Call is the ECALL of an accelerator, or a note, which accesses no words. Its accesses are consecutive from Access, in
// the order of their slots.
type Call struct {
	Cycle, Row uint32
	Code       uint32
	Arguments  [3]uint32 // a0 to a2: addresses, 0 where the accelerator has no such argument
	Previous   [4]uint32 // of a7, a0, a1, a2
	Access     uint32
	_          uint32
}

// Refresh repeats a register's token 2^20 later.
type Refresh struct {
	Index    uint32 // of the register
	_        uint32
	Previous uint64 // the time of the token that it receives
	Value    uint64
}

// Touched is a word with a row in the boundary: accessed by the program, or part of the image, the public input or the
// public output.
type Touched struct {
	Word  uint32
	_     uint32
	Last  uint64 // time of the last access; 1 for initial contents without an access, 0 for zeros
	Value uint64 // the final contents
}

// Final is a register at the end of the run.
type Final struct {
	Last  uint64 // time of the last access, 0 for none
	Value uint64
}

// Accesses are the accesses to aligned words, in the order of time.
type Accesses struct {
	Word  []uint32
	Time  []uint64
	Mask  []uint8  // of the bytes that are written, bit i for byte i; 0: the access only reads
	Value []uint64 // of a read: the word; of a write: the written bytes, at the bytes of Mask

	Previous []uint64 // time of the word's previous access: 1 for initial contents, 0 for zeros
	Old      []uint64 // what the word held
}

// Len returns the number of accesses.
func (a *Accesses) Len() int { return len(a.Word) }

// New returns the contents of the word after access i.
func (a *Accesses) New(i uint32) uint64 { return Merge(a.Old[i], a.Value[i], a.Mask[i]) }

// Merge returns old with the bytes of mask replaced by those of value.
func Merge(old, value uint64, mask uint8) uint64 {
	bits := spread(mask)
	return old&^bits | value&bits
}

// spread turns each bit of a mask into a byte.
func spread(mask uint8) uint64 {
	// The product puts bit i at 8i and elsewhere. With eight bits the last one would overlap the first.
	bits := uint64(mask&0x7f)*0x0002040810204081&0x0001010101010101 | uint64(mask>>7)<<56
	return bits * 0xff
}

// Before returns the time of a register's previous access from its low 32 bits. The access was at most 2^20 before an
// access in the cycle.
func Before(cycle, low uint32) uint64 {
	last := 4*uint64(cycle) + 3
	return last - uint64(uint32(last)-low)
}
