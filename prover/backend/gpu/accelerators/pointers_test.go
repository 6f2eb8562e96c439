package accelerators

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// separate is a call whose ranges share no word.
var separate = block{data(0), data(64), data(96), data(160), data(192), 1234}

// Invalid pointers are refused, with the operand and the pointer's address.
func TestPointersRefused(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(b *block)
		kind   emulator.Kind
		want   string
	}{
		{"a pointer between words", func(b *block) { b.y += 4 }, emulator.CallRefused, "gather: the base address of " +
			"operand 3 (word 1 of operand 1) is 0x4000064, no multiple of 8; the pointer is at 0x4000008"},
		{"a pointer between words, from a range", func(b *block) { b.v++ }, emulator.CallRefused, "the base address of " +
			"operand 6 (word 0 of operand 4 + 8) is 0x40000c1, no multiple of 8; the pointer is at 0x4000088"},
		{"null", func(b *block) { b.x = 0 }, emulator.AccessOutside, "gather: the 3 words of operand 2 (word 0 of " +
			"operand 1) at 0x0 are not in memory (0x800 to 0xfffff800); the pointer is at 0x4000000"},
		{"a pointer below memory", func(b *block) { b.u = 0x7f8 }, emulator.AccessOutside,
			"the 3 words of operand 5 (word 3 of operand 1) at 0x7f8 are not in memory"},
		{"a range over memory's end", func(b *block) { b.u = 0xfffff800 - 16 }, emulator.AccessOutside,
			"the 3 words of operand 5 (word 3 of operand 1) at 0xfffff7f0 are not in memory"},
		{"an offset over memory's end", func(b *block) { b.v = 0xfffff800 - 16 }, emulator.AccessOutside,
			"the 2 words of operand 6 (word 0 of operand 4 + 8) at 0xfffff7f8 are not in memory"},
		{"a pointer above 2^32", func(b *block) { b.x += 1 << 32 }, emulator.AccessOutside,
			"the 3 words of operand 2 (word 0 of operand 1) at 0x104000040 are not in memory"},
		{"an offset that wraps", func(b *block) { b.v = 1<<64 - 8 }, emulator.AccessOutside,
			"the 2 words of operand 6 (word 0 of operand 4 + 8) at 0x0 are not in memory"},
		{"written ranges that overlap", func(b *block) { b.v = b.u + 8 }, emulator.CallRefused, "gather: the words of " +
			"operand 5 (word 3 of operand 1) at 0x40000a0 and of operand 6 (word 0 of operand 4 + 8) at 0x40000b0 overlap"},
		{"a written range over the block's end", func(b *block) { b.u = b.at + 32 }, emulator.CallRefused, "the words of " +
			"operand 5 (word 3 of operand 1) at 0x4000020 and of operand 7 (a0 + 48) at 0x4000030 overlap"},
		{"a range read in the block", func(b *block) { b.x = b.at + 24 }, emulator.CallRefused, "the words of a0 at " +
			"0x4000000 and of operand 2 (word 0 of operand 1) at 0x4000018 overlap"},
	} {
		b := separate
		tc.change(&b)
		p := riscvtest.NewProgram(make([]byte, 512))
		b.put(p.Data)
		b.add(p)
		_, err := emulator.Run(t.Context(), riscvtest.Load(t, p.ELF(false)), memory.Inputs{}, emulator.Options{})
		var trap *emulator.Trap
		if !errors.As(err, &trap) || trap.Kind != tc.kind || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

// The host's replay refuses a trace whose pointers are invalid.
func TestReplayRefusesPointers(t *testing.T) {
	p, _ := gathering([]block{separate})
	program := riscvtest.Load(t, p.ELF(false))
	_, trace, err := emulator.Record(t.Context(), program, memory.Inputs{}, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const pointer = 10 // of v, among the words that the call reads
	for want, v := range map[string]uint64{
		"":          separate.v,
		"overlap":   separate.u + 8,
		"operand 6": separate.v + 4,
		"is 0x7f0":  0x7f0,
	} {
		trace.Log[pointer] = v
		_, err := replay.Build(t.Context(), parallel.New(1), program, memory.Inputs{}, trace)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("pointer %#x: %v, want %q", v, err, want)
		}
	}
}

// forgery is a cheating prover's run: the tables of a valid call, but a program in whose memory the call's pointers are
// others.
type forgery struct {
	t       *testing.T
	program *riscv.Program
	run     *riscv.Execution
	image   []byte // the program's data
	traces  []air.Instance
}

// forge fills the tables of a valid call, and declares the machine of the program with a changed block, which the
// emulator refuses. Image and boundary have the new pointers; the call's row does not.
func forge(t *testing.T, change func(b *block)) *forgery {
	t.Helper()
	b := separate
	p, _ := gathering([]block{b})
	_, run, traces := tracesOf(t, p.ELF(false))
	change(&b)
	before := slices.Clone(p.Data)
	b.put(p.Data)
	other, err := riscv.New(p.ELF(false))
	if err != nil {
		t.Fatal(err)
	}
	f := &forgery{t, other, run, p.Data, traces}
	for i := range traces {
		for _, table := range other.Machine().Tables {
			if table.Name == traces[i].Table.Name {
				traces[i].Table, traces[i].Trace.Preprocessed = table, table.PreprocessedColumns()
			}
		}
	}
	for at := uint64(0); at < uint64(len(before)); at += 8 {
		if word := wordAt(p.Data, at); word != wordAt(before, at) {
			f.final(data(at), 0, word)
		}
	}
	return f
}

// final changes the last token of a word: its value, and its time if that is not 0.
func (f *forgery) final(address, time, word uint64) {
	f.t.Helper()
	in := of(f.traces, "MB")
	row := slices.Index(in.Trace.Main[slices.Index(in.Table.Main, "w")], goldilocks.Element(address/8))
	if row < 0 {
		f.t.Fatalf("the boundary has no word at %#x", address)
	}
	*cell(in, "lo", row), *cell(in, "hi", row) = goldilocks.Element(word&0xffffffff), goldilocks.Element(word>>32)
	if time > 0 {
		*cell(in, "fts", row) = goldilocks.Element(time)
	}
}

// refused returns what refuses the forgery: a constraint of GATHER or a bus. It fails if other constraints do, too.
func (f *forgery) refused() string {
	f.t.Helper()
	public := f.run.Public()
	messages := f.program.Machine().Messages(public)
	air.CountLookups(f.traces, public.Values, messages)
	broken := map[string]bool{}
	for _, in := range f.traces {
		for _, v := range in.Table.Violations(in.Trace, public.Values, nil, 0) {
			broken[v.Table+": "+v.Constraint] = true
		}
	}
	var imbalance *air.Imbalance
	if errors.As(air.CheckBuses(f.traces, public.Values, messages), &imbalance) {
		broken["bus "+imbalance.Bus] = true
	}
	if len(broken) > 1 {
		f.t.Errorf("refused by %v, want one reason", broken)
	}
	for name := range broken {
		return name
	}
	return ""
}

// A call with an invalid pointer is refused even if everything else agrees with it: the program's image, the boundary,
// and the call's row as far as possible.
func TestForgedPointers(t *testing.T) {
	const m = "bus M"
	set := func(in *air.Instance, column string, v uint64) { *cell(in, column, 0) = goldilocks.Element(v) }
	for _, tc := range []struct {
		name   string
		change func(b *block)
		lie    func(f *forgery, row *air.Instance)
		want   string // "" if nothing refuses
	}{
		{"the truth", func(*block) {}, func(*forgery, *air.Instance) {}, ""},
		{"a pointer above 2^32", func(b *block) { b.x += 1 << 32 }, func(_ *forgery, row *air.Instance) {
			set(row, "read[1]", 1)
		}, "GATHER: the address in word 0 is below 2^32"},
		{"a pointer above 2^32, from a range", func(b *block) { b.v += 1 << 63 }, func(_ *forgery, row *air.Instance) {
			set(row, "read[21]", 1<<31)
		}, "GATHER: the address in word 10 is below 2^32"},
		{"a high limb that memory does not hold", func(b *block) { b.x += 1 << 32 }, func(*forgery, *air.Instance) {}, m},
		{"a pointer between words", func(b *block) { b.u += 4 }, func(_ *forgery, row *air.Instance) {
			set(row, "read[6]", separate.u+4)
		}, m},
		{"a pointer between words, as if it were aligned", func(b *block) { b.u += 4 }, func(*forgery, *air.Instance) {}, m},
		{"null", func(b *block) { b.x = 0 }, func(_ *forgery, row *air.Instance) { set(row, "read[0]", 0) }, m},
		{"a pointer outside memory", func(b *block) { b.x = 0xfffff800 }, func(_ *forgery, row *air.Instance) {
			set(row, "read[0]", 0xfffff800)
		}, m},
		{"another range than the pointer's", func(*block) {}, func(_ *forgery, row *air.Instance) {
			set(row, "read[0]", separate.y)
		}, m},
		{"another block than the argument's", func(*block) {}, func(_ *forgery, row *air.Instance) {
			set(row, "word[0]", separate.at/8+1)
		}, "bus CALL"},
		{"written ranges that overlap", func(b *block) { b.v = b.u + 8 }, (*forgery).overlap, "bus R20"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := forge(t, tc.change)
			tc.lie(f, of(f.traces, "GATHER"))
			if have := f.refused(); have != tc.want {
				t.Errorf("refused by %q, want %q", have, tc.want)
			}
		})
	}
}

