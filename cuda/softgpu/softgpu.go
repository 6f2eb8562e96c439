package softgpu

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

// Options configure the software device. The zero value is valid.
type Options struct {
	Cache       string          // folder for the library and compiled kernels; empty for the user's cache folder
	Compiler    string          // C++ compiler; empty for g++ or c++ on the path
	Seed        uint64          // of the pseudo-random orders in contexts created after Open; 0 counts as 1
	MemoryBytes uint64          // device memory; 0 for 16 GiB
	Workers     uint32          // threads that run blocks, fixed by the first Open in a process; 0 for up to 8
	Faults      *cuda.FaultPlan // faults to inject
}

// Software is the opened software device: a driver with two devices, and a kernel compiler.
type Software struct {
	Driver   *cuda.Driver
	Compiler *compile.Compiler

	finding func(arguments ...uintptr) uintptr
}

// Open builds the device's library unless it is cached, and opens it as a driver and a compiler. Without a C++ compiler
// the error is a [*NoCompilerError].
func Open(options Options) (*Software, error) {
	if options.Cache == "" {
		cache, err := defaultCache()
		if err != nil {
			return nil, err
		}
		options.Cache = cache
	}
	compiler, err := findCompiler(options.Compiler)
	if err != nil {
		return nil, err
	}
	library, err := buildLibrary(options.Cache, compiler)
	if err != nil {
		return nil, err
	}
	return open(library, options)
}

// defaultCache returns a folder in the user's cache, shared by all packages' tests and all seeds.
func defaultCache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("the software device needs a cache folder: %w", err)
	}
	return filepath.Join(base, "chiasmus", "softgpu"), nil
}

func open(library string, options Options) (*Software, error) {
	rtc, err := nvrtc.Open(nvrtc.Search{File: library})
	if err != nil {
		return nil, err
	}
	if err := configure(library, options); err != nil {
		return nil, err
	}
	driver, err := cuda.Open(cuda.Options{Library: library, Faults: options.Faults})
	if err != nil {
		return nil, err
	}
	finding, err := driver.Library().Control("softgpu_finding")
	if err != nil {
		return nil, err
	}
	return &Software{Driver: driver, Compiler: &compile.Compiler{Library: rtc,
		Cache: filepath.Join(options.Cache, "kernels")}, finding: finding}, nil
}

// Device returns the plain or the checked device.
func (s *Software) Device(checked bool) (*cuda.Device, error) {
	devices, err := s.Driver.Devices()
	if err != nil {
		return nil, err
	}
	if checked {
		return devices[1], nil
	}
	return devices[0], nil
}

// Finding returns the first finding since the last call, or an empty string. The error of the failed launch has the
// same text.
func (s *Software) Finding() string {
	text := make([]byte, 2048)
	// The call may grow and thereby move this goroutine's stack, while the library writes to the old address.
	var pinned runtime.Pinner
	pinned.Pin(&text[0])
	defer pinned.Unpin()
	s.finding(uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	for i, b := range text {
		if b == 0 {
			return string(text[:i])
		}
	}
	return string(text)
}

// configure sets the options of contexts created later. It must precede cuInit, which starts the workers.
func configure(path string, options Options) error {
	library, err := driver.Open(path)
	if err != nil {
		return err
	}
	set, err := library.Control("softgpu_configure")
	if err != nil {
		return err
	}
	if result := int32(set(uintptr(max(options.Seed, 1)), uintptr(options.MemoryBytes),
		uintptr(options.Workers))); result != 0 {
		return fmt.Errorf("configuring the software device: error %d", result)
	}
	return nil
}
