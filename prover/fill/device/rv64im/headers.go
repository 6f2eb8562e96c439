package rv64im

import (
	"embed"
	"fmt"
	"maps"
	"strings"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

//go:embed *.cuh *.cu
var files embed.FS

func text(name string) string {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(content)
}

// headers returns the headers of fill.cu and of the fillers of calls.
func headers(declared *rv64im.Declared) map[string]string {
	list := map[string]string{"columns.cuh": columnStructs(declared), "records.cuh": shared()}
	maps.Copy(list, acceleratorHeaders())
	for _, name := range []string{"access", "add", "calls", "cells", "chains", "compare", "divide", "fill", "fill_calls",
		"logic", "multiply", "shift", "unaligned"} {
		list[name+".cuh"] = text(name + ".cuh")
	}
	return list
}

// columnStructs returns the text of columns.cuh: for each table with a kernel a struct whose constants are the indices
// of the table's columns by name, and for columns name[0], name[1], ... the index of the first. The names come from the
// structs of package circuit/rv64im.
func columnStructs(declared *rv64im.Declared) string {
	var s strings.Builder
	s.WriteString("// The main columns of the tables. Generated from their declarations.\n#pragma once\n")
	for i, t := range declared.Tables {
		if setsOf(declared.Number[i]) != nil {
			writeColumns(&s, t)
		}
	}
	return s.String()
}

func writeColumns(s *strings.Builder, t *air.Table) {
	fmt.Fprintf(s, "struct Columns%s { enum : u32 { ", t.Name)
	for i, name := range t.Main {
		if base, ok := strings.CutSuffix(name, "[0]"); ok || !strings.HasSuffix(name, "]") {
			fmt.Fprintf(s, "%s = %d, ", base, i)
		}
	}
	fmt.Fprintf(s, "COLUMN_COUNT = %d }; };\n", len(t.Main))
}

// shared returns the header with the structs of records and program rows, and the constants for numbers in them.
func shared() string {
	h := header.New("dialect.cuh").
		Struct("Plain", record.Plain{}).Struct("Constant", record.Constant{}).Struct("Unary", record.Unary{}).
		Struct("Binary", record.Binary{}).Struct("Branch", record.Branch{}).Struct("Load", record.Load{}).
		Struct("Store", record.Store{}).Struct("Halt", record.Halt{}).Struct("Refresh", record.Refresh{}).
		Struct("Call", record.Call{}).Struct("Touched", record.Touched{}).Struct("Final", record.Final{}).
		Struct("InitialWord", memorymap.Word{}).Struct("ProgramRow", rv64im.Row{})
	for t := range table.Table(table.Count) {
		if t.String() != "" {
			h.Constant("TABLE_"+t.String(), uint64(t))
		}
	}
	h.Constant("LOG_GAP", rv64im.LogGap).Constant("NON_RESIDUE", rv64im.NonResidue).
		Constant("SLOT_MEMORY", replay.SlotMemory)
	h.Constant("PRIVATE_INPUT_WORD", memorymap.PrivateInput/memorymap.WordBytes)
	h.Constant("SHIFT_LEFT_W", uint64(rv64im.ShiftLeftW)).Constant("SHIFT_RIGHT_W", uint64(rv64im.ShiftRightW))
	h.Constant("SHIFT_SIGN_W", uint64(rv64im.ShiftSignW))
	addAccelerators(h)
	return h.String()
}
