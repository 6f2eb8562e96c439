//go:build !unix

package session

// noFollow has no equivalent here: links matter only with isolation, which exists only on Linux.
const noFollow = 0
