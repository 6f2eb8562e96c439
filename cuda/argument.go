package cuda

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"syscall"
	"unsafe"
)

// Argument is one kernel argument.
type Argument struct {
	value uint64
	size  uint8 // 4 or 8; 0 if data holds the value
	data  []byte
	err   error // why there is no data
	span  Span
}

// U32 passes a 32-bit value.
func U32(value uint32) Argument { return Argument{value: uint64(value), size: 4} }

// U64 passes a 64-bit value.
func U64(value uint64) Argument { return Argument{value: value, size: 8} }

// Address passes a device address. The launch fails if the buffer was returned to its arena.
func Address(span Span) Argument { return Argument{value: uint64(span.pointer), size: 8, span: span} }

// Null passes a null address.
func Null() Argument { return Argument{size: 8} }

// Value passes by value a struct, an array, or a slice of fixed-size numbers, or the target of a pointer. Structs must
// have no padding, like those from which package header generates the kernel's declarations. All arguments together are
// limited to about 4,000 bytes.
func Value(value any) Argument {
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid():
	case v.Kind() == reflect.Slice && plain(v.Type().Elem()):
		size := v.Len() * int(v.Type().Elem().Size())
		return Argument{data: bytes.Clone(unsafe.Slice((*byte)(v.UnsafePointer()), size))}
	case v.Kind() == reflect.Pointer && !v.IsNil() && plain(v.Type().Elem()):
		return Argument{data: bytes.Clone(unsafe.Slice((*byte)(v.UnsafePointer()), v.Type().Elem().Size()))}
	case plain(v.Type()):
		copied := reflect.New(v.Type())
		copied.Elem().Set(v)
		return Argument{data: unsafe.Slice((*byte)(copied.UnsafePointer()), v.Type().Size())}
	}
	return Argument{err: fmt.Errorf("a kernel argument cannot have type %T: want numbers of fixed size, "+
		"or arrays and structs of them without padding", value)}
}

// Words returns the memory of a struct as words. The struct must consist only of 64-bit words.
func Words[Struct any](of *Struct) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(of)), unsafe.Sizeof(*of)/8)
}

// plain reports whether a type consists only of numbers without padding. Their memory layout, in host byte order, is
// what a kernel expects.
func plain(t reflect.Type) bool {
	if known, ok := plainTypes.Load(t); ok {
		return known.(bool)
	}
	is := binary.Size(reflect.Zero(t).Interface()) == int(t.Size())
	plainTypes.Store(t, is)
	return is
}

var plainTypes sync.Map // caches plain

func (a *Argument) length() uint64 {
	if a.data != nil {
		return uint64(len(a.data))
	}
	return uint64(a.size)
}

func (a *Argument) check() error {
	if a.err != nil {
		return a.err
	}
	if a.length() == 0 {
		return fmt.Errorf("the argument is empty")
	}
	if a.span.buffer != nil {
		return a.span.check("kernel argument")
	}
	return nil
}

// parameterBlock is memory outside Go's heap for a launch's arguments and the table of their addresses. The driver
// copies both before the launch returns, so one block serves all launches of a stream.
type parameterBlock struct {
	memory []byte
	table  *[maxArguments]uintptr
	values []byte
}

const (
	maxArguments      = 64
	maxParameterBytes = 4096 // the limit in all CUDA versions; newer ones allow 32764
)

func newParameterBlock() (*parameterBlock, error) {
	const tableBytes = maxArguments * 8
	memory, err := syscall.Mmap(-1, 0, tableBytes+2*maxParameterBytes, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("memory for kernel parameters: %w", err)
	}
	return &parameterBlock{memory: memory, table: (*[maxArguments]uintptr)(unsafe.Pointer(&memory[0])),
		values: memory[tableBytes:]}, nil
}

// fill writes the arguments, each at a multiple of 16 bytes, and returns the address of their table.
func (b *parameterBlock) fill(arguments []Argument) (uintptr, error) {
	if len(arguments) > maxArguments {
		return 0, fmt.Errorf("%d arguments, at most %d fit", len(arguments), maxArguments)
	}
	at, total := uint64(0), uint64(0)
	for i := range arguments {
		a := &arguments[i]
		total += a.length()
		if total > maxParameterBytes || at+a.length() > uint64(len(b.values)) {
			return 0, fmt.Errorf("the arguments take more than the %d bytes that fit", maxParameterBytes)
		}
		if a.data != nil {
			copy(b.values[at:], a.data)
		} else {
			binary.LittleEndian.PutUint64(b.values[at:], a.value)
		}
		b.table[i] = uintptr(unsafe.Pointer(&b.values[at]))
		at += (a.length() + 15) &^ 15
	}
	return uintptr(unsafe.Pointer(b.table)), nil
}

func (b *parameterBlock) free() error {
	memory := b.memory
	b.memory, b.table, b.values = nil, nil, nil
	if memory == nil {
		return nil
	}
	return syscall.Munmap(memory)
}
