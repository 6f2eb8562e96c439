//go:build !unix

package session

// noFollow has no counterpart here: isolation, which makes links matter, is there on Linux only.
const noFollow = 0
