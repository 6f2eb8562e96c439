package accelerator

import (
	"strings"
	"testing"
)

// Violates each rule of operands separately.
func TestCheck(t *testing.T) {
	read := func(argument, words int, slot uint32) Operand {
		return Operand{Argument: argument, Words: words, Slot: slot}
	}
	write := func(argument, words int, slot uint32) Operand {
		return Operand{Argument: argument, Words: words, Slot: slot, Writes: true}
	}
	after := func(offset int, o Operand) Operand {
		o.Offset = offset
		return o
	}
	in := func(word int, o Operand) Operand {
		o.Pointer = PointerIn(word)
		return o
	}
	var many []Operand
	for i := range 64 {
		many = append(many, after(3*i, write(0, 1, 2)))
	}
	for _, tc := range []struct {
		operands []Operand
		want     string // "" if the rules hold
	}{
		{[]Operand{write(0, 64, 2)}, ""},
		{[]Operand{read(2, 4, 0), read(1, 4, 1), write(0, 4, 2)}, ""},
		{[]Operand{read(1, 4, 0), read(2, 4, 0), write(0, 4, 2)}, ""},
		{[]Operand{read(2, 0, 0), write(0, 8, 0), write(1, 8, 0)}, ""},
		{[]Operand{read(0, 4, 0), write(0, 4, 2)}, ""},
		{[]Operand{read(0, 4, 2), after(4, read(0, 4, 2)), read(1, 1, 2), in(0, read(0, 3, 2))}, "writes nothing"},
		{[]Operand{read(1, 0, 0), read(0, 2, 0), in(1, read(0, 4, 0)), in(5, after(7, write(0, 4, 2))),
			in(1, write(0, 4, 2)), in(0, write(0, 4, 2)), after(maxOffset, write(0, 1, 2))}, ""},
		{many, ""},

		{[]Operand{read(3, 4, 0), write(0, 4, 2)}, "argument 3 is not one of a0 to a2"},
		{[]Operand{read(-1, 4, 0), write(0, 4, 2)}, "argument -1 is not one of a0 to a2"},
		{[]Operand{write(1, 4, 2)}, "no operand has argument a0, but one has a1"},
		{[]Operand{read(0, 4, 0), in(0, read(0, 4, 0)), write(2, 4, 2)}, "no operand has argument a1, but one has a2"},
		{[]Operand{read(0, 0, 0), read(0, 4, 0), write(1, 4, 2)}, "argument a0 is a number, and operand 0 has it too"},
		{[]Operand{read(0, 0, 0), read(0, 0, 0), write(1, 4, 2)}, "argument a0 is a number, and operand 0 has it too"},
		{[]Operand{read(0, 4, 0), in(1, write(1, 4, 2))}, "the base address is in word 1 of memory, so it cannot be in a1"},
		{[]Operand{read(0, 4, 0), in(4, write(0, 4, 2))}, "in word 4 of memory, but earlier operands only read 4 words"},
		{[]Operand{read(0, 4, 0), in(-1, write(0, 4, 2))}, "in word -1 of memory"},
		{[]Operand{in(0, read(0, 4, 0)), write(0, 4, 2)}, "in word 0 of memory, but earlier operands only read 0 words"},
		{[]Operand{read(0, 0, 0), in(0, write(0, 4, 2))}, "in word 0 of memory, but earlier operands only read 0 words"},
		{[]Operand{read(0, 4, 0), write(1, 4, 2), in(4, write(0, 4, 2))}, "but earlier operands only read 4 words"},
		{[]Operand{after(-1, write(0, 4, 2))}, "offset -1: want 0 to 65536"},
		{[]Operand{after(maxOffset+1, write(0, 4, 2))}, "offset 65537: want 0 to 65536"},

		{[]Operand{write(0, 4, 3)}, "slots are 0 to 2"},
		{[]Operand{write(0, -1, 2)}, "-1 words"},
		{[]Operand{read(0, 4, 0), read(1, 0, 0), write(2, 4, 2)}, "a number comes before all words"},
		{[]Operand{write(0, 0, 0), write(1, 4, 2)}, "a number comes before all words"},
		{[]Operand{read(0, 0, 1), write(1, 4, 2)}, "a number comes before all words"},
		{[]Operand{after(1, read(0, 0, 0)), write(1, 4, 2)}, "a number comes before all words"},
		{[]Operand{read(0, 4, 0), in(0, read(0, 0, 0)), write(1, 4, 2)}, "a number comes before all words"},
		{[]Operand{read(0, 4, 1), read(1, 4, 0), write(2, 4, 2)}, "slot 0 after slot 1"},
		{[]Operand{write(0, 4, 1), read(1, 4, 2)}, "all operands are written at its slot"},
		{[]Operand{write(0, 4, 1), write(1, 4, 2)}, "all operands are written at its slot"},
		{[]Operand{read(0, 4, 2), write(1, 4, 2)}, "at which others are read"},

		{[]Operand{after(4, read(0, 4, 0)), after(7, read(0, 4, 0))}, "shares words with operand 0, at the same slot"},
		{[]Operand{after(7, write(0, 4, 2)), after(4, write(0, 4, 2))}, "shares words with operand 0, at the same slot"},
		{[]Operand{read(0, 4, 0), in(1, read(0, 9, 1)), in(1, after(8, read(0, 1, 1)))}, "shares words with operand 1"},

		{[]Operand{read(0, 4, 2)}, "writes nothing"},
		{nil, "writes nothing"},
		{[]Operand{read(0, 61, 1), write(1, 4, 2)}, "65 words, at most 64"},
		{append(many, in(0, write(0, 1, 2))), "operand 64: the base address is in word 0"},
		{append(many, write(1, 1, 2)), "65 words, at most 64"},
	} {
		k := &Kind{Name: "tried", Code: 0x7ff, Operands: tc.operands}
		err := k.Check()
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%+v: %v, want %q", tc.operands, err, tc.want)
		}
	}
	for _, code := range []uint32{CodeHalt, CodeNote} {
		if err := (&Kind{Code: code, Operands: []Operand{write(0, 4, 2)}}).Check(); err == nil {
			t.Errorf("code %d is an accelerator's", code)
		}
	}
}

