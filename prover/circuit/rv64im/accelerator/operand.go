package accelerator

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// An Operand is a range of words that a call accesses at one slot, or an argument that is itself a number.
//
// A range starts Offset words after a base address, which is in an argument register or, if Pointer is set, in a word
// of memory. Operands may have the same base address.
type Operand struct {
	Argument int     // the register of the base address or the number: 0 to 2 for a0 to a2; 0 if Pointer is set
	Pointer  Pointer // the word of memory with the base address
	Offset   int     // of the range, in words
	Words    int     // 0: the argument is a number below 2^32, which is read as a word
	Slot     uint32
	Writes   bool // whether the words are also written, not only read
}

// maxOffset is the largest Offset of an operand. It is small, so the number of an operand's first word does not wrap.
const maxOffset = 1 << 16

// A Pointer is a word of memory that holds the base address of an operand. The zero value is none.
type Pointer struct {
	word int
	set  bool
}

// PointerIn returns the pointer in a word, numbered from 0 in the order of all words of memory that a call reads.
func PointerIn(word int) Pointer { return Pointer{word, true} }

// Word returns the number of the word. ok is false for the zero value.
func (p Pointer) Word() (number int, ok bool) { return p.word, p.set }

// Base returns the base address, given the arguments and the words of memory that the call reads before the operand.
func (o *Operand) Base(arguments [3]uint32, words []uint64) uint64 {
	if word, ok := o.Pointer.Word(); ok {
		return words[word]
	}
	return uint64(arguments[o.Argument])
}

// First returns the number of the operand's first word in memory, given the base address. ok is false if the base is
// no multiple of 8, or if a word is outside memory. Only the range must be in memory, not the base.
func (o *Operand) First(base uint64) (number uint32, ok bool) {
	first := base/memorymap.WordBytes + uint64(o.Offset) // below 2^61 + 2^16
	ok = base%memorymap.WordBytes == 0 && first >= uint64(memorymap.FirstWord) &&
		first+uint64(o.Words) <= uint64(memorymap.EndWord)
	return uint32(first), ok
}

// Describe names operand i by the origin of its base address, for errors: a1, operand 2 (a1 + 16), or operand 3 (word 1
// of operand 0).
func (k *Kind) Describe(i int) string {
	o := &k.Operands[i]
	base := fmt.Sprintf("a%d", o.Argument)
	if word, ok := o.Pointer.Word(); ok {
		holder, within := k.Holder(word)
		base = fmt.Sprintf("word %d of operand %d", within, holder)
	} else if o.Offset == 0 {
		return base
	}
	if o.Offset > 0 {
		base += fmt.Sprint(" + ", memorymap.WordBytes*o.Offset)
	}
	return fmt.Sprintf("operand %d (%s)", i, base)
}

// Holder returns the operand with a word of memory, and the word's number within the operand.
func (k *Kind) Holder(word int) (operand, within int) {
	for operand, within = k.Numbers(), word; within >= k.Operands[operand].Words; operand++ {
		within -= k.Operands[operand].Words
	}
	return operand, within
}

// Overlapping returns two operands that share words but must not; ok is false if there are none. first has the number
// of the first word of each operand in memory, in order. Operands at the same slot must not share words, because no
// word can be accessed twice at one time. Other operands may overlap: the call reads what memory held before it,
// because it writes everything at the last slot.
func (k *Kind) Overlapping(first []uint32) (a, b int, ok bool) {
	numbers := k.Numbers()
	memory := k.Operands[numbers:]
	for j := range memory {
		for i := range memory[:j] {
			p, q := uint64(first[i]), uint64(first[j])
			if memory[i].Slot == memory[j].Slot && p < q+uint64(memory[j].Words) && q < p+uint64(memory[i].Words) {
				return numbers + i, numbers + j, true
			}
		}
	}
	return 0, 0, false
}
