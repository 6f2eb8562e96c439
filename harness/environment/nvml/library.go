package nvml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ebitengine/purego"
)

// ErrAbsent means that this host has no NVML.
var ErrAbsent = errors.New("no NVIDIA management library")

// defaultPaths are tried in this order: the loader's search path, and the folder of WSL.
var defaultPaths = []string{"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"}

// A Library is NVML, loaded and initialised.
type Library struct {
	handle uintptr
	table  table
	driver string
	cuda   string
}

// Open loads and initialises NVML from the first of paths that can be loaded; without paths, from where drivers install
// it. The error wraps ErrAbsent if no library is found.
func Open(paths ...string) (*Library, error) {
	if len(paths) == 0 {
		paths = defaultPaths
	}
	var l Library
	var tried []error
	for _, path := range paths {
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			l.handle = handle
			break
		}
		tried = append(tried, err)
	}
	if l.handle == 0 {
		return nil, fmt.Errorf("%w: %w", ErrAbsent, errors.Join(tried...))
	}
	if err := l.table.load(l.handle); err != nil {
		return nil, errors.Join(err, purego.Dlclose(l.handle))
	}
	if err := l.check("nvmlInit_v2", l.table.init()); err != nil {
		return nil, errors.Join(err, purego.Dlclose(l.handle))
	}
	l.driver = l.text(l.table.driverVersion)
	var version int32
	if l.table.cudaVersion != nil && l.table.cudaVersion(&version) == success {
		l.cuda = fmt.Sprintf("%d.%d", version/1000, version%1000/10)
	}
	return &l, nil
}

// Close shuts the library down.
func (l *Library) Close() error {
	return errors.Join(l.check("nvmlShutdown", l.table.shutdown()), purego.Dlclose(l.handle))
}

// Driver returns the version of the driver.
func (l *Library) Driver() string { return l.driver }

// CUDA returns the newest version of CUDA that the driver supports.
func (l *Library) CUDA() string { return l.cuda }

// Devices lists the GPUs. A device that cannot be opened is an error: a lost device must not look absent.
func (l *Library) Devices() ([]Device, error) {
	var n uint32
	if err := l.check("nvmlDeviceGetCount_v2", l.table.count(&n)); err != nil {
		return nil, err
	}
	out := make([]Device, n)
	for i := range out {
		out[i] = Device{library: l, index: i}
		if err := l.check(fmt.Sprintf("nvmlDeviceGetHandleByIndex_v2(%d)", i),
			l.table.byIndex(uint32(i), &out[i].handle)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Return codes of nvml.h.
const (
	success          = 0
	notSupported     = 3
	notFound         = 6
	insufficientSize = 7
)

// ErrNotSupported means that the driver or the device does not offer a quantity.
var ErrNotSupported = errors.New("not supported by this device or driver")

// check turns a return code into an error.
func (l *Library) check(call string, code int32) error {
	switch code {
	case success:
		return nil
	case notSupported:
		return fmt.Errorf("%s: %w", call, ErrNotSupported)
	}
	text := "unknown error"
	if l.table.errorString != nil {
		text = l.table.errorString(code)
	}
	return fmt.Errorf("%s: %s (NVML error %d)", call, text, code)
}

// text calls a function that fills a buffer with a string.
func (l *Library) text(call func(*byte, uint32) int32) string {
	var buffer [256]byte
	if call == nil || call(&buffer[0], uint32(len(buffer))) != success {
		return ""
	}
	text, _, _ := strings.Cut(string(buffer[:]), "\x00")
	return text
}
