package elf_test

import (
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

const (
	text = 0x10000
	data = 0x20000
)

// small is a file of three instructions and two words of data.
func small(change func(segments []riscvtest.Segment) (entry uint64)) []byte {
	segments := []riscvtest.Segment{
		{Address: text, Flags: riscvtest.RX, Data: riscvtest.Words(0x05d00893, 0x00000513, 0x73)},
		{Address: data, Flags: riscvtest.RW, Data: make([]byte, 16)},
	}
	entry := uint64(text)
	if change != nil {
		entry = change(segments)
	}
	return riscvtest.ELF(entry, segments...)
}

// place is small with its data at another address.
func place(address, size uint64) []byte {
	return small(func(s []riscvtest.Segment) uint64 {
		s[1].Address, s[1].Size = address, size
		s[1].Data = nil
		return text
	})
}

// patch replaces bytes of small.
func patch(offset int, with ...byte) []byte {
	file := small(nil)
	copy(file[offset:], with)
	return file
}

const firstHeader, secondHeader = 64, 64 + 56

func le(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func TestLoadRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		file []byte
		want string // in the error
	}{
		{"nothing", nil, "not an ELF file"},
		{"short", small(nil)[:63], "not an ELF file"},
		{"no magic", patch(1, 'e'), "not an ELF file"},
		{"32 bits", patch(4, 1), "class 1, want 2"},
		{"big-endian", patch(5, 2), "encoding 2, want 1"},
		{"x86-64", patch(18, 62, 0), "machine 62, want 243"},
		{"shared object", patch(16, 3), "type 3, want 2"},
		{"compressed", patch(48, 1), "compressed instructions"},
		{"hard float", patch(48, 4), "float registers"},
		{"RV64E", patch(48, 8), "16 registers"},
		{"header size", patch(54, 64, 0), "headers of 64 bytes, want 56"},
		{"headers outside", patch(32, le(1<<40)...), "outside the file"},
		{"headers at the end", patch(32, le(uint64(len(small(nil))-56))...), "outside the file"},
		{"too many headers", patch(56, 0xff, 0xff), "outside the file"},
		{"dynamic", patch(firstHeader, 3), "dynamic linker"},
		{"more in the file than in memory", patch(secondHeader+40, le(15)...),
			"segment at 0x20000 has 16 bytes in the file and 15 in memory"},
		{"bytes outside the file", patch(secondHeader+8, le(1<<62)...), "of a file of"},
		{"bytes over the file's end", patch(secondHeader+8, le(uint64(len(small(nil))-8))...), "of a file of"},
		{"bytes that overflow", patch(secondHeader+8, le(1<<64-8)...), "of a file of"},
		{"writable code", small(func(s []riscvtest.Segment) uint64 { s[0].Flags = 7; return text }),
			"segment 0x10000 to 0x1000c is writable and executable"},
		{"overlap", place(text+8, 16), "segment 0x10000 to 0x1000c and segment 0x10008 to 0x10018 overlap"},
		{"overlap by zeros", small(func(s []riscvtest.Segment) uint64 { s[0].Size = data - text + 1; return text }),
			"overlap"},
		{"same place", place(text, 16), "overlap"},
		{"below memory", place(0x7f8, 16), "0x7f8 lies outside memory"},
		{"after memory", place(1<<32-1<<11-8, 16), "outside memory"},
		{"huge zeros", place(data, 1<<40), "1099511627776 bytes at 0x20000 lies outside memory"},
		{"zeros that overflow", place(data, 1<<64-1), "outside memory"},
		{"far away", place(1<<63, 16), "outside memory"},
		{"low code", small(func(s []riscvtest.Segment) uint64 { s[0].Address = 0x800; return 0x800 }),
			"multiple of 4 from 0x1000"},
		{"misaligned code", small(func(s []riscvtest.Segment) uint64 { s[0].Address = text + 2; return text + 4 }),
			"multiple of 4"},
		{"over the private input's start", place(0x7ffffff9, 8), "private input at 0x80000000 to 0x88000000"},
		{"over the private input's end", place(0x87fffffc, 8), "private input"},
		{"over the public input", place(0xa0010007, 8), "public input"},
		{"over the public output", place(0xaffffff1, 16), "public output"},
		{"in the public output", place(0xb0000000, 8), "public output"},
		{"misaligned entry", small(func([]riscvtest.Segment) uint64 { return text + 2 }),
			"entry 0x10002 is not a multiple of 4"},
		{"entry in data", small(func([]riscvtest.Segment) uint64 { return data }),
			"entry 0x20000 lies in no executable segment"},
		{"entry outside", small(func([]riscvtest.Segment) uint64 { return 1 << 40 }), "no executable segment"},
		{"entry after code", small(func([]riscvtest.Segment) uint64 { return text + 12 }), "no executable segment"},
	} {
		bytes, err := load(tc.file)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want an error with %q", tc.name, err, tc.want)
		}
		if bytes > fewBytes {
			t.Errorf("%s: %d bytes of memory, want at most %d", tc.name, bytes, fewBytes)
		}
	}
}