// overlap makes the first word of v the last word of u, which is read as u left it and then written again at the same
// time.
func (f *forgery) overlap(row *air.Instance) {
	limbs := func(column string, at int) (low, high *goldilocks.Element) {
		return cell(row, fmt.Sprintf("%s[%d]", column, 2*at), 0), cell(row, fmt.Sprintf("%s[%d]", column, 2*at+1), 0)
	}
	put := func(at int, word uint64) {
		low, high := limbs("read", at)
		*low, *high = goldilocks.Element(word&0xffffffff), goldilocks.Element(word>>32)
	}
	written := func(at int) uint64 {
		low, high := limbs("written", at)
		return uint64(*low) | uint64(*high)<<32
	}
	const u, v = 160, 200 // of the valid call
	time := uint64(*cell(row, "ts", 0)) + 2
	put(10, data(u+8))
	put(15, written(2))
	*cell(row, "previous[15]", 0), *cell(row, "gap[15]", 0) = goldilocks.Element(time), 0
	put(16, wordAt(f.image, u+24))
	f.final(data(u+16), time, written(3))
	f.final(data(u+24), time, written(4))
	for at := uint64(v); at <= v+8; at += 8 {
		f.final(data(at), 1, wordAt(f.image, at))
	}
}

func wordAt(words []byte, at uint64) uint64 { return binary.LittleEndian.Uint64(words[at:]) }
