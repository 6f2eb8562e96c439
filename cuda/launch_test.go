package cuda

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func TestParameterBlock(t *testing.T) {
	block, err := newParameterBlock()
	if err != nil {
		t.Fatal(err)
	}
	defer block.free()
	address, err := block.fill([]Argument{U32(7), U64(1 << 40), Value([]uint64{1, 2, 3}), Null()})
	if err != nil {
		t.Fatal(err)
	}
	if address != uintptr(unsafe.Pointer(block.table)) {
		t.Error("the table is elsewhere")
	}
	at := func(i int) []byte {
		offset := block.table[i] - uintptr(unsafe.Pointer(&block.values[0]))
		return block.values[offset:]
	}
	if got := binary.LittleEndian.Uint32(at(0)); got != 7 {
		t.Errorf("first argument %d", got)
	}
	if got := binary.LittleEndian.Uint64(at(1)); got != 1<<40 {
		t.Errorf("second argument %d", got)
	}
	if got := binary.LittleEndian.Uint64(at(2)[16:]); got != 3 {
		t.Errorf("third word %d", got)
	}
	if _, err := block.fill([]Argument{Value(make([]byte, 4097))}); err == nil {
		t.Error("4,097 bytes of arguments were taken")
	}
	if _, err := block.fill(make([]Argument, maxArguments+1)); err == nil {
		t.Error("too many arguments were taken")
	}
}

func TestLaunchChecksShapes(t *testing.T) {
	device := &Device{MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, MaxBlock: [3]int{1024, 1024, 64}}
	f := &Function{context: &Context{device: device}, name: "k", MaxThreadsPerBlock: 512, sharedLimit: 48 << 10}
	for _, c := range []struct {
		shape Shape
		want  string
	}{
		{Linear(1<<20, 256), ""},
		{Shape{}, ""},
		{Linear(0, 256), "blocks along x"},
		{Linear(1<<32, 1), "4294967296 blocks along x"},
		{Shape{Grid: Dim{Y: 65536}}, "blocks along y"},
		{Shape{Block: Dim{X: 1025}}, "threads along x"},
		{Shape{Block: Dim{X: 1 << 33}}, "threads along x"},
		{Shape{Block: Dim{X: 1024}}, "compiled for at most 512"},
		{Shape{Block: Dim{X: 32, Y: 32}}, "compiled for at most 512"},
		{Shape{SharedBytes: 48<<10 + 1}, "dynamic shared memory"},
	} {
		err := f.checkShape(c.shape.Grid.axes(), c.shape.Block.axes(), c.shape.SharedBytes)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: got %v, want %q", c.shape, err, c.want)
		}
	}
}

func TestLaunchChecksArguments(t *testing.T) {
	f := &Function{name: "k", parameterSizes: []uint64{8, 4, 24}}
	buffer := &Buffer{name: "gone", pointer: 256, size: 8, returned: "the end of scope s"}
	for _, c := range []struct {
		arguments []Argument
		want      string
	}{
		{[]Argument{U64(1), U32(2), Value([]uint64{1, 2, 3})}, ""},
		{[]Argument{U64(1), U32(2)}, "takes 3"},
		{[]Argument{U64(1), U64(2), Value([]uint64{1, 2, 3})}, "argument 1: 8 bytes, the kernel takes 4"},
		{[]Argument{Address(buffer.All()), U32(2), Value([]uint64{1, 2, 3})}, "buffer gone was returned"},
		{[]Argument{{}, U32(2), Value([]uint64{1, 2, 3})}, "empty"},
		{[]Argument{U64(1), U32(2), Value(struct{ P *uint64 }{})},
			"argument 2: a kernel argument cannot have type struct { P *uint64 }"},
		{[]Argument{U64(1), U32(2), Value(struct {
			A uint32
			B uint64
			C uint32
		}{})}, "without padding"},
		{[]Argument{U64(1), U32(2), Value(nil)}, "cannot have type <nil>"},
	} {
		err := f.checkArguments(c.arguments)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// A value is passed as encoding/binary encodes it, whether it is given directly, as a slice or by its address.
func TestValuesAreTheirBytes(t *testing.T) {
	type part struct {
		A, B uint32
		C    [3]uint64
	}
	whole := [2]part{{1, 2, [3]uint64{3, 4, 5}}, {6, 7, [3]uint64{8, 9, 1 << 63}}}
	want, err := binary.Append(nil, binary.LittleEndian, whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{whole, &whole, whole[:]} {
		if a := Value(value); a.err != nil || !bytes.Equal(a.data, want) {
			t.Errorf("%T: %x, %v, want %x", value, a.data, a.err, want)
		}
	}
}

func TestBusyIsTheUnion(t *testing.T) {
	ms := func(a, b int) Interval {
		return Interval{Start: time.Duration(a) * time.Millisecond, End: time.Duration(b) * time.Millisecond}
	}
	if got := Busy([]Interval{ms(10, 12), ms(0, 4), ms(2, 6), ms(3, 5)}); got != 8*time.Millisecond {
		t.Errorf("busy %v, want 8ms", got)
	}
}
