package accelerators

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	onDevices "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/all"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	onHost "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// exchange swaps three words at a1 with three at a2 and sets the first of the latter to the number a0: two written
// operands, and a number.
var exchange = accelerator.Kind{
	Name: "exchange", Code: 0x700,
	Operands: []accelerator.Operand{
		{Argument: 0},
		{Argument: 1, Words: 3, Slot: 2, Writes: true},
		{Argument: 2, Words: 3, Slot: 2, Writes: true},
	},
	Compute: func(written, read []uint64) error {
		copy(written, read[4:7])
		written[3], written[4], written[5] = read[0], read[2], read[3]
		return nil
	},
	Tables: table.Accelerator{Calls: "EXCHANGE", Cells: 80},
	Declare: func(*air.Buses, accelerator.Lookups) accelerator.Circuit {
		return accelerator.Circuit{Call: func(b *air.Builder, _, _ air.Expr, read, written []air.Expr) {
			from := append(slices.Clone(read[8:14]), read[0], read[1], read[4], read[5], read[6], read[7])
			for i, limb := range written {
				b.AssertEqual(fmt.Sprintf("limb %d is the other's", i), limb, from[i])
			}
		}}
	},
}

// reverse writes 32 words at a0 to a1 in reverse order, the maximum that a call may access. The ranges may overlap.
var reverse = accelerator.Kind{
	Name: "reverse", Code: 0x701,
	Operands: []accelerator.Operand{
		{Argument: 0, Words: 32, Slot: 1},
		{Argument: 1, Words: 32, Slot: 2, Writes: true},
	},
	Compute: func(written, read []uint64) error {
		copy(written, read[:32])
		slices.Reverse(written)
		return nil
	},
	Tables: table.Accelerator{Calls: "REVERSE", Cells: 712},
	Declare: func(*air.Buses, accelerator.Lookups) accelerator.Circuit {
		return accelerator.Circuit{Call: func(b *air.Builder, _, _ air.Expr, read, written []air.Expr) {
			twice := b.MainColumns("twice", 1) // a column of its own, which fillers have to write
			b.AssertEqual("twice the first limb", twice[0], read[0].Double())
			for i, limb := range written {
				b.AssertEqual(fmt.Sprintf("limb %d is the other's", i), limb, read[62-i+2*(i%2)])
			}
		}}
	},
}

// fillReverse writes the column that reverse declares.
func fillReverse(cells []goldilocks.Element, read, _ []uint64) {
	cells[0] = goldilocks.Element(2 * (read[0] & (1<<32 - 1)))
}

const exchangeText = `
DEVICE bool compute(const u64 (&read)[7], u64 (&written)[6]) {
    for (u32 i = 0; i < 3; i++) written[i] = read[4 + i], written[3 + i] = i == 0 ? read[0] : read[1 + i];
    return true;
}
template <class C, class R> DEVICE void own_columns(const R &, const u64 (&)[7], const u64 (&)[6]) {}
`

const reverseText = `
DEVICE bool compute(const u64 (&read)[64], u64 (&written)[32]) {
    for (u32 i = 0; i < 32; i++) written[i] = read[31 - i];
    return true;
}
template <class C, class R> DEVICE void own_columns(const R &row, const u64 (&read)[64], const u64 (&)[32]) {
    row.put(C::twice, 2ull * low(read[0]));
}
`

func TestMain(m *testing.M) {
	all.Add(&exchange)
	all.Add(&reverse)
	all.Add(&gather)
	onHost.Add(host.Filler{Kind: &exchange})
	onHost.Add(host.Filler{Kind: &reverse, Call: fillReverse})
	onHost.Add(host.Filler{Kind: &gather})
	onDevices.Add(device.Filler{Kind: &exchange, Call: exchangeText})
	onDevices.Add(device.Filler{Kind: &reverse, Call: reverseText})
	onDevices.Add(device.Filler{Kind: &gather, Call: gatherText})
	os.Exit(m.Run())
}

