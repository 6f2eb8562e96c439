package record

import (
	"reflect"
	"testing"
)

// Devices read the same bytes: no struct has padding, and the sizes are pinned.
func TestLayoutsAreFlat(t *testing.T) {
	for _, tc := range []struct {
		value any
		size  uintptr
	}{
		{Checkpoint{}, 272}, {Plain{}, 8}, {Constant{}, 24}, {Unary{}, 40}, {Binary{}, 56}, {Branch{}, 32}, {Load{}, 40},
		{Store{}, 32}, {Halt{}, 24}, {Call{}, 48}, {Refresh{}, 24}, {Touched{}, 24}, {Final{}, 16},
	} {
		kind := reflect.TypeOf(tc.value)
		sum := uintptr(0)
		for i := range kind.NumField() {
			field := kind.Field(i)
			if field.Offset != sum {
				t.Errorf("%s.%s is at %d, after padding", kind, field.Name, field.Offset)
			}
			sum += field.Type.Size()
		}
		if sum != kind.Size() || kind.Size() != tc.size {
			t.Errorf("%s has %d bytes in fields and %d in all, want %d", kind, sum, kind.Size(), tc.size)
		}
	}
}

func TestMerge(t *testing.T) {
	const old, value = 0x1122334455667788, 0xaabbccddeeff0102
	for mask := range 256 {
		var want uint64
		for i := range 8 {
			from := uint64(old)
			if mask>>i&1 == 1 {
				from = value
			}
			want |= from & (0xff << (8 * i))
		}
		if got := Merge(old, value, uint8(mask)); got != want {
			t.Errorf("Merge with mask %#x = %#x, want %#x", mask, got, want)
		}
	}
}
