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

// code is an instruction in the form that the device replays.
type code struct {
	Op, Rd, Rs1, Rs2 uint8
	Target           uint32
	Imm              int64
	Row, Table       uint32 // its program row (the first one of a branch), and that row's table
}

// wordAccess is an access to a word of memory.
type wordAccess struct {
	Time  uint64
	Value uint64
	Word  uint32
	Mask  uint8 // of the bytes that it writes
	Role  uint8
	_     [2]uint8
}

// statedWord is what a proof states about a word of the public output.
type statedWord struct {
	Time  uint64 // of its last access
	Value uint64
}

// The roles of accesses to words.
const (
	rolePlain   = iota
	rolePrivate // the initial contents of a word of the private input, which may not have been read
	roleCall    // an accelerator writes the word that it read; Old first has the expected contents
)

// The sets of the replay.
const (
	setCheckpoints  = recordSets + iota // sent: the trace's checkpoints, and its load log
	setLog                              //
	setCode                             // sent: of the program
	setTexts                            //
	setInitial                          // sent: accesses for initial contents, or that mark a word as touched
	setOutput                           // sent: the last time and the value of each word of the public output
	setExpected                         // sent: rows of each counted table, then accesses and refreshes
	setMost                             // sent: the capacity for each
	setCarried                          // sent: the state before the first group of chunks; later around each group
	setStatus                           // the first fault
	setCounts                           // rows of a group by table and chunk, then accesses; later their prefix sums
	setFirsts                           // time of each register's first access by register and chunk
	setLasts                            // of its last access, and the register in the high half; later prefix maxima
	setRefreshes                        // refreshes by chunk and register; later their prefix sums
	setAccesses                         // the group's accesses to words, in the order of time
	setKnown                            // the known words before a group, or after it
	setOtherKnown                       // the same, after or before
	setKeys                             // word and number of each access, sorted
	setOtherKeys                        // room for sorting
	setDigits                           // counts of digits by block
	setTotals                           // totals of the blocks of a scan
	setLinks                            // links between the blocks of a chain
	setTouched                          // words that are in the boundary
	setTouchedCount                     //
	setOrder                            // rows of the boundary for each; later their prefix sums
	setUntouched                        // sent: the rows that a boundary without touched words needs
	replaySets      = iota + recordSets
)

// countedTables returns the number of tables whose rows the replay counts.
func countedTables() int { return int(table.EndOfCalls()) }

// carried has the indices in setCarried of the state that a group of chunks needs from the groups before it. The rows
// of each table precede them.
type carried struct {
	accesses, refreshes uint64
	clocks              uint64 // the last time of each register
	state               uint64 // the number of known words of memory
	words               uint64 // the number of all words
}

func carriedIndices() carried {
	first := uint64(countedTables())
	c := carried{accesses: first, refreshes: first + 1, clocks: first + 2}
	c.state = c.clocks + program.Registers
	c.words = c.state + 1
	return c
}

// Flags of a group of chunks, in one number with its end.
const (
	groupKeeps = 1 << 32 // its records are kept
	groupEnds  = 1 << 33 // the program ends with it
)

// The numbers of threads of a block, and of items of a thread, in the order of the sources.
const (
	chunkThreads = 64
	scanThreads  = 256
	callThreads  = 128
	scanEach     = 8
	sortEach     = 8
	digits       = 256
)

// faults lists the faults that a replay detects, with their names in kernels and their texts. The first stands for
// none.
var faults = []struct{ name, text string }{
	{"NONE", ""},
	{"ILLEGAL", "an illegal instruction"},
	{"OUTSIDE", "an access is outside memory"},
	{"LOG_ENDS", "the load log ends before the chunk"},
	{"LOG_LEFT", "the chunk leaves words of its load log unread"},
	{"NO_CODE", "a jump leads to an address without code"},
	{"END", "program and trace do not end together"},
	{"PC", "the replay's address is not the checkpoint's"},
	{"REGISTER", "a register does not have the value in the checkpoint"},
	{"CALL", "an ECALL is neither an exit, a note nor a call of an accelerator with operands that it takes"},
	{"COUNT", "a table does not have the number of rows that was counted"},
	{"READ", "the trace does not read the last value written"},
	{"OUTPUT", "the public output is not the stated one"},
}

// check returns the error for a status.
func check(status uint64) error {
	if status == ^uint64(0) {
		return nil
	}
	at, fault := status>>8, status&0xff
	if fault == 0 || fault >= uint64(len(faults)) {
		return fmt.Errorf("the replay on the device ended with status %#x", status)
	}
	if faults[fault].name == "COUNT" {
		return fmt.Errorf("the replay on the device: %s (index %d)", faults[fault].text, at)
	}
	return fmt.Errorf("cycle %d, on the device: %s", at, faults[fault].text)
}

// setNames are the names of sets in kernels.
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

// Deriver returns the kernels of the replay.
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

// replayHeader returns the structs and constants that only the replay needs.
func replayHeader() string {
	h := machine.SetsStruct(header.New("dialect.cuh"))
	h.Struct("Code", code{}).Struct("Text", program.Text{}).Struct("Checkpoint", record.Checkpoint{}).
		Struct("WordAccess", wordAccess{}).Struct("StatedWord", statedWord{})
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
	indices := carriedIndices()
	for _, c := range []struct {
		name  string
		value uint64
	}{
		{"COUNTED_TABLES", uint64(countedTables())}, {"CARRIED_ACCESSES", indices.accesses},
		{"CARRIED_REFRESHES", indices.refreshes},
		{"CARRIED_CLOCKS", indices.clocks}, {"CARRIED_STATE", indices.state}, {"CARRIED_WORDS", indices.words},
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

// opName returns an operation's name in the kernels: its mnemonic, or another name for forms that only programs have.
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
