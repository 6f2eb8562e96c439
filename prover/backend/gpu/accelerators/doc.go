// Package accelerators has a test alone: accelerators that are only its own are listed and proven on every backend, so
// that whatever is said of an accelerator is said by its Kind.
package accelerators
