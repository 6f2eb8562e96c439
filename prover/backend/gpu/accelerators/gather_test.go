package accelerators

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// gather has every form of operand: a number, a block at an argument, ranges whose base addresses are in the block or
// in another range, ranges at offsets of shared base addresses, and separately addressed written ranges.
var gather = accelerator.Kind{
	Name: "gather", Code: 0x702,
	Operands: []accelerator.Operand{
		{Argument: 1},
		{Argument: 0, Words: 4}, // words 0 to 3: the block
		{Pointer: accelerator.PointerIn(0), Words: 3},                                    // words 4 to 6: x
		{Pointer: accelerator.PointerIn(1), Words: 3, Slot: 1},                           // words 7 to 9: y
		{Pointer: accelerator.PointerIn(1), Offset: 5, Words: 2, Slot: 1},                // words 10, 11: z
		{Pointer: accelerator.PointerIn(3), Words: 3, Slot: 2, Writes: true},             // words 12 to 14: u
		{Pointer: accelerator.PointerIn(10), Offset: 1, Words: 2, Slot: 2, Writes: true}, // words 15, 16: v
		{Argument: 0, Offset: 6, Words: 1, Slot: 2, Writes: true},                        // word 17, after the block
	},
	Compute: func(written, read []uint64) error {
		for i, from := range gathered {
			written[i] = read[from]
		}
		return nil
	},
	Tables: table.Accelerator{Calls: "GATHER", Cells: 199},
	Declare: func(*air.Buses, accelerator.Lookups) accelerator.Circuit {
		return accelerator.Circuit{Call: func(b *air.Builder, _, _ air.Expr, read, written []air.Expr) {
			for i, limb := range written {
				b.AssertEqual(fmt.Sprintf("limb %d is the one gathered", i), limb, read[2*gathered[i/2]+i%2])
			}
		}}
	},
}

// gathered are the indices of the written words among those read: the number, then words of memory. u is y[0], x[2] and
// z[1], v is the number and x[0], and after the block comes its own word 2.
var gathered = [6]int{8, 7, 12, 0, 5, 3}

const gatherText = `
DEVICE bool compute(const u64 (&read)[19], u64 (&written)[6]) {
    const u32 from[6] = {8, 7, 12, 0, 5, 3};
    for (u32 i = 0; i < 6; i++) written[i] = read[from[i]];
    return true;
}
template <class C, class R> DEVICE void own_columns(const R &, const u64 (&)[19], const u64 (&)[6]) {}
`

// block is a call of gather: the addresses of its block, x, y, u and v, and the number. z is five words after y's base.
type block struct{ at, x, y, u, v, number uint64 }

// data is an address in the program's data.
func data(offset uint64) uint64 { return riscvtest.DataAddress + offset }

// blocks are calls on separate, adjacent and shared ranges, and at both ends of memory. No call changes the pointers of
// a later one.
var blocks = []block{
	{data(0), data(64), data(96), data(160), data(192), 1234},
	{data(256), data(320), data(320), data(344), data(376), 1},           // x and y are one, then adjacent ones
	{data(512), data(560), data(552), data(576), data(504), 2},           // u overlaps y and x, v the block
	{data(768), data(768 + 32), data(832), data(768), data(832 + 16), 0}, // u is the block, v is in y and z
	{data(1024), data(832 + 40), data(1088), data(1152), data(1168), 3},  // x is an earlier z, u precedes v
	{data(1280), memorymap.First, data(1344), memorymap.End - 24, data(1400), 2047},
	{data(1536), memorymap.PrivateInput, data(1600), data(1664), memorymap.First - 8, 5},
	{data(1792), memorymap.End - 24, data(1856), memorymap.First, memorymap.End - 64, 6},
}

// put writes the block's pointers into data, with a plain word between them.
func (b *block) put(words []byte) {
	set := func(address, word uint64) { binary.LittleEndian.PutUint64(words[address-data(0):], word) }
	set(b.at, b.x)
	set(b.at+8, b.y)
	set(b.at+24, b.u)
	set(b.y+40, b.v)
}

// add appends the call.
func (b *block) add(p *riscvtest.Program) { call(p, &gather, int64(b.at-data(0)), int64(b.number)) }

// gathering is a program of some calls, and the cycle of each.
func gathering(blocks []block) (p *riscvtest.Program, cycles []uint64) {
	words := riscvtest.Random(9, 0).Data
	for i := range blocks {
		blocks[i].put(words)
	}
	p = riscvtest.NewProgram(words)
	for i := range blocks {
		blocks[i].add(p)
		cycles = append(cycles, uint64(len(p.Text)))
	}
	return p, cycles
}

