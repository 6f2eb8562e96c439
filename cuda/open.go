package cuda

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Options select the driver and the faults to inject.
type Options struct {
	Library string     // a driver library's file; empty for the installed driver
	Faults  *FaultPlan // nil for none

	// Connections is the number of hardware queues that a context's streams share; 0 leaves it to the driver (8). The
	// fewer there are, the faster contexts are created and destroyed. The driver takes the number from the process's
	// environment when it is initialized, so the first Open of a process decides.
	Connections int
}

// connectionsVariable is the environment variable from which the driver takes [Options.Connections].
const connectionsVariable = "CUDA_DEVICE_MAX_CONNECTIONS"

// environ makes the first Open set the environment. Later ones must not: the driver may be reading it.
var environ sync.Once

// Driver is an initialised driver library.
type Driver struct {
	library *driver.Library
	faults  *FaultPlan
}

// errNoDevice means that the driver works but reports no device.
var errNoDevice = errors.New("the CUDA driver shows no device: check that the GPU is visible (nvidia-smi) and not " +
	"hidden by CUDA_VISIBLE_DEVICES")

// Open loads and initializes a driver. If the library is missing, too old or lacks a symbol, or if there is no device,
// the error says what to install and which paths were tried.
func Open(options Options) (*Driver, error) {
	var err error
	environ.Do(func() {
		if options.Connections > 0 {
			err = os.Setenv(connectionsVariable, strconv.Itoa(options.Connections))
		}
	})
	if err != nil {
		return nil, err
	}
	library, err := driver.Open(options.Library)
	if err != nil {
		return nil, err
	}
	d := &Driver{library: library, faults: options.Faults}
	if err := d.call(driver.Init, "", 0); err != nil {
		var failure *Error
		if errors.As(err, &failure) && failure.Result == driver.NoDevice {
			return nil, fmt.Errorf("%w (%w)", errNoDevice, err)
		}
		return nil, err
	}
	return d, nil
}

// Library returns the loaded library, for its path, version and control functions.
func (d *Driver) Library() *driver.Library { return d.library }

// Version returns the CUDA version that the driver supports, such as 13.0.
func (d *Driver) Version() string { return driver.VersionString(d.library.Version()) }

// call calls a driver function that needs no context.
//
//go:uintptrescapes
func (d *Driver) call(f driver.Function, detail string, arguments ...uintptr) error {
	if fault, hit := d.faults.next("", f, detail); hit {
		return d.failure(f, detail, "", fault, true)
	}
	if result := d.library.Call(f, arguments...); result != driver.Success {
		return d.failure(f, detail, "", result, false)
	}
	return nil
}

func (d *Driver) failure(f driver.Function, detail, stage string, result driver.Result, injected bool) *Error {
	name, text := d.library.Describe(result)
	return &Error{Call: f.String(), Detail: detail, Stage: stage, Result: result, Name: name,
		Text: text, Injected: injected}
}

// Devices lists the devices. If there are none, it returns errNoDevice.
func (d *Driver) Devices() ([]*Device, error) {
	count := new(int32)
	if err := d.call(driver.DeviceGetCount, "", uintptr(unsafe.Pointer(count))); err != nil {
		return nil, err
	}
	if *count == 0 {
		return nil, errNoDevice
	}
	devices := make([]*Device, 0, *count)
	for ordinal := range int(*count) {
		device, err := d.device(ordinal)
		if err != nil {
			return nil, err
		}
		devices = append(devices, device)
	}
	return devices, nil
}
