// Package dynlib opens shared libraries and resolves the functions in a table. It is the common part of cuda/driver and
// cuda/nvrtc: no cgo, no knowledge of CUDA.
package dynlib

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Symbol is one function of a library: its exported name (with version suffix), its number of integer or pointer
// arguments, and the minimum version of the library that has it (in the library's own numbering, 0 for all versions).
type Symbol struct {
	Name      string
	Arguments int
	Since     int
}

// Library is an opened shared library with the addresses of a table's symbols.
type Library struct {
	path      string
	handle    uintptr
	table     []Symbol
	addresses []uintptr
}

// NotFoundError means that none of the candidates could be loaded.
type NotFoundError struct {
	What   string   // "the CUDA driver library"
	looked []string // every path or name tried, with the loader's error
	Advice string   // what to install or which flag to give
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("%s was not found. %s. Looked for:\n  %s", e.What, e.Advice, strings.Join(e.looked, "\n  "))
}

// Open loads the first loadable candidate. A candidate with a slash is a path; one without is a name for the loader's
// search. preload, if not nil, is called with each path before it is opened.
func Open(what, advice string, candidates []string, preload func(path string)) (*Library, error) {
	missing := &NotFoundError{What: what, Advice: advice}
	for _, candidate := range candidates {
		if preload != nil {
			preload(candidate)
		}
		handle, err := purego.Dlopen(candidate, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			return &Library{path: candidate, handle: handle}, nil
		}
		missing.looked = append(missing.looked, candidate+": "+trimLoader(candidate, err))
	}
	return nil, missing
}

// Preload makes a library's symbols available to libraries opened later. The later open reports failures.
func Preload(path string) { _, _ = purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL) }

func trimLoader(candidate string, err error) string {
	return strings.TrimPrefix(err.Error(), candidate+": ")
}

// Resolve resolves the symbols of the table and returns the missing ones, which must not be called.
func (l *Library) Resolve(table []Symbol) (missing []Symbol) {
	l.table = table
	l.addresses = make([]uintptr, len(table))
	for i, symbol := range table {
		address, err := purego.Dlsym(l.handle, symbol.Name)
		if err != nil || address == 0 {
			missing = append(missing, symbol)
			continue
		}
		l.addresses[i] = address
	}
	return missing
}

// Has reports whether the library has the table's i-th symbol.
func (l *Library) Has(i int) bool { return l.addresses[i] != 0 }

// Lookup returns the address of a symbol outside the table, such as a library's control function.
func (l *Library) Lookup(name string) (uintptr, error) {
	address, err := purego.Dlsym(l.handle, name)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", l.path, err)
	}
	return address, nil
}

// Call calls the table's i-th function. Pointers converted to uintptr in the argument list stay alive and are moved to
// the heap during the call.
//
//go:uintptrescapes
func (l *Library) Call(i int, arguments ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(l.addresses[i], arguments...)
	return result
}

// CallAddress calls a function found by Lookup.
//
//go:uintptrescapes
func CallAddress(address uintptr, arguments ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(address, arguments...)
	return result
}

// Path returns the file of the table's first symbol, or the name by which the library was opened.
func (l *Library) Path() string {
	if len(l.addresses) == 0 || l.addresses[0] == 0 {
		return l.path
	}
	if file, err := fileOf(l.addresses[0]); err == nil {
		return file
	}
	return l.path
}

// fileOf returns the file that contains an address, according to the loader (dladdr).
func fileOf(address uintptr) (string, error) {
	dladdr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return "", err
	}
	info := new(struct{ file, base, symbol, symbolAddress uintptr })
	if ok, _, _ := purego.SyscallN(dladdr, address, uintptr(unsafe.Pointer(info))); uint32(ok) == 0 || info.file == 0 {
		return "", errors.New("dladdr does not know the address")
	}
	return String(info.file), nil
}

// String copies a C string at an address outside Go's heap.
func String(address uintptr) string {
	if address == 0 {
		return ""
	}
	length := 0
	for *(*byte)(unsafe.Add(Pointer(address), length)) != 0 {
		length++
	}
	return string(unsafe.Slice((*byte)(Pointer(address)), length))
}

// Pointer converts an address outside Go's heap to a pointer. The indirection tells vet that this is intended: the
// garbage collector neither moves nor frees that memory.
func Pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// CString returns s with a final zero byte. The caller keeps the slice alive for as long as C reads it.
func CString(s string) []byte { return append([]byte(s), 0) }
