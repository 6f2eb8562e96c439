package riscv_test

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// callsRun is a short run that has rows of every accelerator's tables.
var callsRun = sync.OnceValue(func() []byte { return callsProgram().ELF(false) })

// callsProgram calls each accelerator on separate operands, on operands that overlap in every way, on results of
// earlier calls, and at both ends of memory. It keeps words of the results. It ends with a note.
func callsProgram() *riscvtest.Program {
	random := riscvtest.Random(4, 0)
	p := riscvtest.NewProgram(random.Data)
	for _, k := range all.Kinds() {
		if riscvtest.HasExamples(k) {
			callExamples(p, k)
			continue
		}
		for i := range int64(3) {
			call(p, k, func(argument int) int64 { return riscvtest.DataAddress + 512*i + 256*int64(argument)*min(i, 1) })
			p.Op(instruction.LD, 5, riscvtest.DataRegister, 0, 512*i)
			p.Dump(5)
		}
		call(p, k, func(argument int) int64 { return riscvtest.DataAddress + 8*int64(argument) })
		call(p, k, func(argument int) int64 { return riscvtest.DataAddress + 64 - 8*int64(argument) })
		for _, o := range k.Operands {
			for _, end := range []int64{int64(memorymap.First), int64(memorymap.End) - int64(8*o.Words)} {
				call(p, k, func(argument int) int64 {
					if argument == o.Argument {
						return end
					}
					return riscvtest.DataAddress + 2048 + 256*int64(argument)
				})
			}
		}
	}
	p.Note(3, 10)
	return p
}

// callExamples calls an accelerator that does not accept arbitrary words or addresses.
func callExamples(p *riscvtest.Program, k *accelerator.Kind) {
	const temporary = 6
	random := rand.New(rand.NewPCG(uint64(k.Code), 6))
	for i := range 9 {
		addresses, last := p.Example(k, i, random), k.Operands[len(k.Operands)-1]
		register := uint8(10 + last.Argument)
		if last.Offset > 0 || last.Pointer != (accelerator.Pointer{}) {
			register = temporary
			p.Address(register, addresses[len(addresses)-1])
		}
		for word := range int64(4) {
			p.Op(instruction.LD, 5, register, 0, 8*word)
			p.Dump(5)
		}
	}
}

// call appends the call of an accelerator. Arguments that are numbers are 0.
func call(p *riscvtest.Program, k *accelerator.Kind, address func(argument int) int64) {
	const codeRegister, firstArgument = 17, 10
	for i := range 3 {
		p.Op(instruction.ADDI, uint8(firstArgument+i), 0, 0, 0)
	}
	for _, o := range k.Operands[k.Numbers():] {
		a, register := address(o.Argument), uint8(firstArgument+o.Argument)
		low := a & 0x7ff
		p.Op(instruction.LUI, register, 0, 0, int64(int32(a&^0xfff)))
		p.Op(instruction.SLLI, register, register, 0, 32)
		p.Op(instruction.SRLI, register, register, 0, 32)
		p.Op(instruction.ADDI, register, register, 0, low)
		p.Op(instruction.ADDI, register, register, 0, (a&0x800)/2)
		p.Op(instruction.ADDI, register, register, 0, (a&0x800)/2)
		if a < riscvtest.DataAddress || a > riscvtest.DataAddress+riscvtest.DataBytes {
			p.Op(instruction.SD, 0, register, riscvtest.DataRegister, 0) // zeros are not a modulus
		}
	}
	p.Op(instruction.ADDI, codeRegister, 0, 0, int64(k.Code))
	p.Op(instruction.ECALL, 0, 0, 0, 0)
}

// The guest hashes computes the published digests: NIST's (FIPS 180-4's examples) and those of Keccak's authors (the
// 200 bytes 0xa3, and the empty message).
func TestPublishedDigests(t *testing.T) {
	for _, c := range []struct{ message, sha256, keccak256 string }{
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
			"c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
			"4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"},
		{strings.Repeat("\xa3", 200), "", "3a57666b048777f2c953dc4456f45a2588e1cb6f2da760122d530ac2ce607d4a"},
	} {
		s := runOf(t, riscvtest.Guest(t, "hashes"), []byte(c.message), nil)
		output := hex.EncodeToString(s.execution.Stated().Output)
		if !strings.HasPrefix(output, c.sha256) || !strings.HasSuffix(output, c.keccak256) || len(output) != 128 {
			t.Errorf("%d bytes: %s, want %s and %s", len(c.message), output, c.sha256, c.keccak256)
		}
		if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
			t.Errorf("%d bytes: %v", len(c.message), err)
		}
	}
}

// The guest blake computes the digests of BLAKE2b's published example (RFC 7693) and of the first of BLAKE3's test
// vectors.
func TestPublishedBlakeDigests(t *testing.T) {
	pattern := make([]byte, 1025)
	for i := range pattern {
		pattern[i] = byte(i % 251)
	}
	for _, c := range []struct{ message, blake2b, blake3 string }{
		{"abc", "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1" +
			"7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923", ""},
		{"", "", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
		{string(pattern), "", "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
	} {
		s := runOf(t, riscvtest.Guest(t, "blake"), []byte(c.message), nil)
		output := hex.EncodeToString(s.execution.Stated().Output)
		if !strings.HasPrefix(output, c.blake2b) || !strings.HasSuffix(output, c.blake3) || len(output) != 192 {
			t.Errorf("%d bytes: %s, want %s and %s", len(c.message), output, c.blake2b, c.blake3)
		}
		if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
			t.Errorf("%d bytes: %v", len(c.message), err)
		}
	}
}

// The calls may be divided into instances: each holds the calls that fit, and all together balance.
func TestCallsInSeveralInstances(t *testing.T) {
	longtest.Only(t)
	for _, k := range all.Kinds() {
		if k.Work == 0 {
			continue
		}
		p := riscvtest.NewProgram(riscvtest.Random(5, 0).Data)
		call(p, k, func(argument int) int64 { return riscvtest.DataAddress + 512*int64(argument) })
		const rows = 1488 // one instance for all would be one third padding
		calls := rows / table.RowsOfRecord(k.Work)
		for range calls - 1 {
			p.Op(instruction.ECALL, 0, 0, 0, 0)
		}
		s := runOf(t, p.ELF(false), nil, nil)
		if n := len(s.of(k.Work.String())); n < 2 {
			t.Errorf("%d calls of %s take %d instances of %s, want several", calls, k.Name, n, k.Work)
		}
		if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
}

// Calls of every accelerator satisfy the constraints, whatever their operands share and wherever they are.
func TestCallsHold(t *testing.T) {
	s := runOf(t, callsRun(), nil, nil)
	if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
		t.Fatal(err)
	}
	for _, k := range all.Kinds() {
		if len(s.rows(k.Table.String(), nil)) == 0 {
			t.Errorf("no call of %s", k.Name)
		}
	}
	codes := s.rows("CALL", nil)
	if !slices.IsSortedFunc(codes, func(a, b row) int { return int(a.get("ts")) - int(b.get("ts")) }) {
		t.Error("calls are not in the order of time")
	}
}
