package native

import (
	"encoding/binary"
	"math"
	"runtime"
	"unsafe"

	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Offsets of memory from rbx.
const (
	wordsAt   = memory.WordsAt - stateBase
	touchedAt = memory.TouchedAt - stateBase
	pagesAt   = memory.PagesAt - stateBase
	countsAt  = memory.CountsAt - stateBase

	_ = -uint(unsafe.Sizeof(State{}) / (memory.StateBytes + 1)) // fails to compile if a state does not fit
)

const spillOffset = int(unsafe.Offsetof(State{}.spills))

// Operands for the fields of the state.
var (
	leftPlace  = place(unsafe.Offsetof(State{}.Left))
	usedPlace  = place(unsafe.Offsetof(State{}.Used))
	nextPlace  = place(unsafe.Offsetof(State{}.Next))
	whyPlace   = place(unsafe.Offsetof(State{}.Why))
	aheadPlace = place(unsafe.Offsetof(State{}.ahead))
	logPlace   = place(unsafe.Offsetof(State{}.log))
	tablePlace = place(unsafe.Offsetof(State{}.table))
	sizePlace  = place(unsafe.Offsetof(State{}.size))
	savedPlace = place(unsafe.Offsetof(State{}.saved))
)

// Code holds the translations of a program. Only one run may use them at a time. The next run reuses what was
// translated before.
type Code struct {
	program   *program.Program
	uses      []uint64    // set of the registers that each code accesses
	registers *assignment // of processor registers to guest registers
	table     []uintptr   // the translation of the block that starts at each code, or missing
	blocks    []counted   // the instructions and exit counts of each block
	counts    int         // number of counts of all codes and blocks
	heat      []uint8     // how often each code was reached without a translation
	profile               // determines how blocks extend
	last      profile     // of the last run
	room      []value     // memory for the next graph
	bare      bool        // they log and count nothing
	linked    []bool      // the blocks that are translated together; nil if none
	holes     []hole      // jumps to blocks that are yet to be translated

	writable []byte // the writable mapping of the translations; base is their executable mapping
	base     uintptr
	used     int
	enter    uintptr
	missing  uintptr
	leave    int64 // offset of the code that returns to Go
}

// counted holds the instructions of a block, and the index of the first of its exit counts. Count i is the number of
// times that the block was left after i instructions.
type counted struct {
	codes  []uint32
	counts int
}

// profile holds the statistics of a program's past execution.
type profile struct {
	executed []uint64 // number of executions of each code; nil before the first run has ended
	total    uint64   // sum of executed
	entered  []uint64 // number of entries to each block
	targets  []uint32 // the target of each indirect jump, or unseen, or several
}

// Values of a profile's targets for indirect jumps without a unique target.
const (
	unseen  = program.Outside
	several = math.MaxUint32
)

// cacheLine is the size of a cache line in bytes.
const cacheLine = 64

// cold marks code that must not be translated.
const cold = 255

// New returns the translations of a program, initially none. uses holds the set of registers that each code accesses,
// bit i for register i. New returns nil if the processor or the system does not support translations.
func New(p *program.Program, uses []uint64) *Code {
	once := make([]uint64, len(uses))
	for i := range once {
		once[i] = 1
	}
	return newCode(p, uses, assign(accesses(uses, once)), profile{targets: make([]uint32, len(p.Code))})
}

func newCode(p *program.Program, uses []uint64, registers *assignment, seen profile) *Code {
	if x := &cpu.X86; !x.HasBMI2 || !x.HasAVX {
		return nil
	}
	if len(p.Texts) == 0 || len(p.Code) > memory.Counts {
		return nil
	}
	c := &Code{program: p, uses: uses, registers: registers, profile: seen, counts: len(p.Code)}
	c.blocks, c.heat = make([]counted, len(p.Code)), make([]uint8, len(p.Code))
	size := (min(1<<14*len(p.Code)+1<<16, 128<<20) + 4095) &^ 4095 // whole pages
	running, ok := c.mapTwice(size)
	if !ok {
		return nil
	}
	c.base = uintptr(unsafe.Pointer(&running[0]))
	runtime.AddCleanup(c, func(mapped [2][]byte) {
		for _, m := range mapped {
			_ = unix.Munmap(m)
		}
	}, [2][]byte{c.writable, running})
	c.addStubs()
	c.table = make([]uintptr, len(p.Code))
	for i := range c.table {
		c.table[i] = c.missing
	}
	return c
}

// mapTwice maps memory for code twice, so that no page is both writable and executable.
func (c *Code) mapTwice(size int) (running []byte, ok bool) {
	file, err := unix.MemfdCreate("translations", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, false
	}
	defer func() { _ = unix.Close(file) }()
	if unix.Ftruncate(file, int64(size)) != nil {
		return nil, false
	}
	if c.writable, err = unix.Mmap(file, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return nil, false
	}
	if running, err = unix.Mmap(file, 0, size, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_SHARED); err != nil {
		_ = unix.Munmap(c.writable)
		return nil, false
	}
	return running, true
}

// addStubs adds the code that enters translations from Go, and the code that returns to Go.
func (c *Code) addStubs() {
	var a assembler
	a.move(rdi, leftPlace)
	a.move(rsi, logPlace)
	for r, o := range c.registers {
		if !o.inState {
			a.move(o.register, place(uintptr(8*r)))
		}
	}
	a.vector(1, prefixF3, narrow, used, 0, usedPlace, 0x7e) // vmovq
	a.of(narrow, rax, nextPlace, 0x8b)
	a.move(rcx, aheadPlace)
	for line := range int64(unsafe.Sizeof(record.Checkpoint{})+cacheLine-1) / cacheLine {
		a.emit32(line*cacheLine, 0x0f, 0x0d, 0x80|1<<3|rcx) // prefetchw [rcx+...]: of 0 it does nothing
	}
	a.jumpByTable()
	missing := len(a.bytes)
	a.constant(Missing, register(rdx))
	c.leave = int64(len(a.bytes))
	a.keep(rdi, leftPlace)
	a.keep(rsi, logPlace)
	for r, o := range c.registers {
		if !o.inState {
			a.keep(o.register, place(uintptr(8*r)))
		}
	}
	a.of(narrow, rax, nextPlace, 0x89)
	a.of(narrow, rdx, whyPlace, 0x89)
	a.vector(1, prefix66, narrow, used, 0, usedPlace, 0xd6) // vmovq
	a.emit(0xc3)
	c.enter, c.missing = c.base, c.base+uintptr(missing)
	c.used = copy(c.writable, a.bytes)
}

// jumpByTable jumps to the block that starts at the index in rax.
func (a *assembler) jumpByTable() {
	a.move(rcx, tablePlace)
	a.emit(0xff, 0x24, 0xc1) // jmp [rcx+8*rax]
}

// here returns the offset of the next translation from the first byte.
func (c *Code) here() int64 { return int64(c.used) }

// Ready reports whether the block that starts at a code is translated, and translates it if it is hot.
func (c *Code) Ready(index uint32) bool {
	if c.table[index] != c.missing {
		return true
	}
	if c.heat[index] == cold {
		return false
	}
	if c.heat[index]++; c.heat[index] < hot {
		return false
	}
	return c.add(index)
}

// add translates a block. It returns false if the block cannot be translated or there is no room.
func (c *Code) add(index uint32) bool {
	c.heat[index] = cold
	b, ok := c.translate(index)
	if !ok || c.used+len(b.bytes) > len(c.writable) || c.counts+len(b.codes) > memory.Counts {
		return false
	}
	c.table[index], c.blocks[index] = c.base+uintptr(c.used), counted{b.codes, c.counts}
	c.counts += len(b.codes)
	c.used += copy(c.writable[c.used:], b.bytes)
	return true
}

// hole is the distance operand of a jump to a block that is translated later. place is its offset in the memory of
// translations.
type hole struct {
	place  int
	target uint32
}

// link translates blocks together, so that they jump to each other directly and not through the table. It returns false
// if there is no room.
func (c *Code) link(blocks []uint32) bool {
	c.linked = make([]bool, len(c.table))
	for _, first := range blocks {
		c.linked[first] = true
	}
	for _, first := range blocks {
		if !c.add(first) {
			return false
		}
	}
	for _, h := range c.holes {
		distance := int64(c.table[h.target]) - int64(c.base) - int64(h.place) - 4
		binary.LittleEndian.PutUint32(c.writable[h.place:], uint32(distance))
	}
	c.holes = nil
	return true
}

// Block returns the instructions of the block that starts at a code, or nil if there is none.
func (c *Code) Block(index uint32) []uint32 { return c.blocks[index].codes }

// Count adds the executions within blocks to executed, computed from how often the blocks were entered and left.
func (c *Code) Count(entered, executed []uint64) {
	if c == nil {
		return
	}
	for first, n := range entered[:len(executed)] {
		if n == 0 {
			continue
		}
		b := &c.blocks[first]
		for i, code := range b.codes {
			n -= entered[b.counts+i]
			executed[code] += n
		}
	}
}

// Led records the target of an indirect jump that was interpreted.
func (c *Code) Led(from, to uint32) {
	switch {
	case c == nil:
	case c.targets[from] == unseen:
		c.targets[from] = to
	case c.targets[from] != to:
		c.targets[from] = several
	}
}

// Run runs blocks from s.Next on, whose block must be ready.
func (c *Code) Run(s *State) {
	s.table = uintptr(unsafe.Pointer(&c.table[0]))
	s.log = s.logBase + uintptr(8*s.Logged)
	call(c.enter, unsafe.Pointer(&s.X[stateBase/8]))
	s.Logged = uint64(s.log-s.logBase) / 8
	runtime.KeepAlive(c)
}

func (s *State) bind(log []uint64, next *record.Checkpoint) {
	s.ahead = uintptr(unsafe.Pointer(next))
	s.size, s.logBase = uintptr(checkedBytes), uintptr(unsafe.Pointer(&log[0]))
}

func newState(m *memory.Memory) *State {
	if f := m.Flat(); f != nil {
		return (*State)(f.Base())
	}
	return new(State)
}

func entered(m *memory.Memory, codes int) []uint64 {
	if f := m.Flat(); f != nil && codes <= memory.Counts {
		return f.Counts(memory.Counts)
	}
	return nil
}

// call runs machine code with rbx set to state. The code uses no stack, and may clobber every register except rsp.
//
//go:noescape
func call(code uintptr, state unsafe.Pointer)