// Files that barely avoid each reason for rejection.
func TestLoadAccepts(t *testing.T) {
	for name, file := range map[string][]byte{
		"small":                      small(nil),
		"at memory's start":          place(0x800, 16),
		"at memory's end":            place(1<<32-1<<11-16, 16),
		"before the private input":   place(0x7ffffff0, 16),
		"after the private input":    place(0x88000000, 16),
		"after the public input":     place(0xa0010008, 16),
		"after the public output":    place(0xb0010008, 16),
		"touching":                   place(text+12, 16),
		"empty":                      place(text, 0),
		"most zeros":                 place(data, 0x80000000-data),
		"entry in a segment's zeros": small(func(s []riscvtest.Segment) uint64 { s[0].Size = 32; return text + 16 }),
		"code that is not readable":  small(func(s []riscvtest.Segment) uint64 { s[0].Flags = 1; return text }),
		"segments that are not in an order": small(func(s []riscvtest.Segment) uint64 {
			s[0], s[1] = s[1], s[0]
			return text
		}),
	} {
		if bytes, err := load(file); err != nil || bytes > fewBytes {
			t.Errorf("%s: %v, %d bytes of memory", name, err, bytes)
		}
	}
}

// fewBytes limits the memory for loading a small file, whatever its segments claim.
const fewBytes = 64 << 10

