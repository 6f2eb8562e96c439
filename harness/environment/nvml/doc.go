// Package nvml is a small binding to NVIDIA's management library, loaded at run time without cgo.
//
// It covers what a measurement wants to know about a GPU: identity, clocks, power, temperature,
// energy, throttling, memory, errors and the processes on it. It only reads; no setting of a
// device is ever changed. Every function of the library but those that find devices is optional:
// what a driver or a device does not offer is ErrNotSupported. A host without the library has
// ErrAbsent, which is an answer and no failure.
//
// Units are MHz, watts, joules, degrees Celsius and bytes. All functions may be called from several
// goroutines at once, as the library allows; Close may not be called while others run.
package nvml
