package rv64im

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	fillers "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/all"
)

// arguments is the number of argument registers of a call: a0 to a2.
const arguments = 3

// callTables describe the accelerators' calls to kernels. Accelerator k has entry k of code, table and count, entries
// k*ARGUMENTS + i of argument, and entries k*MAX_WORDS + i of slots. Its operands in memory have the entries from
// first[k] to first[k+1].
type callTables struct {
	code, table, first []uint64

	count    []uint64 // of arguments
	argument []uint64 // the arguments: numbers, then addresses
	slots    []uint64 // of words

	// source is the argument with the operand's base address, or ARGUMENTS plus the number of the word with the pointer.
	source, offset, words, slot, writes []uint64
}

// add appends an accelerator.
func (t *callTables) add(kind *accelerator.Kind) {
	t.code, t.table = append(t.code, uint64(kind.Code)), append(t.table, uint64(kind.Table))
	t.count = append(t.count, uint64(kind.Arguments()))
	own := make([]uint64, 0, arguments)
	for _, o := range kind.Operands {
		if argument := uint64(o.Argument); o.Pointer == (accelerator.Pointer{}) && !slices.Contains(own, argument) {
			own = append(own, argument)
		}
	}
	t.argument = append(t.argument, own[:arguments]...)
	slots := make([]uint64, 0, accelerator.MaxWords)
	for _, o := range kind.Operands[kind.Numbers():] {
		source, writes := uint64(o.Argument), uint64(0)
		if word, ok := o.Pointer.Word(); ok {
			source = arguments + uint64(word)
		}
		if o.Writes {
			writes = 1
		}
		t.source, t.offset = append(t.source, source), append(t.offset, uint64(o.Offset))
		t.words, t.slot = append(t.words, uint64(o.Words)), append(t.slot, uint64(o.Slot))
		t.writes = append(t.writes, writes)
		slots = append(slots, slices.Repeat([]uint64{uint64(o.Slot)}, o.Words)...)
	}
	t.first = append(t.first, uint64(len(t.source)))
	t.slots = append(t.slots, slots[:accelerator.MaxWords]...)
}

// addAccelerators adds tables about the accesses of calls.
func addAccelerators(h *header.Header) {
	kinds, t := all.Kinds(), callTables{first: []uint64{0}}
	for _, kind := range kinds {
		t.add(kind)
	}
	h.Constant("ACCELERATORS", uint64(len(kinds))).Constant("NO_CALL", 1<<32-1).
		Constant("CODE_NOTE", accelerator.CodeNote).Constant("ARGUMENTS", arguments).
		Constant("MAX_WORDS", accelerator.MaxWords).
		Table("call_code", t.code).Table("call_table", t.table).Table("call_arguments", t.count).
		Table("call_argument", t.argument).Table("first_operand", t.first).
		Table("operand_source", t.source).Table("operand_offset", t.offset).Table("operand_words", t.words).
		Table("operand_slot", t.slot).Table("operand_writes", t.writes).Table("word_slot", t.slots)
}

// acceleratorHeaders returns the accelerators' sources, each in a namespace, and accelerators.cuh, which includes them
// and defines EACH_ACCELERATOR(X) as X(PARAMETERS) for each accelerator: see parametersOf.
func acceleratorHeaders() map[string]string {
	list := map[string]string{}
	var includes []string
	var each strings.Builder
	for k, kind := range all.Kinds() {
		file := acceleratorHeader(kind)
		includes = append(includes, file)
		own, ok := fillers.Of(kind)
		if !ok {
			panic("no device filler for accelerator " + kind.Name + ": list it in fill/device/rv64im/accelerator/all")
		}
		list[file] = own.Header()
		fmt.Fprintf(&each, " X(%s)", parametersOf(k))
	}
	own := header.New(includes...).Constant("NO_SET", 0).String()
	list["accelerators.cuh"] = own + "#define EACH_ACCELERATOR(X)" + each.String() + "\n"
	return list
}

func acceleratorHeader(kind *accelerator.Kind) string { return "call_" + kind.Table.String() + ".cuh" }

// parametersOf returns the parameters NAME, NUMBER, NUMBERS, WORDS, WRITTEN, READ of the macros for accelerator k: its
// table's name, its index k, the numbers of a call's number arguments, accessed words and written words, and the record
// set of the words that calls read, or NO_SET.
func parametersOf(k int) string {
	kind, read := all.Kinds()[k], 0
	if kind.Work != 0 {
		read = readBy(kind)
	}
	return fmt.Sprintf("%s, %d, %d, %d, %d, %d", kind.Table, k, kind.Numbers(), kind.Words(), kind.Written(), read)
}

// callSource returns the source of the filler of accelerator k's rows.
func callSource(k int) string {
	return fmt.Sprintf("// Generated from the accelerators. Do not edit.\n#include \"fill_calls.cuh\"\n#include %q\n\n"+
		"FILLER_OF_CALLS(%s)\n", acceleratorHeader(all.Kinds()[k]), parametersOf(k))
}
