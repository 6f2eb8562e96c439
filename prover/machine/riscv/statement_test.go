package riscv_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
)

// TestStatements compares the texts with docs/spec/protocol.md, section 11.
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
	execution, err := run.Execute(context.Background(), p, run.Input{Data: []byte{}, Public: input})
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("chiasmus.statement/2\nmachine rv64im\nprogram %x\n", loaded.ImageDigest())
	exact := fmt.Sprintf("%sinput 12 %x\noutput 3 %x\nexit 0\n", program, sha256.Sum256(input), sha256.Sum256(output))
	if got := circuit.ExactStatementText(p, execution.Public(), 1); got != exact {
		t.Errorf("exact statement %q, want %q", got, exact)
	}
	if got := circuit.ClassStatementText(p, 1); got != program {
		t.Errorf("class statement %q, want %q", got, program)
	}
}
