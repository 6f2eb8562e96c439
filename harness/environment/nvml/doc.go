// Package nvml is a small binding to NVIDIA's management library, loaded at run time without cgo.
//
// It reads the properties of a GPU that matter to a measurement: identity, clocks, power, temperature, energy,
// throttling, memory, errors and processes. It never changes a setting of a device. Only the functions that find
// devices are required: a quantity that a driver or a device does not offer is ErrNotSupported. On a host without the
// library, Open returns ErrAbsent.
//
// Units are MHz, watts, joules, degrees Celsius and bytes. All functions are safe for concurrent use, except that Close
// must not be called while another function runs.
package nvml
