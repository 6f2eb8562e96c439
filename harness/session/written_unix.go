//go:build unix

package session

import "golang.org/x/sys/unix"

// noFollow refuses links, and does not wait for a writer if the path is a pipe.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
