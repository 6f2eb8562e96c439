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
	for _, tc := range []struct {
		operands []Operand
		want     string // "" if the rules hold
	}{
		{[]Operand{write(0, 64, 2)}, ""},
		{[]Operand{read(2, 4, 0), read(1, 4, 1), write(0, 4, 2)}, ""},
		{[]Operand{read(1, 4, 0), read(2, 4, 0), write(0, 4, 2)}, ""},
		{[]Operand{read(2, 0, 0), write(0, 8, 0), write(1, 8, 0)}, ""},
		{[]Operand{read(0, 4, 0), write(0, 4, 2)}, "argument 0 is invalid or already used"},
		{[]Operand{read(3, 4, 0), write(0, 4, 2)}, "argument 3 is invalid or already used"},
		{[]Operand{read(-1, 4, 0), write(0, 4, 2)}, "argument -1 is invalid or already used"},
		{[]Operand{write(0, 4, 3)}, "slots are 0 to 2"},
		{[]Operand{write(0, -1, 2)}, "-1 words"},
		{[]Operand{read(0, 4, 0), read(1, 0, 0), write(2, 4, 2)}, "a number comes before all words"},
		{[]Operand{write(0, 0, 0), write(1, 4, 2)}, "a number comes before all words"},
		{[]Operand{read(0, 0, 1), write(1, 4, 2)}, "a number comes before all words"},
		{[]Operand{read(0, 4, 1), read(1, 4, 0), write(2, 4, 2)}, "slot 0 after slot 1"},
		{[]Operand{write(0, 4, 1), read(1, 4, 2)}, "all operands are written at its slot"},
		{[]Operand{write(0, 4, 1), write(1, 4, 2)}, "all operands are written at its slot"},
		{[]Operand{read(0, 4, 2), write(1, 4, 2)}, "at which others are read"},
		{[]Operand{write(1, 4, 2)}, "do not take the arguments from a0 on"},
		{[]Operand{read(0, 4, 2)}, "writes nothing"},
		{[]Operand{read(0, 61, 1), write(1, 4, 2)}, "65 words, at most 64"},
		{nil, "0 operands"},
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

// Shared words of one slot are detected; adjacent words are not shared.
func TestOverlapping(t *testing.T) {
	k := &Kind{Operands: []Operand{
		{Argument: 0, Words: 2, Slot: 1},
		{Argument: 1, Words: 2, Slot: 2, Writes: true},
		{Argument: 2, Words: 3, Slot: 2, Writes: true},
	}}
	for _, tc := range []struct {
		arguments [3]uint32
		overlap   bool
	}{
		{[3]uint32{0x1000, 0x1000, 0x1010}, false}, {[3]uint32{0x1000, 0x1018, 0x1000}, false},
		{[3]uint32{0x1000, 0x1010, 0x1000}, true}, {[3]uint32{0x1000, 0x1000, 0x1008}, true},
		{[3]uint32{0x1000, 0x1000, 0x1000}, true}, {[3]uint32{0x1000, 0xfffff7f0, 0x1000}, false},
	} {
		if _, _, overlap := k.Overlapping(tc.arguments); overlap != tc.overlap {
			t.Errorf("%#x: %t, want %t", tc.arguments, overlap, tc.overlap)
		}
	}
}
