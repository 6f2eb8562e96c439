package rv64im

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// code is an instruction as the device replays it.
type code struct {
	Op, Rd, Rs1, Rs2 uint8
	Target           uint32
	Imm              int64
	Row, Table       uint32 // its program row, of a branch the first, and that row's table
}

// wordAccess is an access to a word of memory.
type wordAccess struct {
	Word, Time uint32
	Mask       uint32 // of the bytes that it writes
	Role       uint32
	Value      uint64
}

// The roles of accesses to words.
const (
	rolePlain   = iota
	rolePrivate // it brings a word of the private input, which nobody may have read
	roleCall    // an accelerator writes the word that it has read: Old has at first what that should have been
)

// The sets of the replay.
const (
	setCheckpoints  = Sets + iota // sent: the trace's, and its log
	setLog                        //
	setCode                       // sent: of the program
	setTexts                      //
	setInitial                    // sent: accesses that bring initial contents, or say that a word is touched
	setOutput                     // sent: of each word of the public output its last time and what it holds
	setExpected                   // sent: rows of each table that is counted, then accesses and refreshes
	setMost                       // sent: as many of each as there is room for
	setCarried                    // sent: what is known before the first group of chunks; later before and behind each
	setStatus                     // the least fault
	setCounts                     // rows of a group by table and chunk, then accesses; later what stands before
	setFirsts                     // time of each register's first access by register and chunk
	setLasts                      // of its last, with the register above; later the maximum before
	setRefreshes                  // refreshes by chunk and register; later what stands before
	setAccesses                   // of the group to words, in the order of time
	setKnown                      // what is known of each word before a group, or behind it
	setOtherKnown                 // the same, behind or before
	setKeys                       // word and number of each access, sorted
	setOtherKeys                  // room for sorting
	setDigits                     // digits by block
	setTotals                     // of the blocks of a scan
	setLinks                      // of the blocks of a chain
	setTouched                    // words that are in the boundary
	setTouchedCount               //
	setOrder                      // rows of the boundary for each; later what stands before
	setUntouched                  // sent: the rows that a boundary needs of which no word was touched
	replaySets      = iota + Sets
)

// countedTables are those whose rows the replay counts.
func countedTables() int { return int(table.EndOfCalls()) }

// carried is what a group of chunks needs of those before it, by places in setCarried, behind the rows of each table.
type carried struct {
	accesses, refreshes uint64
	clocks              uint64 // the last time of each register
	state               uint64 // the number of words of memory of which something is known
	words               uint64 // of all
}

func carriedPlaces() carried {
	first := uint64(countedTables())
	c := carried{accesses: first, refreshes: first + 1, clocks: first + 2}
	c.state = c.clocks + program.Registers
	c.words = c.state + 1
	return c
}

// Flags of a group of chunks, beside its end.
const (
	groupKeeps = 1 << 32 // its records stay
	groupEnds  = 1 << 33 // the program ends with it
)

// Threads of a block, and how many items each has, in the order of the sources.
const (
	chunkThreads = 64
	scanThreads  = 256
	callThreads  = 128
	scanEach     = 8
	sortEach     = 8
	digits       = 256
)

// faults are what a device can find wrong, in words: the first is none.
var faults = []struct{ name, text string }{
	{"NONE", ""},
	{"ILLEGAL", "there is no instruction"},
	{"OUTSIDE", "an access is outside memory"},
	{"LOG_ENDS", "the load log ends before the chunk"},
	{"LOG_LEFT", "the chunk leaves words of its load log unread"},
	{"NO_CODE", "a jump leads to where no code is"},
	{"END", "the program ends, or does not end, where the trace does not"},
	{"PC", "the replay is at another address than the checkpoint"},
	{"REGISTER", "a register holds something else than in the checkpoint"},
	{"CALL", "an ECALL neither ends the program, is a note nor calls an accelerator, with operands that it takes"},
	{"COUNT", "a table has another number of rows than was counted"},
	{"READ", "the trace does not read what was written before"},
	{"OUTPUT", "the public output is not what is stated"},
}

// check says what a status means.
func check(status uint64) error {
	if status == ^uint64(0) {
		return nil
	}
	at, fault := status>>8, status&0xff
	if fault == 0 || fault >= uint64(len(faults)) {
		return fmt.Errorf("the replay on the device ended with status %#x", status)
	}
	if faults[fault].name == "COUNT" {
		return fmt.Errorf("the replay on the device: %s (place %d)", faults[fault].text, at)
	}
	return fmt.Errorf("cycle %d, on the device: %s", at, faults[fault].text)
}

