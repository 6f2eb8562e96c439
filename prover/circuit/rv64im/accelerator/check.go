package accelerator

import "fmt"

// lastSlot is the slot of loads and stores, the last one of a cycle.
const lastSlot = 2

// Check returns an error if the Kind breaks a rule of operands:
//
//   - The arguments are used from a0 on, without gaps. An argument is one number, or the base address of operands.
//   - Numbers come first. Slots of the other operands do not decrease. All operands that are written have the same
//     slot, after the slots of operands that are only read.
//   - A pointer is in a word that an earlier operand only reads.
//   - Operands with the same base address and slot have different words.
func (k *Kind) Check() error {
	used := [3]bool{}
	for i := range k.Operands {
		for _, check := range []func(i int) error{k.checkBase, k.checkOrder, k.checkShared} {
			if err := check(i); err != nil {
				return fmt.Errorf("accelerator %s, operand %d: %w", k.Name, i, err)
			}
		}
		if o := &k.Operands[i]; o.Pointer == (Pointer{}) {
			used[o.Argument] = true
		}
	}
	for i, used := range used[:k.Arguments()] {
		if !used {
			return fmt.Errorf("accelerator %s: no operand has argument a%d, but one has a%d", k.Name, i, k.Arguments()-1)
		}
	}
	switch {
	case k.Written() == 0:
		return fmt.Errorf("accelerator %s writes nothing", k.Name)
	case k.Words() > MaxWords:
		return fmt.Errorf("accelerator %s accesses %d words, at most %d are allowed", k.Name, k.Words(), MaxWords)
	case k.Code == CodeNote || k.Code == CodeHalt:
		return fmt.Errorf("accelerator %s has code %#x, which is reserved", k.Name, k.Code)
	}
	return nil
}

// checkBase checks the origin of operand i's base address or number.
func (k *Kind) checkBase(i int) error {
	o := &k.Operands[i]
	word, pointed := o.Pointer.Word()
	read := 0
	for _, before := range k.Operands[:i] {
		if !before.Writes {
			read += before.Words
		}
	}
	switch {
	case o.Argument < 0 || o.Argument >= 3:
		return fmt.Errorf("argument %d is not one of a0 to a2", o.Argument)
	case pointed && o.Argument != 0:
		return fmt.Errorf("the base address is in word %d of memory, so it cannot be in a%d too", word, o.Argument)
	case pointed && (word < 0 || word >= read):
		return fmt.Errorf("the base address is in word %d of memory, but earlier operands only read %d words", word, read)
	case o.Offset < 0 || o.Offset > maxOffset:
		return fmt.Errorf("offset %d: want 0 to %d", o.Offset, maxOffset)
	}
	return nil
}

// checkOrder checks the number of words of operand i, its slot, and its position among the operands.
func (k *Kind) checkOrder(i int) error {
	o, before := &k.Operands[i], Operand{}
	if i > 0 {
		before = k.Operands[i-1]
	}
	switch number := *o == (Operand{Argument: o.Argument}); {
	case o.Words < 0 || o.Slot > lastSlot:
		return fmt.Errorf("%d words at slot %d: slots are 0 to %d", o.Words, o.Slot, lastSlot)
	case o.Words == 0 && (before.Words > 0 || !number):
		return fmt.Errorf("a number comes before all words, and has no pointer, offset or slot, and is not written")
	case o.Words > 0 && o.Slot < before.Slot:
		return fmt.Errorf("slot %d after slot %d", o.Slot, before.Slot)
	case before.Writes && (!o.Writes || o.Slot != before.Slot):
		return fmt.Errorf("after a written operand, all operands are written at its slot, %d", before.Slot)
	case o.Writes && !before.Writes && before.Words > 0 && o.Slot == before.Slot:
		return fmt.Errorf("it is written at slot %d, at which others are read", o.Slot)
	}
	return nil
}

// checkShared compares operand i with the earlier operands that have the same argument or pointer.
func (k *Kind) checkShared(i int) error {
	o := &k.Operands[i]
	for j := range k.Operands[:i] {
		other := &k.Operands[j]
		if o.Argument != other.Argument || o.Pointer != other.Pointer {
			continue
		}
		switch {
		case o.Words == 0 || other.Words == 0:
			return fmt.Errorf("argument a%d is a number, and operand %d has it too", o.Argument, j)
		case o.Slot == other.Slot && o.Offset < other.Offset+other.Words && other.Offset < o.Offset+o.Words:
			return fmt.Errorf("it always shares words with operand %d, at the same slot", j)
		}
	}
	return nil
}
