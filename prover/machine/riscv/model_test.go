package riscv_test

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

var cellsFolder = flag.String("cells", "",
	"write the programs of TestCellsAreTheModels, and their cells, to this folder")

// cellProgram is a program with its inputs.
type cellProgram struct {
	elf             []byte
	private, public []byte
}

// cellPrograms are the programs that the model has filled too: the sample, every operation on edge operands, a run with
// refreshes, and short runs of the guests.
func cellPrograms(t *testing.T) map[string]cellProgram {
	list := map[string]cellProgram{
		"sample":  {sample(), []byte(samplePrivate), []byte(samplePublic)},
		"refresh": {elf: refreshProgram().ELF(false)},
	}
	for _, op := range riscvtest.Ops() {
		if op != instruction.ECALL && op != instruction.FENCE {
			list["edges-"+op.String()] = cellProgram{elf: riscvtest.EdgesOf(op).ELF(false)}
		}
	}
	for _, c := range riscvtest.Cases() {
		list["guest-"+c.Name] = cellProgram{riscvtest.Guest(t, c.Guest), c.Inputs.Private, c.Inputs.Public}
	}
	return list
}

// refreshProgram leaves registers unused for longer than 2^20 slots.
func refreshProgram() *riscvtest.Program {
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 5, 0, 0, 77)
	p.Op(instruction.LUI, 7, 0, 0, 1<<17+1<<12)
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -4)
	p.Op(instruction.ADD, 5, 5, 0, 0)
	return p
}

// Every cell that the fillers write equals an independent model of the whole machine.
func TestCellsAreTheModels(t *testing.T) {
	file, err := os.ReadFile("testdata/cells.json")
	if err != nil && *cellsFolder == "" {
		t.Fatal(err)
	}
	var want map[string]map[string]string
	if err := json.Unmarshal(file, &want); err != nil && *cellsFolder == "" {
		t.Fatal(err)
	}
	for name, p := range cellPrograms(t) {
		t.Run(name, func(t *testing.T) {
			s := runOf(t, p.elf, p.private, p.public)
			if *cellsFolder != "" {
				write(t, name+".elf", p.elf)
				write(t, name+".private", p.private)
				write(t, name+".public", p.public)
			}
			seen := map[string]bool{}
			for i := range s.instances {
				table := s.instances[i].Table.Name
				if len(s.instances[i].Table.Lookups) > 0 || table == "IMAGE" || seen[table] {
					continue
				}
				seen[table] = true
				rows, text := s.text(table)
				if *cellsFolder != "" {
					write(t, name+"."+table+".cells", []byte(text))
					continue
				}
				digest := sha256.Sum256([]byte(text))
				if have := fmt.Sprintf("%d %x", rows, digest[:10]); have != want[name][table] {
					t.Errorf("table %s: rows and digest are %s, the model has %s: write both with -cells and compare", table, have,
						want[name][table])
				}
			}
			for table := range want[name] {
				if !seen[table] {
					t.Errorf("table %s has no instance, the model has rows", table)
				}
			}
		})
	}
}

// text is the format of testdata/cells.py for a table.
func (s *subject) text(table string) (rows int, text string) {
	of := s.of(table)[0].Table
	names := slices.Sorted(slices.Values(of.Main))
	var order []int
	for _, name := range names {
		order = append(order, column(of, name))
	}
	var lines []string
	for _, in := range s.of(table) {
		for at := range in.Trace.Rows() {
			if r := (row{in, at}); table == "PRIV" || column(of, "m") < 0 || r.get("m") == 1 { // but padding
				lines = append(lines, r.text(order))
			}
		}
	}
	if table == "REFRESH" {
		slices.Sort(lines)
	}
	return len(lines), strings.Join(append([]string{strings.Join(names, " ")}, lines...), "\n") + "\n"
}

func (r row) text(order []int) string {
	var b []byte
	for i, c := range order {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendUint(b, uint64(r.in.Trace.Main[c][r.at]), 10)
	}
	return string(b)
}

func write(t *testing.T, name string, data []byte) {
	if err := os.WriteFile(filepath.Join(*cellsFolder, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}
