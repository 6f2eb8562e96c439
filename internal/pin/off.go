//go:build nopins

package pin

const on = false
