package accelerator

import "fmt"

// lastSlot is the slot of loads and stores, the last one of a cycle.
const lastSlot = 2

// Check returns an error if the Kind breaks a rule of operands. Each argument belongs to one operand, without gaps from
// a0 on. Numbers come first. Slots of the other operands do not decrease. All operands that are written have the same
// slot, after the slots of operands that are only read.
func (k *Kind) Check() error {
	seen, slot, numbers, writes := [3]bool{}, uint32(0), true, false
	for i, o := range k.Operands {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("accelerator %s, operand %d: %s", k.Name, i, fmt.Sprintf(format, args...))
		}
		switch {
		case o.Argument < 0 || o.Argument >= len(seen) || seen[o.Argument]:
			return fail("argument %d is invalid or already used: want one of a0 to a2 for each operand", o.Argument)
		case o.Words < 0 || o.Slot > lastSlot:
			return fail("%d words at slot %d: slots are 0 to %d", o.Words, o.Slot, lastSlot)
		case o.Words == 0 && (!numbers || o.Writes || o.Slot != 0):
			return fail("a number comes before all words, has slot 0 and is not written")
		case o.Words > 0 && o.Slot < slot:
			return fail("slot %d after slot %d", o.Slot, slot)
		case writes && (!o.Writes || o.Slot != slot):
			return fail("after a written operand, all operands are written at its slot, %d", slot)
		case o.Writes && !writes && i > 0 && k.Operands[i-1].Words > 0 && o.Slot == slot:
			return fail("it is written at slot %d, at which others are read", slot)
		}
		seen[o.Argument] = true
		if o.Words > 0 {
			slot, numbers, writes = o.Slot, false, o.Writes
		}
	}
	switch n := len(k.Operands); {
	case n == 0 || k.Arguments() != n:
		return fmt.Errorf("accelerator %s: its %d operands do not take the arguments from a0 on", k.Name, n)
	case !writes:
		return fmt.Errorf("accelerator %s writes nothing", k.Name)
	case k.Words() > MaxWords:
		return fmt.Errorf("accelerator %s accesses %d words, at most %d are allowed", k.Name, k.Words(), MaxWords)
	case k.Code == CodeNote || k.Code == CodeHalt:
		return fmt.Errorf("accelerator %s has code %#x, which is reserved", k.Name, k.Code)
	}
	return nil
}
