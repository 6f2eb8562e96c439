package session

import "golang.org/x/sys/unix"

// interrupted reports whether a child of this process was stopped or continued by a signal since the last call. The
// kernel keeps the last such event of a child until its parent asks for it (waitid(2)), so no event is missed.
func interrupted(pid int) bool {
	seen := false
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WCONTINUED|unix.WNOHANG, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || info.Signo == 0 { // it has ended, or there is no event
			return seen
		}
		seen = true
	}
}

// watchStops calls stopped each time a child of this process is stopped or continued by a signal, until the child has
// ended. If the child is continued before watchStops waits, only the second event is left. If it then also ends, no
// event is left.
func watchStops(pid int, stopped func()) {
	for {
		var info unix.Siginfo
		switch err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WCONTINUED, nil); err {
		case nil:
			stopped()
		case unix.EINTR:
		default:
			return
		}
	}
}
