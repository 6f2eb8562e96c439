package driver

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

// Library is a loaded driver library.
type Library struct {
	dl      *dynlib.Library
	version int
}

// candidates are the names and paths of the installed driver: the loader's search, then locations of WSL and some
// containers that are not in the loader's path.
var candidates = []string{
	"libcuda.so.1",
	"/usr/lib/x86_64-linux-gnu/libcuda.so.1",
	"/usr/lib/aarch64-linux-gnu/libcuda.so.1",
	"/usr/lib64/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
}

const advice = "Install the NVIDIA driver for this host's GPU (its package contains libcuda.so.1), in a container " +
	"start it with the NVIDIA container toolkit, or use the CPU backend"

// Open loads the driver library at path, or the installed one if path is empty, and resolves [Symbols]. It does not
// initialize the driver. The error lists the paths tried and says what to install.
func Open(path string) (*Library, error) {
	tried := candidates
	if path != "" {
		tried = []string{path}
	}
	dl, err := dynlib.Open("The CUDA driver library", advice, tried, nil)
	if err != nil {
		return nil, err
	}
	library := &Library{dl: dl}
	missing := dl.Resolve(Symbols)
	if !dl.Has(int(DriverGetVersion)) {
		return nil, fmt.Errorf("%s is not a CUDA driver library: it lacks cuDriverGetVersion", dl.Path())
	}
	version := new(int32)
	if result := library.Call(DriverGetVersion, uintptr(unsafe.Pointer(version))); result != Success {
		return nil, fmt.Errorf("%s: cuDriverGetVersion failed with CUDA error %d", dl.Path(), result)
	}
	library.version = int(*version)
	return library, library.check(missing)
}

// check rejects a driver that is too old or lacks a symbol that its version should have.
func (l *Library) check(missing []dynlib.Symbol) error {
	if l.version < leastVersion {
		return fmt.Errorf("the NVIDIA driver at %s supports CUDA %s, at least CUDA %s is needed: install a newer driver",
			l.dl.Path(), VersionString(l.version), VersionString(leastVersion))
	}
	var lacking []string
	for _, symbol := range missing {
		if symbol.Since <= l.version {
			lacking = append(lacking, fmt.Sprintf("%s (since CUDA %s)", symbol.Name, VersionString(symbol.Since)))
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("the driver library at %s reports CUDA %s but lacks %s: reinstall the NVIDIA driver",
			l.dl.Path(), VersionString(l.version), strings.Join(lacking, ", "))
	}
	return nil
}

// VersionString formats a driver version, such as 13000, as 13.0.
func VersionString(version int) string { return fmt.Sprintf("%d.%d", version/1000, version%1000/10) }

// Version returns the CUDA version that the driver supports, such as 13000.
func (l *Library) Version() int { return l.version }

// Path returns the file the driver was loaded from.
func (l *Library) Path() string { return l.dl.Path() }

// Has reports whether the driver has the function. Functions newer than [leastVersion] may be missing.
func (l *Library) Has(f Function) bool { return l.dl.Has(int(f)) }

// Call calls the driver on the calling thread. If the number of arguments differs from [Symbols], or the driver lacks
// the function, it returns InvalidValue or NotFound without a call. Pointers converted in the argument list stay alive
// and in place during the call.
//
//go:uintptrescapes
func (l *Library) Call(f Function, arguments ...uintptr) Result {
	if len(arguments) != Symbols[f].Arguments {
		return InvalidValue
	}
	if !l.dl.Has(int(f)) {
		return NotFound
	}
	return Result(int32(l.dl.Call(int(f), arguments...)))
}

// Describe returns the driver's name and description of a result.
func (l *Library) Describe(result Result) (name, text string) {
	return l.describe(GetErrorName, result), l.describe(GetErrorString, result)
}

func (l *Library) describe(f Function, result Result) string {
	address := new(uintptr)
	if l.Call(f, uintptr(result), uintptr(unsafe.Pointer(address))) != Success {
		return fmt.Sprintf("unknown CUDA error %d", result)
	}
	return dynlib.String(*address)
}

// Control returns a function outside [Symbols]. The software device exports its settings this way; libcuda has none.
func (l *Library) Control(name string) (func(arguments ...uintptr) uintptr, error) {
	address, err := l.dl.Lookup(name)
	if err != nil {
		return nil, err
	}
	return func(arguments ...uintptr) uintptr { return dynlib.CallAddress(address, arguments...) }, nil
}
