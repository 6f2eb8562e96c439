// Package accelerators has only a test. It adds accelerators of its own and proves calls of them on every backend,
// which shows that an accelerator's Kind and fillers are all that the machine needs.
package accelerators