// gathering has every form of operand. Its pointers are in words 0 and 2 of memory.
var gathering = &Kind{Operands: []Operand{
	{Argument: 1},
	{Argument: 0, Words: 2, Slot: 0},
	{Argument: 0, Words: 2, Slot: 1, Offset: 3},
	{Pointer: PointerIn(0), Words: 2, Slot: 2, Writes: true},
	{Pointer: PointerIn(2), Words: 3, Slot: 2, Offset: 4, Writes: true},
}}

// An operand is named by the origin of its base address.
func TestDescribe(t *testing.T) {
	for i, want := range []string{"a1", "a0", "operand 2 (a0 + 24)", "operand 3 (word 0 of operand 1)",
		"operand 4 (word 0 of operand 2 + 32)"} {
		if have := gathering.Describe(i); have != want {
			t.Errorf("operand %d is %q, want %q", i, have, want)
		}
	}
	if n := gathering.Arguments(); n != 2 {
		t.Errorf("%d arguments, want 2", n)
	}
}

// The first word follows the base address by the offset. A base that is no multiple of 8, words outside memory, and
// sums that wrap around 2^32 or 2^64 are detected.
func TestFirst(t *testing.T) {
	arguments, words := [3]uint32{0x2000, 7, 9}, []uint64{0x3000, 1, 0x4000}
	for i, want := range []uint32{2: 0x2018 / 8, 3: 0x3000 / 8, 4: 0x4020 / 8} {
		if want == 0 {
			continue
		}
		o := &gathering.Operands[i]
		if have, ok := o.First(o.Base(arguments, words)); have != want || !ok {
			t.Errorf("operand %d starts at word %#x (%t), want %#x", i, have, ok, want)
		}
	}
	o := Operand{Offset: 4, Words: 3}
	for base, want := range map[uint64]bool{
		0x800: true, 0x800 - 32: true, 0x800 - 40: false, 0x804: false, 0: false,
		0xfffff800 - 56: true, 0xfffff800 - 48: false, 0xfffff800: false, 1<<32 - 8: false, 1<<32 + 0x800: false,
		1<<64 - 8: false, 1<<63 + 0x800: false, 1<<61 + 0x800: false,
	} {
		if first, ok := o.First(base); ok != want || ok && uint64(first) != base/8+4 {
			t.Errorf("base %#x: word %#x, %t, want %t", base, first, ok, want)
		}
	}
	o.Offset = maxOffset
	for _, base := range []uint64{1<<64 - 8, 1<<32 - 8} {
		if first, ok := o.First(base); ok {
			t.Errorf("base %#x with the largest offset wraps to word %#x", base, first)
		}
	}
}

// Shared words of one slot are detected, whatever the origin of addresses; adjacent words are not shared.
func TestOverlapping(t *testing.T) {
	for _, tc := range []struct {
		first []uint32
		want  [2]int
	}{
		{[]uint32{0x200, 0x200, 0x200, 0x202}, [2]int{}}, {[]uint32{0x200, 0x200, 0x203, 0x200}, [2]int{}},
		{[]uint32{0x200, 0x200, 0x202, 0x200}, [2]int{3, 4}}, {[]uint32{0x200, 0x200, 0x200, 0x201}, [2]int{3, 4}},
		{[]uint32{0x200, 0x900, 0x200, 0x200}, [2]int{3, 4}}, {[]uint32{0, 0, 1<<32 - 2, 0}, [2]int{}},
	} {
		a, b, ok := gathering.Overlapping(tc.first)
		if [2]int{a, b} != tc.want || ok != (a != b) {
			t.Errorf("%#x: operands %d and %d, %t, want %d", tc.first, a, b, ok, tc.want)
		}
	}
}