// setNames are the sets that kernels name.
var setNames = map[int]string{
	Old:             "OLD",
	Previous:        "PREVIOUS",
	setCheckpoints:  "CHECKPOINTS",
	setLog:          "LOG",
	setCode:         "CODE",
	setTexts:        "TEXTS",
	setInitial:      "INITIAL",
	setOutput:       "OUTPUT",
	setExpected:     "EXPECTED",
	setMost:         "MOST",
	setCarried:      "CARRIED",
	setStatus:       "STATUS",
	setCounts:       "COUNTS",
	setFirsts:       "FIRSTS",
	setLasts:        "LASTS",
	setRefreshes:    "REFRESHES",
	setAccesses:     "ACCESSES",
	setKeys:         "KEYS",
	setDigits:       "DIGITS",
	setTotals:       "TOTALS",
	setLinks:        "LINKS",
	setTouched:      "TOUCHED",
	setTouchedCount: "TOUCHED_COUNT",
	setOrder:        "ORDER",
}

// Deriver are the kernels of the replay.
func Deriver() *machine.Deriver {
	d := &machine.Deriver{
		Sources: map[string]string{},
		Headers: map[string]string{"records.cuh": shared() + replayHeader()},
	}
	for _, name := range []string{"calls", "chain", "replay", "scan", "sort"} {
		d.Sources[name] = text(name + ".cu")
	}
	for _, name := range []string{"group", "guest", "sets", "words"} {
		d.Headers[name+".cuh"] = text(name + ".cuh")
	}
	maps.Copy(d.Headers, acceleratorHeaders())
	return d
}

// replayHeader is what only the replay knows of.
func replayHeader() string {
	h := machine.SetsStruct(header.New("dialect.cuh"))
	h.Struct("Code", code{}).Struct("Text", program.Text{}).Struct("Checkpoint", record.Checkpoint{}).
		Struct("WordAccess", wordAccess{})
	for number := range replaySets {
		if name, ok := setNames[number]; ok {
			h.Constant("SET_"+name, uint64(number))
		}
	}
	for i, f := range faults {
		h.Constant("FAULT_"+f.name, uint64(i))
	}
	for op := range instruction.OpCount {
		h.Constant("OP_"+opName(instruction.Op(op)), uint64(op))
	}
	shapes := make([]uint64, countedTables())
	for t := range shapes {
		shapes[t] = uint64(record.ShapeOf(table.Table(t)))
	}
	names := map[record.Shape]string{
		record.ShapePlain:    "PLAIN",
		record.ShapeConstant: "CONSTANT",
		record.ShapeUnary:    "UNARY",
		record.ShapeBinary:   "BINARY",
		record.ShapeBranch:   "BRANCH",
		record.ShapeLoad:     "LOAD",
		record.ShapeStore:    "STORE",
		record.ShapeHalt:     "HALT",
	}
	for _, shape := range slices.Sorted(maps.Keys(names)) {
		h.Constant("SHAPE_"+names[shape], uint64(shape))
	}
	h.Table("shape_of", shapes)
	places := carriedPlaces()
	for _, c := range []struct {
		name  string
		value uint64
	}{
		{"COUNTED_TABLES", uint64(countedTables())}, {"CARRIED_ACCESSES", places.accesses},
		{"CARRIED_REFRESHES", places.refreshes},
		{"CARRIED_CLOCKS", places.clocks}, {"CARRIED_STATE", places.state}, {"CARRIED_WORDS", places.words},
		{"GROUP_KEEPS", groupKeeps}, {"GROUP_ENDS", groupEnds}, {"REGISTERS", program.Registers},
		{"REGISTER_SINK", program.Sink},
		{"ROLE_PLAIN", rolePlain}, {"ROLE_PRIVATE", rolePrivate}, {"ROLE_CALL", roleCall},
		{"REGISTER_A0", 10}, {"REGISTER_A7", 17}, {"CODE_HALT", accelerator.CodeHalt}, {"REFRESH_GAP", 1 << 20},
		{"MEMORY_FIRST", memorymap.First}, {"MEMORY_END", memorymap.End}, {"MEMORY_FIRST_WORD", uint64(memorymap.FirstWord)},
		{"MEMORY_END_WORD", uint64(memorymap.EndWord)}, {"PUBLIC_OUTPUT_WORD", memorymap.PublicOutput / memorymap.WordBytes},
		{"BOUNDARY_GAP", rv64im.MaxBoundaryGap}, {"OUTPUT_TIME", rv64im.OutputTime},
		{"CHUNK_THREADS", chunkThreads}, {"CALL_THREADS", callThreads}, {"SCAN_EACH", scanEach}, {"CHAIN_EACH", scanEach},
		{"SORT_EACH", sortEach},
	} {
		h.Constant(c.name, c.value)
	}
	return h.Text()
}

// opName is an operation's name in the kernels: that of an assembler, and for forms that only programs have their own.
func opName(op instruction.Op) string {
	forms := map[instruction.Op]string{
		instruction.Illegal: "ILLEGAL", instruction.Nop: "NOP", instruction.Jump: "JUMP", instruction.Const: "CONST",
		instruction.Link: "LINK", instruction.Move: "MOVE", instruction.AddIn: "ADD_IN", instruction.Indir: "INDIR",
		instruction.IfZero: "IF_ZERO", instruction.IfOther: "IF_OTHER",
	}
	if name, ok := forms[op]; ok {
		return name
	}
	return strings.ToUpper(op.String())
}
