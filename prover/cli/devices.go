package cli

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
)

// openDevices opens the backend that the flags require, or the first of the binary's that opens, once for each device
// of a list.
func (p *program) openDevices(f *backendFlags, list string) (chosen *Backend, devices []backend.Backend, err error) {
	options, err := p.check(f)
	if err != nil {
		return nil, nil, err
	}
	open := func(b *Backend) ([]backend.Backend, error) { return openEach(b, options, list) }
	b, because, err := p.required(f, list)
	if err != nil {
		return nil, nil, err
	}
	if b != nil {
		if devices, err = open(b); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", because, err)
		}
		return b, devices, nil
	}
	var failures []error
	for i := range p.backends {
		b := &p.backends[i]
		if devices, err = open(b); err == nil {
			fmt.Fprintf(p.stderr, "backend: auto chose %s\n", b.Name)
			return b, devices, nil
		}
		failures = append(failures, fmt.Errorf("%s: %w", b.Name, err))
	}
	return nil, nil, fmt.Errorf("--backend auto: no backend can run here: %w", errors.Join(failures...))
}

// openEach opens the devices of a list, or the one that the flags name if there is no list.
func openEach(b *Backend, options BackendOptions, list string) (devices []backend.Backend, err error) {
	names := []string{""}
	switch {
	case list == "":
	case b.Devices == nil:
		return nil, Usagef("--devices %s: backend %s has one device, without --devices", list, b.Name)
	default:
		if names, err = b.Devices(list); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		options.Device = name
		opened, err := b.Open(options)
		if err != nil {
			if name != "" {
				err = fmt.Errorf("device %s: %w", name, err)
			}
			return nil, errors.Join(err, shutdown(devices))
		}
		devices = append(devices, opened)
	}
	return devices, nil
}

// deviceNames returns the names of devices.
func deviceNames(devices []backend.Backend) (names []string) {
	for _, d := range devices {
		names = append(names, d.Device())
	}
	return names
}

// shutdown closes devices.
func shutdown(devices []backend.Backend) (err error) {
	for _, d := range devices {
		err = errors.Join(err, d.Shutdown())
	}
	return err
}