// load loads a file and returns the memory that this took.
func load(file []byte) (bytes uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = elf.Load(file)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// The order of program headers does not change a program; all other contents do.
func TestImageDigest(t *testing.T) {
	digest := func(file []byte) [32]byte {
		f, err := elf.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		return f.ImageDigest()
	}
	base := digest(small(nil))
	if digest(small(func(s []riscvtest.Segment) uint64 { s[0], s[1] = s[1], s[0]; return text })) != base {
		t.Error("the order of segments changes the image")
	}
	if digest(append(small(nil), "something after"...)) != base {
		t.Error("bytes that belong to no segment change the image")
	}
	seen := map[[32]byte]string{base: "small"}
	for name, file := range map[string][]byte{
		"entry":   small(func([]riscvtest.Segment) uint64 { return text + 4 }),
		"bytes":   small(func(s []riscvtest.Segment) uint64 { s[1].Data[15] = 1; return text }),
		"zeros":   small(func(s []riscvtest.Segment) uint64 { s[1].Size = 17; return text }),
		"address": small(func(s []riscvtest.Segment) uint64 { s[1].Address += 8; return text }),
		"flags":   small(func(s []riscvtest.Segment) uint64 { s[1].Flags = 4; return text }),
		"less":    small(func(s []riscvtest.Segment) uint64 { s[1].Size, s[1].Data = 16, s[1].Data[:8]; return text }),
	} {
		if other, ok := seen[digest(file)]; ok {
			t.Errorf("%s has the image of %s", name, other)
		}
		seen[digest(file)] = name
	}
}

// Segments that meet in a word share it.
func TestImageWordsMerge(t *testing.T) {
	f, err := elf.Load(small(func(s []riscvtest.Segment) uint64 {
		s[1].Address, s[1].Data = text+12, []byte{1, 2, 3, 4, 5}
		return text
	}))
	if err != nil {
		t.Fatal(err)
	}
	words := f.ImageWords()
	var indexes []uint32
	for _, w := range words {
		indexes = append(indexes, w.Index)
	}
	if !slices.Equal(indexes, []uint32{text / 8, text/8 + 1, text/8 + 2}) || words[1].Value != 0x04030201_00000073 ||
		words[2].Value != 5 {
		t.Errorf("the image has the words %x", words)
	}
}

// The image is limited by the words that it touches, and words that segments share count once.
func TestImageLimit(t *testing.T) {
	const most = 8 << 20
	load := func(bytes int, split int) error {
		_, err := elf.Load(small(func(s []riscvtest.Segment) uint64 {
			s[1].Data = make([]byte, bytes-16)
			if split > 0 {
				s[0].Data = append(s[0].Data, make([]byte, 4)...)
			}
			return text
		}))
		return err
	}
	if err := load(most, 0); err != nil {
		t.Errorf("an image of 2^20 words: %v", err)
	}
	if err := load(most+1, 0); err == nil || !strings.Contains(err.Error(), "8 MiB") {
		t.Errorf("an image of 2^20 + 1 words: %v", err)
	}
}

// A file cannot make its reader take more memory than the file's own size, whatever it claims.
func TestHostileFilesTakeLittleMemory(t *testing.T) {
	// 65,535 headers that all name the same bytes, at different addresses.
	const count = 65535
	file := small(nil)
	body := make([]byte, 4096)
	headers := make([]byte, 0, count*56)
	for i := range uint64(count) {
		var h [56]byte
		binary.LittleEndian.PutUint32(h[0:], 1)
		binary.LittleEndian.PutUint32(h[4:], 4)
		binary.LittleEndian.PutUint64(h[8:], 64+count*56)
		binary.LittleEndian.PutUint64(h[16:], 0x100000+i*0x2000)
		binary.LittleEndian.PutUint64(h[32:], 4096)
		binary.LittleEndian.PutUint64(h[40:], 4096)
		headers = append(headers, h[:]...)
	}
	binary.LittleEndian.PutUint64(file[32:], 64)
	binary.LittleEndian.PutUint16(file[56:], count)
	hostile := append(append(file[:64:64], headers...), body...)
	taken, err := load(hostile)
	if err == nil {
		t.Error("a file with 256 MiB of image is accepted")
	}
	if taken > 64<<20 {
		t.Errorf("refusing a file of %d bytes took %d bytes: %v", len(hostile), taken, err)
	}
}

func TestSymbols(t *testing.T) {
	f, err := elf.Load(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	if at := f.Symbols.Describe(f.Entry); at != "_start" {
		t.Errorf("the entry is %q, want _start", at)
	}
	if at := f.Symbols.Describe(f.Entry + 8); at != "_start+0x8" {
		t.Errorf("the third instruction is %q", at)
	}
	if at := f.Symbols.Describe(0x800); at != "" {
		t.Errorf("0x800 is %q", at)
	}
	named := map[string]bool{}
	for i, s := range f.Symbols {
		named[s.Name] = true
		if i > 0 && s.Address <= f.Symbols[i-1].Address {
			t.Errorf("%s is not after %s", s.Name, f.Symbols[i-1].Name)
		}
	}
	for _, name := range []string{"main", "fib_loop", "write_output", "_exit"} {
		if !named[name] {
			t.Errorf("there is no symbol %s in %v", name, f.Symbols)
		}
	}
}

// Names of Rust and C++ are described as their source has them.
func TestDescribeDemangles(t *testing.T) {
	symbols := elf.Symbols{{Name: "_RNvCscNtu0WVnDwX_5rtrap3bad", Address: 16}, {Name: "_ZN3sum3addEii", Address: 32},
		{Name: "_start", Address: 64}}
	for address, want := range map[uint64]string{
		8: "", 16: "rtrap::bad", 24: "rtrap::bad+0x8", 32: "sum::add", 64: "_start",
	} {
		if at := symbols.Describe(address); at != want {
			t.Errorf("%d is %q, want %q", address, at, want)
		}
	}
}

// A damaged symbol table is ignored; the program does not change.
func TestDamagedSymbolsAreNone(t *testing.T) {
	good := riscvtest.Guest(t, "fib")
	f, err := elf.Load(good)
	if err != nil {
		t.Fatal(err)
	}
	sections := binary.LittleEndian.Uint64(good[40:])
	for name, damage := range map[string]func(file []byte){
		"sections outside":   func(file []byte) { binary.LittleEndian.PutUint64(file[40:], 1<<63) },
		"section size":       func(file []byte) { file[58] = 1 },
		"all sections wrong": func(file []byte) { clear(file[sections:]) },
		"sections cut":       func(file []byte) { binary.LittleEndian.PutUint64(file[40:], uint64(len(file))-10) },
	} {
		file := slices.Clone(good)
		damage(file)
		damaged, err := elf.Load(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if len(damaged.Symbols) > 0 || damaged.ImageDigest() != f.ImageDigest() {
			t.Errorf("%s: %d symbols, image %x", name, len(damaged.Symbols), damaged.ImageDigest())
		}
	}
}
