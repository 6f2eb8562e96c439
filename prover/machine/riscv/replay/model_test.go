package replay_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

var modelPrograms = flag.String("model-programs", "",
	"write the programs of TestModel, and the text of their tables, to this folder")

// subject is a program that the model has run too.
type subject struct {
	name   string
	elf    []byte
	inputs memory.Inputs
}

// subjects are random programs, and one that needs refreshes.
func subjects() []subject {
	list := []subject{
		{"random-1", riscvtest.Random(1, 3000).ELF(false), memory.Inputs{}},
		{"random-2", riscvtest.Random(2, 3000).ELF(false), memory.Inputs{}},
		{"inputs", inputs().ELF(false), memory.Inputs{
			Private: []byte("a private input of 30 bytes..."),
			Public:  []byte("public"),
		}},
		{"refresh", refresh().ELF(false), memory.Inputs{}},
		{"forms", riscvtest.FormsOfAll(riscvtest.FewPairs).ELF(false), memory.Inputs{}},
	}
	for _, op := range riscvtest.Ops() {
		if op.Load() || op.Store() {
			list = append(list, subject{"edges-" + op.String(), riscvtest.EdgesOf(op).ELF(false), memory.Inputs{}})
		}
	}
	return list
}

// inputs is a program that only copies words of its inputs.
func inputs() *riscvtest.Program {
	p := riscvtest.NewProgram(nil)
	p.CopyInputs()
	return p
}

// refresh leaves registers unused for longer than 2^20 slots, one of them twice as long.
func refresh() *riscvtest.Program {
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 5, 0, 0, 77)
	p.Op(instruction.ADDI, 6, 0, 0, 78)
	for range 2 {
		p.Op(instruction.LUI, 7, 0, 0, 1<<17)
		p.Op(instruction.ADDI, 7, 7, 0, -1)
		p.Op(instruction.BNE, 0, 7, 0, -4)
		p.Op(instruction.ADD, 6, 6, 0, 0)
		p.Op(instruction.ADD, 8, 6, 7, 0)
	}
	p.Op(instruction.ADD, 5, 5, 6, 0)
	p.Op(instruction.LD, 0, riscvtest.DataRegister, 0, 0)
	return p
}

// modelResult is the output of testdata/model.py for a program.
type modelResult struct {
	Cycles uint32
	Exit   uint64
	Output string
	Image  string
	Tables map[string][2]any
}

// The records of every table equal the rows of the independent model of the machine, number by number.
func TestModel(t *testing.T) {
	file, err := os.ReadFile("testdata/model.json")
	if err != nil && *modelPrograms == "" {
		t.Fatal(err)
	}
	var model map[string]modelResult
	if err == nil {
		if err := json.Unmarshal(file, &model); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range append(subjects(), guests(t)...) {
		t.Run(s.name, func(t *testing.T) {
			if *modelPrograms != "" {
				write(t, s.name+".elf", s.elf)
				write(t, s.name+".private", s.inputs.Private)
				write(t, s.name+".public", s.inputs.Public)
			}
			want, ok := model[s.name]
			if !ok && *modelPrograms == "" {
				t.Fatalf("testdata/model.json does not have it: run testdata/model.py")
			}
			compareWithModel(t, s, want)
		})
	}
}

func compareWithModel(t *testing.T, s subject, want modelResult) {
	p := riscvtest.Load(t, s.elf)
	result, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := replay.Build(context.Background(), parallel.New(2), p, s.inputs, trace)
	if err != nil {
		t.Fatal(err)
	}
	if string(set.Output) != string(result.Output) || set.Exit != result.Exit || uint64(set.Cycles) != result.Cycles {
		t.Errorf("the replay says output %q, exit %d, %d cycles; the emulator %q, %d, %d",
			set.Output, set.Exit, set.Cycles, result.Output, result.Exit, result.Cycles)
	}
	image, output := p.File.ImageDigest(), sha256.Sum256(set.Output)
	for i := range table.Count {
		name := table.Table(i)
		w := &text{program: p, set: set}
		w.table(name)
		if *modelPrograms != "" {
			write(t, s.name+"."+name.String()+".go.txt", []byte(w.String()))
			continue
		}
		rows, ok := want.Tables[name.String()]
		if !ok {
			continue
		}
		if got := float64(w.rows); got != rows[0] {
			t.Errorf("%s has %v rows, the model %v", name, got, rows[0])
		} else if sum := sha256.Sum256([]byte(w.String())); hex.EncodeToString(sum[:]) != rows[1] {
			t.Errorf("the rows of %s are not those of the model: write both with -model-programs and compare", name)
		}
	}
	if *modelPrograms != "" {
		return
	}
	if set.Cycles != want.Cycles || set.Exit != want.Exit || hex.EncodeToString(output[:]) != want.Output ||
		hex.EncodeToString(image[:]) != want.Image {
		t.Errorf("%d cycles, exit %d, output %x, image %x; the model has %+v", set.Cycles, set.Exit, output, image, want)
	}
}

func write(t *testing.T, name string, data []byte) {
	if err := os.WriteFile(filepath.Join(*modelPrograms, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// guests are short runs of the guests.
func guests(t *testing.T) []subject {
	var list []subject
	for _, c := range riscvtest.Cases() {
		list = append(list, subject{c.Name, riscvtest.Guest(t, c.Guest), c.Inputs})
	}
	return list
}