// tracesOf executes a program and fills its tables.
func tracesOf(t *testing.T, elf []byte) (*riscv.Program, *riscv.Execution, []air.Instance) {
	t.Helper()
	program, err := riscv.New(elf)
	if err != nil {
		t.Fatal(err)
	}
	execution, err := run.Execute(t.Context(), program, run.Input{Data: []byte("private"), MinLogHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	traces, err := program.Fillers().Traces(parallel.New(2), execution)
	if err != nil {
		t.Fatal(err)
	}
	return program, execution.(*riscv.Execution), traces
}

// of returns the trace of a table with one instance.
func of(traces []air.Instance, name string) *air.Instance {
	return &traces[slices.IndexFunc(traces, func(i air.Instance) bool { return i.Table.Name == name })]
}

// cell returns a cell of a trace.
func cell(in *air.Instance, name string, row int) *goldilocks.Element {
	return &in.Trace.Main[slices.Index(in.Table.Main, name)][row]
}

// memoryModel is the words of memory, and the time of each word's last access.
type memoryModel struct{ words, times map[uint64]uint64 }

// access returns a word, and the time of its previous access.
func (m *memoryModel) access(address, time uint64) (word, previous uint64) {
	previous, m.times[address] = m.times[address], time
	return m.words[address], previous
}

// row returns the cells of a call at a cycle, as the operands' comments describe it, and performs the call.
func (m *memoryModel) row(b block, cycle uint64) map[string]uint64 {
	row := map[string]uint64{"m": 1, "ts": 4 * cycle, "word[0]": b.at / 8, "word[1]": b.number}
	read, places := []uint64{b.number}, []uint64{0}
	for _, r := range []struct{ address, words, slot uint64 }{{b.at, 4, 0}, {b.x, 3, 0}, {b.y, 3, 1}, {b.y + 40, 2, 1},
		{b.u, 3, 2}, {b.v + 8, 2, 2}, {b.at + 48, 1, 2}} {
		for i := range r.words {
			address, time, at := r.address+8*i, 4*cycle+r.slot, len(read)-1
			word, previous := m.access(address, time)
			row[fmt.Sprintf("previous[%d]", at)] = previous
			row[fmt.Sprintf("gap[%d]", at)] = (time - previous - 1) >> 14
			row[fmt.Sprintf("read[%d]", 2*at)], row[fmt.Sprintf("read[%d]", 2*at+1)] = word&0xffffffff, word>>32
			read, places = append(read, word), append(places, address)
		}
	}
	for i, from := range gathered {
		word := read[from]
		row[fmt.Sprintf("written[%d]", 2*i)], row[fmt.Sprintf("written[%d]", 2*i+1)] = word&0xffffffff, word>>32
		m.words[places[len(places)-len(gathered)+i]] = word
	}
	return row
}

// Every cell of the calls is a model's.
func TestGatherIsTheModel(t *testing.T) {
	p, cycles := gathering(slices.Clone(blocks))
	_, _, traces := tracesOf(t, p.ELF(false))
	m := memoryModel{map[uint64]uint64{memorymap.PrivateInput: 7}, map[uint64]uint64{memorymap.PrivateInput: 1}}
	m.words[memorymap.PrivateInput+8], m.times[memorymap.PrivateInput+8] = 0x65746176697270, 1 // private
	for i := uint64(0); i < uint64(len(p.Data)); i += 8 {
		m.words[data(i)], m.times[data(i)] = binary.LittleEndian.Uint64(p.Data[i:]), 1
	}
	in := of(traces, "GATHER")
	for row, b := range blocks {
		want := m.row(b, cycles[row])
		if names := slices.Sorted(maps.Keys(want)); !slices.Equal(names, slices.Sorted(slices.Values(in.Table.Main))) {
			t.Fatalf("the model has the columns %s, the table %s", names, in.Table.Main)
		}
		for name, v := range want {
			if have := *cell(in, name, row); have != goldilocks.Element(v) {
				t.Errorf("row %d, column %s: %d, the model has %d", row, name, have, v)
			}
		}
	}
	for _, column := range in.Trace.Main {
		if slices.ContainsFunc(column[len(blocks):], func(v goldilocks.Element) bool { return v != 0 }) {
			t.Error("a row after the calls is not 0")
		}
	}
}

// Calls that riscvtest draws, with pointers and offsets, satisfy the constraints.
func TestDrawnCallsHold(t *testing.T) {
	p, random := riscvtest.NewProgram(nil), rand.New(rand.NewPCG(1, 2))
	for _, kind := range []*accelerator.Kind{&gather, &exchange} {
		if !riscvtest.HasExamples(kind) {
			t.Errorf("calls of %s on arbitrary addresses would be refused", kind.Name)
		}
		for i := range 5 {
			p.Example(kind, i, random)
		}
	}
	program, execution, traces := tracesOf(t, p.ELF(false))
	if err := program.Fillers().Check(parallel.New(2), execution); err != nil {
		t.Error(err)
	}
	if in := of(traces, "GATHER"); *cell(in, "m", 4) != 1 || *cell(in, "m", 5) != 0 {
		t.Error("the table does not have five calls")
	}
}
