package cuda

import (
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

// Module is a loaded cubin.
type Module struct {
	context *Context
	name    string
	handle  uintptr
}

// LoadModule loads a cubin. name is for errors.
func (c *Context) LoadModule(name string, cubin []byte) (*Module, error) {
	if len(cubin) == 0 {
		return nil, fmt.Errorf("loading module %s: the cubin is empty", name)
	}
	m := &Module{context: c, name: name}
	if err := c.call(driver.ModuleLoadData, name, uintptr(unsafe.Pointer(&m.handle)),
		uintptr(unsafe.Pointer(&cubin[0]))); err != nil {
		return nil, err
	}
	c.opened()
	return m, nil
}

// Close unloads the module. None of its kernels may be queued or running.
func (m *Module) Close() error {
	if m.handle == 0 {
		return nil
	}
	handle := m.handle
	m.handle = 0
	return m.context.release(driver.ModuleUnload, handle)
}

// Global returns a variable of the module, such as a table in constant memory.
func (m *Module) Global(name string) (Span, error) {
	text := dynlib.CString(name)
	buffer := &Buffer{name: m.name + "." + name}
	err := m.context.call(driver.ModuleGetGlobal, m.name+"."+name, uintptr(unsafe.Pointer(&buffer.pointer)),
		uintptr(unsafe.Pointer(&buffer.size)), m.handle, uintptr(unsafe.Pointer(&text[0])))
	return buffer.All(), err
}

// Function is a kernel of a module, with its compiled resource usage.
type Function struct {
	context *Context
	name    string
	handle  uintptr

	MaxThreadsPerBlock int
	StaticSharedBytes  int
	LocalBytes         int // per thread; more than a few words indicates register spills
	Registers          int
	sharedLimit        uint64   // current limit of dynamic shared memory
	parameterSizes     []uint64 // nil if the driver is too old to report them
}

// CUfunction_attribute numbers, from cuda.h.
const (
	functionMaxThreads       = 0
	functionStaticShared     = 1
	functionLocal            = 3
	functionRegisters        = 4
	functionMaxDynamicShared = 8
)

// Function returns the kernel with the given entry point name.
func (m *Module) Function(name string) (*Function, error) {
	text := dynlib.CString(name)
	f := &Function{context: m.context, name: name}
	if err := m.context.call(driver.ModuleGetFunction, m.name+"."+name, uintptr(unsafe.Pointer(&f.handle)), m.handle,
		uintptr(unsafe.Pointer(&text[0]))); err != nil {
		return nil, err
	}
	for _, a := range []struct {
		number int
		field  *int
	}{{functionMaxThreads, &f.MaxThreadsPerBlock}, {functionStaticShared, &f.StaticSharedBytes},
		{functionLocal, &f.LocalBytes}, {functionRegisters, &f.Registers}} {
		value := new(int32)
		if err := m.context.call(driver.FuncGetAttribute, name, uintptr(unsafe.Pointer(value)), uintptr(a.number),
			f.handle); err != nil {
			return nil, err
		}
		*a.field = int(*value)
	}
	f.sharedLimit = uint64(max(0, m.context.device.SharedBytesPerBlock-f.StaticSharedBytes))
	f.readParameters()
	return f, nil
}

// Name returns the entry point's name.
func (f *Function) Name() string { return f.name }

// readParameters queries the sizes of the kernel's parameters until the driver reports no more.
func (f *Function) readParameters() {
	library := f.context.device.driver.library
	if !library.Has(driver.FuncGetParamInfo) {
		return
	}
	f.parameterSizes = []uint64{}
	values := new([2]uint64)
	for i := 0; library.Call(driver.FuncGetParamInfo, f.handle, uintptr(i), uintptr(unsafe.Pointer(&values[0])),
		uintptr(unsafe.Pointer(&values[1]))) == driver.Success; i++ {
		f.parameterSizes = append(f.parameterSizes, values[1])
	}
}

// AllowShared raises the limit of dynamic shared memory per launch to size bytes. Up to 48 KiB need no call.
func (f *Function) AllowShared(size uint64) error {
	limit := uint64(max(0, f.context.device.SharedBytesOptIn-f.StaticSharedBytes))
	if size > limit {
		return fmt.Errorf("kernel %s asks for %d bytes of shared memory, %s has %d", f.name, size,
			f.context.device.Name, limit)
	}
	if size <= f.sharedLimit {
		return nil
	}
	if err := f.context.call(driver.FuncSetAttribute, f.name, f.handle, functionMaxDynamicShared,
		uintptr(size)); err != nil {
		return err
	}
	f.sharedLimit = size
	return nil
}
