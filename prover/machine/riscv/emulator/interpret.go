package emulator

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// accessible is the number of bytes of memory from memorymap.First on.
const accessible = memorymap.End - memorymap.First

// outside reports whether an aligned access of 2^log bytes is misaligned or outside memory. The rotation to the right
// makes the low bits of the address its highest bits, so a misaligned address becomes too large.
func outside(address uint64, log int) bool {
	return bits.RotateLeft64(address-memorymap.First, -log) >= accessible>>log
}

// interpret runs up to budget instructions, at most a chunk. It stops early after the instruction that halts the
// program or at an instruction that traps, and with once also after a call or an instruction that transfers control.
//
// It is one loop, so that registers, program and logs stay in the compiler's locations. An operation is a case of at
// most a few lines, and rare operations are function calls.
func (m *machine) interpret(budget uint64, once bool) error {
	var (
		code    = m.program.Code
		counts  = m.seen.executed[:len(code)]
		uses    = m.uses[:len(code)]
		used    = m.state.Used
		x       = &m.state.X
		log     = m.log
		memory  = m.memory
		index   = m.next
		logged  = m.logged
		left    = budget
		c       *program.Code
		address uint64
		word    uint64
		value   uint64
		place   *uint64
		plain   bool
		err     error
	)
	for left > 0 {
		c = &code[index]
		counts[index]++
		used |= uses[index]
		left--
		switch c.Op {
		case instruction.Nop:
		case instruction.Const:
			x[c.Rd&63] = uint64(c.Imm)
		case instruction.Move:
			x[c.Rd&63] = x[c.Rs1&63]
		case instruction.AddIn:
			x[c.Rd&63] += uint64(c.Imm)
		case instruction.ADDI:
			x[c.Rd&63] = x[c.Rs1&63] + uint64(c.Imm)
		case instruction.ADD:
			x[c.Rd&63] = x[c.Rs1&63] + x[c.Rs2&63]
		case instruction.SUB:
			x[c.Rd&63] = x[c.Rs1&63] - x[c.Rs2&63]
		case instruction.ADDIW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) + int32(c.Imm)))
		case instruction.ADDW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) + int32(x[c.Rs2&63])))
		case instruction.SUBW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) - int32(x[c.Rs2&63])))
		case instruction.AND:
			x[c.Rd&63] = x[c.Rs1&63] & x[c.Rs2&63]
		case instruction.OR:
			x[c.Rd&63] = x[c.Rs1&63] | x[c.Rs2&63]
		case instruction.XOR:
			x[c.Rd&63] = x[c.Rs1&63] ^ x[c.Rs2&63]
		case instruction.ANDI:
			x[c.Rd&63] = x[c.Rs1&63] & uint64(c.Imm)
		case instruction.ORI:
			x[c.Rd&63] = x[c.Rs1&63] | uint64(c.Imm)
		case instruction.XORI:
			x[c.Rd&63] = x[c.Rs1&63] ^ uint64(c.Imm)
		case instruction.SLLI:
			x[c.Rd&63] = x[c.Rs1&63] << (c.Imm & 63)
		case instruction.SRLI:
			x[c.Rd&63] = x[c.Rs1&63] >> (c.Imm & 63)
		case instruction.SRAI:
			x[c.Rd&63] = uint64(int64(x[c.Rs1&63]) >> (c.Imm & 63))
		case instruction.SLLIW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) << (c.Imm & 31)))
		case instruction.SRLIW:
			x[c.Rd&63] = uint64(int64(int32(uint32(x[c.Rs1&63]) >> (c.Imm & 31))))
		case instruction.SRAIW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) >> (c.Imm & 31)))
		case instruction.SLL:
			x[c.Rd&63] = x[c.Rs1&63] << (x[c.Rs2&63] & 63)
		case instruction.SRL:
			x[c.Rd&63] = x[c.Rs1&63] >> (x[c.Rs2&63] & 63)
		case instruction.SRA:
			x[c.Rd&63] = uint64(int64(x[c.Rs1&63]) >> (x[c.Rs2&63] & 63))
		case instruction.SLLW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) << (x[c.Rs2&63] & 31)))
		case instruction.SRLW:
			x[c.Rd&63] = uint64(int64(int32(uint32(x[c.Rs1&63]) >> (x[c.Rs2&63] & 31))))
		case instruction.SRAW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) >> (x[c.Rs2&63] & 31)))
		case instruction.SLT:
			x[c.Rd&63] = truth(int64(x[c.Rs1&63]) < int64(x[c.Rs2&63]))
		case instruction.SLTU:
			x[c.Rd&63] = truth(x[c.Rs1&63] < x[c.Rs2&63])
		case instruction.SLTI:
			x[c.Rd&63] = truth(int64(x[c.Rs1&63]) < c.Imm)
		case instruction.SLTIU:
			x[c.Rd&63] = truth(x[c.Rs1&63] < uint64(c.Imm))
		case instruction.MUL:
			x[c.Rd&63] = x[c.Rs1&63] * x[c.Rs2&63]
		case instruction.MULW:
			x[c.Rd&63] = uint64(int64(int32(x[c.Rs1&63]) * int32(x[c.Rs2&63])))
		case instruction.MULHU:
			x[c.Rd&63], _ = bits.Mul64(x[c.Rs1&63], x[c.Rs2&63])

		case instruction.LD:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 3) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = word
		case instruction.LW:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 2) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = uint64(int64(int32(word >> (address & 4 << 3))))
		case instruction.LWU:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 2) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = uint64(uint32(word >> (address & 4 << 3)))
		case instruction.LH:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 1) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = uint64(int64(int16(word >> (address & 6 << 3))))
		case instruction.LHU:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 1) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = uint64(uint16(word >> (address & 6 << 3)))
		case instruction.LB:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 0) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = uint64(int64(int8(word >> (address & 7 << 3))))
		case instruction.LBU:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 0) {
				goto load
			}
			if word, plain = memory.Read(uint32(address) >> 3); !plain {
				goto load
			}
			log[logged%logSize] = word
			logged++
			x[c.Rd&63] = uint64(uint8(word >> (address & 7 << 3)))

		case instruction.SD:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 3) {
				goto store
			}
			if place = memory.Write(uint32(address) >> 3); place == nil {
				goto store
			}
			*place = x[c.Rs2&63]
		case instruction.SW:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 2) {
				goto store
			}
			if place = memory.Write(uint32(address) >> 3); place == nil {
				goto store
			}
			*place = *place&^(0xffffffff<<(address&4<<3)) | x[c.Rs2&63]&0xffffffff<<(address&4<<3)
		case instruction.SH:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 1) {
				goto store
			}
			if place = memory.Write(uint32(address) >> 3); place == nil {
				goto store
			}
			*place = *place&^(0xffff<<(address&6<<3)) | x[c.Rs2&63]&0xffff<<(address&6<<3)
		case instruction.SB:
			address = x[c.Rs1&63] + uint64(c.Imm)
			if outside(address, 0) {
				goto store
			}
			if place = memory.Write(uint32(address) >> 3); place == nil {
				goto store
			}
			*place = *place&^(0xff<<(address&7<<3)) | x[c.Rs2&63]&0xff<<(address&7<<3)

		case instruction.IfZero:
			if x[c.Rs1&63] == 0 {
				goto transfer
			}
		case instruction.IfOther:
			if x[c.Rs1&63] != 0 {
				goto transfer
			}
		case instruction.BEQ:
			if x[c.Rs1&63] == x[c.Rs2&63] {
				goto transfer
			}
		case instruction.BNE:
			if x[c.Rs1&63] != x[c.Rs2&63] {
				goto transfer
			}
		case instruction.BLT:
			if int64(x[c.Rs1&63]) < int64(x[c.Rs2&63]) {
				goto transfer
			}
		case instruction.BGE:
			if int64(x[c.Rs1&63]) >= int64(x[c.Rs2&63]) {
				goto transfer
			}
		case instruction.BLTU:
			if x[c.Rs1&63] < x[c.Rs2&63] {
				goto transfer
			}
		case instruction.BGEU:
			if x[c.Rs1&63] >= x[c.Rs2&63] {
				goto transfer
			}
		case instruction.Jump:
			goto transfer
		case instruction.Link:
			x[c.Rd&63] = uint64(c.Imm)
			goto transfer
		case instruction.JALR, instruction.Indir:
			address = (x[c.Rs1&63] + uint64(c.Imm)) &^ 1
			if c.Op == instruction.JALR {
				x[c.Rd&63] = uint64(c.Target)
			}
			m.last = index
			index = m.jump(address)
			m.native.Led(m.last, index)
			if once {
				goto stop
			}
			continue

		case instruction.ECALL:
			m.cycle += budget - left - 1
			m.logged = logged
			err = m.call(index)
			logged = m.logged
			m.cycle -= budget - left - 1
			if err != nil || m.halted {
				goto stop
			}
			if once {
				index++
				goto stop
			}
		case instruction.Illegal:
			m.cycle += budget - left - 1
			err = m.trapIllegal(index)
			goto stop
		default:
			x[c.Rd&63] = instruction.Evaluate(c.Op, x[c.Rs1&63], x[c.Rs2&63])
		}
		index++
		continue

	load:
		m.logged = logged
		m.cycle += budget - left - 1
		value, err = m.load(index, c, address)
		if err != nil {
			goto stop
		}
		m.cycle -= budget - left - 1
		logged = m.logged
		x[c.Rd&63] = value
		index++
		continue

	store:
		m.cycle += budget - left - 1
		err = m.store(index, c, address)
		if err != nil {
			goto stop
		}
		m.cycle -= budget - left - 1
		index++
		continue

	transfer:
		if c.Target == program.Outside {
			m.last = index
		}
		index = c.Target
		if once {
			goto stop
		}
	}
stop:
	m.next, m.logged, m.state.Used = index, logged, m.state.Used|used
	if err == nil {
		m.cycle += budget - left
	}
	return err
}

// jump returns the index of the code at an address, or Outside if there is none.
func (m *machine) jump(address uint64) uint32 {
	t := &m.program.Texts[0]
	if n := address - uint64(t.Address); n < 4*uint64(t.Count) && n%4 == 0 {
		return t.First + uint32(n/4)
	}
	index, ok := m.program.Index(address)
	if !ok {
		m.target = address
	}
	return index
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
