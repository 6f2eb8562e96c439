package riscv_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// TestStatements holds the texts to docs/protocol.md, section 11.
func TestStatements(t *testing.T) {
	file := riscvtest.Guest(t, "interpreter")
	p, err := riscv.New(file)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := elf.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	input, output := []byte("6 7 * print\n"), []byte("42\n")
	execution, err := p.Execute(context.Background(), machine.Input{Data: []byte{}, Public: input})
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("chiasmus.statement/2\nmachine rv64im\nprogram %x\n", loaded.ImageDigest())
	exact := fmt.Sprintf("%sinput 12 %x\noutput 3 %x\nexit 0\n", program, sha256.Sum256(input), sha256.Sum256(output))
	if got := machine.ExactStatementText(p, execution.Public(), 1); got != exact {
		t.Errorf("exact statement %q, want %q", got, exact)
	}
	if got := machine.ClassStatementText(p, 1); got != program {
		t.Errorf("class statement %q, want %q", got, program)
	}
}

func TestRunsThatNeedOtherTablesAreRefused(t *testing.T) {
	for _, k := range all.Kinds() {
		if k.Declare != nil {
			continue
		}
		program := riscvtest.NewProgram(riscvtest.RandomData(rand.New(rand.NewPCG(1, 2))))
		call(program, k, func(argument int) int64 { return riscvtest.DataAddress + 64*int64(argument) })
		p, err := riscv.New(program.ELF(false))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Execute(context.Background(), machine.Input{Data: []byte{}}); err == nil {
			t.Errorf("a program that calls %s has an execution to be proven, and the machine has no tables for it", k.Name)
		}
	}
}
