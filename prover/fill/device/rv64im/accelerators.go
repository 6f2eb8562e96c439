package rv64im

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	fillers "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/all"
)

// arguments is the largest number of arguments of a call: a0 to a2, each of one operand.
const arguments = 3

// addAccelerators adds tables about the accesses of calls. The accelerator k indexes tables of accelerators,
// k*ARGUMENTS + i tables of operands, and k*MAX_WORDS + i the slots of words.
func addAccelerators(h *header.Header) {
	kinds := all.Kinds()
	operands, slots := len(kinds)*arguments, make([]uint64, len(kinds)*accelerator.MaxWords)
	code, own, count := make([]uint64, len(kinds)), make([]uint64, len(kinds)), make([]uint64, len(kinds))
	argument, words, slot := make([]uint64, operands), make([]uint64, operands), make([]uint64, operands)
	writes := make([]uint64, operands)
	for k, kind := range kinds {
		code[k], own[k], count[k] = uint64(kind.Code), uint64(kind.Table), uint64(len(kind.Operands))
		at := k * accelerator.MaxWords
		for i, o := range kind.Operands {
			place := k*arguments + i
			argument[place], words[place], slot[place] = uint64(o.Argument), uint64(o.Words), uint64(o.Slot)
			if o.Writes {
				writes[place] = 1
			}
			for range o.Words {
				slots[at] = uint64(o.Slot)
				at++
			}
		}
	}
	h.Constant("ACCELERATORS", uint64(len(kinds))).Constant("NO_CALL", 1<<32-1).
		Constant("CODE_NOTE", accelerator.CodeNote).Constant("ARGUMENTS", arguments).
		Constant("MAX_WORDS", accelerator.MaxWords).
		Table("call_code", code).Table("call_table", own).Table("call_operands", count).
		Table("operand_argument", argument).Table("operand_words", words).Table("operand_slot", slot).
		Table("operand_writes", writes).Table("word_slot", slots)
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