// call appends a call with a number in a0, or an offset into the data, and offsets into the data in the other
// arguments.
func call(p *riscvtest.Program, kind *accelerator.Kind, arguments ...int64) {
	const a0, a7 = 10, 17
	for i := range 3 {
		switch {
		case i >= len(arguments):
			p.Op(instruction.ADDI, uint8(a0+i), 0, 0, 0)
		case kind.IsNumber(i):
			p.Op(instruction.ADDI, uint8(a0+i), 0, 0, arguments[i])
		default:
			p.Op(instruction.ADDI, uint8(a0+i), riscvtest.DataRegister, 0, arguments[i])
		}
	}
	p.Op(instruction.ADDI, a7, 0, 0, int64(kind.Code))
	p.Op(instruction.ECALL, 0, 0, 0, 0)
}

// calling calls all, on separate, adjacent and shared words.
func calling() *riscvtest.Program {
	p, _ := gathering(slices.Clone(blocks))
	call(p, &exchange, 1234, 0, 64)
	call(p, &exchange, 0, 24, 0)
	call(p, &reverse, 0, 512)
	call(p, &reverse, 8, 0)
	call(p, &reverse, 256, 256)
	for offset := range int64(8) {
		p.Op(instruction.LD, 5, riscvtest.DataRegister, 0, 32*offset)
		p.Dump(5)
	}
	return p
}

// proofOn is a run's proof on a backend.
func proofOn(t *testing.T, b backend.Backend, program *riscv.Program, params prover.Params) []byte {
	t.Helper()
	p, err := prover.New(program.Fillers(), params, b, prover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: []byte{}, MinLogHeight: params.MinLogHeight}
	guest, err := program.Run(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := p.Prove(t.Context(), guest, nil)
	if err = errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Calls of accelerators that are described only by their Kinds satisfy the constraints, and every backend proves them
// with equal bytes.
func TestMadeUpAccelerators(t *testing.T) {
	longtest.Only(t)
	program, err := riscv.New(calling().ELF(false))
	if err != nil {
		t.Fatal(err)
	}
	execution, err := run.Execute(t.Context(), program, run.Input{Data: []byte{}, MinLogHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Fillers().Check(parallel.New(2), execution); err != nil {
		t.Fatal(err)
	}
	test, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	onCPU := proofOn(t, cpu.New(parallel.New(0)), program, test.Params)
	options := gpu.Options{Device: gpu.Software, Seed: 3}
	if os.Getenv("CHIASMUS_DEVICE") == "gpu" { // as for package gpu
		options = gpu.Options{Prebuilt: os.Getenv("CHIASMUS_KERNELS")}
	}
	device, err := gpu.New(options)
	var none *softgpu.NoCompilerError
	switch {
	case errors.As(err, &none) && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	onDevice := proofOn(t, device, program, test.Params)
	if err := device.Shutdown(); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(onCPU, onDevice) {
		t.Error("the device's proof is not the CPU's")
	}
	verify := prover.VerifyOptions{MinBits: prover.AnyBits, Program: program}
	if _, err := prover.Verify(t.Context(), onDevice, verify); err != nil {
		t.Error(err)
	}
}

// Package table counts the cells of a test accelerator as its declaration does.
func TestCellsOfKinds(t *testing.T) {
	program, err := riscv.Known(circuit.Image{Entry: 0x1000}, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for number := range table.Table(table.Count) {
		want[number.String()] = table.Cells(number)
	}
	for _, declared := range program.Machine().Tables {
		have := len(declared.Main) + declared.AuxiliaryColumns()
		if cells, counted := want[declared.Name]; counted && have != cells {
			t.Errorf("a row of %s has %d cells, package table says %d", declared.Name, have, cells)
		}
	}
}

// Operands that are written at one slot may not share words, in any order. Other operands may.
func TestOverlaps(t *testing.T) {
	for _, offsets := range [][2]int64{{0, 16}, {16, 0}, {0, 0}} {
		p := riscvtest.NewProgram(make([]byte, 512))
		call(p, &exchange, 7, offsets[0], offsets[1])
		_, err := emulator.Run(t.Context(), riscvtest.Load(t, p.ELF(false)), memory.Inputs{}, emulator.Options{})
		var trap *emulator.Trap
		if !errors.As(err, &trap) || trap.Kind != emulator.CallRefused || !strings.Contains(err.Error(), "overlap") {
			t.Errorf("words at %d: %v, want a call that is refused as they overlap", offsets, err)
		}
	}
}
