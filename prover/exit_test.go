package prover_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// exits is a program that ends at once, with the exit code 1 + high * 2^32.
func exits(t *testing.T, high int64) run.Program {
	t.Helper()
	var text []uint32
	for _, i := range []instruction.Instruction{
		{Op: instruction.ADDI, Rd: 10, Imm: high},
		{Op: instruction.SLLI, Rd: 10, Rs1: 10, Imm: 32},
		{Op: instruction.ADDI, Rd: 10, Rs1: 10, Imm: 1},
		{Op: instruction.ADDI, Rd: 17, Imm: 93},
		{Op: instruction.ECALL},
	} {
		text = append(text, riscvtest.Encode(i))
	}
	program, err := riscv.New(riscvtest.ELF(riscvtest.TextAddress, riscvtest.Segment{
		Address: riscvtest.TextAddress,
		Flags:   riscvtest.RX,
		Data:    riscvtest.Words(text...),
	}))
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// A proof that a program failed does not prove that it succeeded: it is accepted only if its exit code is expected, or
// if all are.
func TestExitCodes(t *testing.T) {
	const code = 1 | 5<<32
	program := exits(t, code>>32)
	params := preset(t, "test")
	params.MinLogHeight = 8
	data := proveInput(t, newProver(t, program, params, prover.Options{}), program, []byte{})
	for _, tc := range []struct {
		exit  uint64
		any   bool
		valid bool
	}{
		{0, false, false},
		{1, false, false}, // the low half
		{code, false, true},
		{code + 1, false, false},
		{code - 1, false, false},
		{5 << 32, false, false},
		{0, true, true},
		{3, true, true},
	} {
		result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{
			MinBits: prover.AnyBits,
			Program: program,
			Exit:    tc.exit,
			AnyExit: tc.any,
		})
		check, _ := verify.RejectedBy(err)
		if tc.valid != (err == nil) || !tc.valid && (check != verify.CheckStatement || result != nil) {
			t.Errorf("exit code %d, want %d (any: %t): %v", uint64(code), tc.exit, tc.any, err)
		}
	}
}

// A machine without programs has no exit code: 0 demands nothing, and any other expected code is an error.
func TestExitCodesOfOtherMachines(t *testing.T) {
	fib := lookup(t, "fib")
	data := proveInput(t, newProver(t, fib, preset(t, "test"), prover.Options{}), fib, []byte("1 2 64"))
	for exit, want := range map[uint64]verify.Check{0: "", 1: verify.CheckStatement, 1 << 32: verify.CheckStatement} {
		_, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: prover.AnyBits, Exit: exit})
		check, _ := verify.RejectedBy(err)
		if check != want || err != nil && !strings.Contains(err.Error(), "it has no exit code") {
			t.Errorf("exit code %d of a machine without any: %v", exit, err)
		}
	}
}
